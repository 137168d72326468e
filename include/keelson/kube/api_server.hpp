// The real Client: one API server over HTTP, with credentials, retries and rest_client_requests_total.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/config.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::kube {

struct ApiServerOptions {
  std::string user_agent;  // "manager/<version> (linux/amd64) keelson/<commit>"
  // To the last byte of a reply; of a stream, to its headers.
  async::Duration request_timeout = std::chrono::seconds(60);
  // net::ClientOptions::may_send: the fence of a leader.
  std::function<bool(const net::Request&)> may_send;
};

// All references must outlive the client, and the client its calls and streams. Fails on certificates that cannot be
// used. Certificate and CA files are looked at again every 5 minutes; changed ones hold for new connections.
[[nodiscard]] Result<std::unique_ptr<Client>> make_api_server(boost::asio::any_io_executor executor,
                                                              async::Clock& clock, base::Random& random, Logger log,
                                                              metrics::Registry& registry, ConnectionConfig config,
                                                              ApiServerOptions options);

}  // namespace keelson::kube
