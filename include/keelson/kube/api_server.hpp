// The real Client: one API server over HTTP, with credentials, retries and rest_client_requests_total.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/config.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::kube {

// What the exec plugin of a connection said last: one for all clients of it, so that nobody is asked twice.
class PluginCredentials;

struct ApiServerOptions {
  std::string user_agent;  // "manager/<version> (linux/amd64) keelson/<commit>"
  OperatorName operator_name = {};
  // To the last byte of a reply; of a stream, to its headers. Connecting takes 30 s at most, and no longer than this,
  // so that the next address of the server gets its turn within one request.
  async::Duration request_timeout = std::chrono::seconds(60);
  // Of make_plugin_credentials. Null: the client has its own; then none of its calls may be cancelled while the plugin
  // runs, for nobody could stop it.
  std::shared_ptr<PluginCredentials> plugin;
};

// Null when `config` has no plugin. It runs in nobody's call, so after calls were cancelled it must be stopped before
// its end; the program is killed, and who still waits for it fails.
[[nodiscard]] std::shared_ptr<PluginCredentials> make_plugin_credentials(boost::asio::any_io_executor executor,
                                                                         async::Clock& clock, const Logger& log,
                                                                         const ConnectionConfig& config);
// Does nothing for null.
[[nodiscard]] boost::asio::awaitable<void> stop_plugin(std::shared_ptr<PluginCredentials> plugin);

// All references must outlive the client, and the client its calls and streams. Fails on certificates that cannot be
// used. Certificate and CA files are looked at again every 5 minutes, and sooner when something goes wrong; changed
// ones hold for new connections, and a changed certificate of ours ends streams, so that watches come back with it.
[[nodiscard]] Result<std::unique_ptr<Client>> make_api_server(boost::asio::any_io_executor executor,
                                                              async::Clock& clock, base::Random& random, Logger log,
                                                              metrics::Registry& registry, ConnectionConfig config,
                                                              ApiServerOptions options);

}  // namespace keelson::kube
