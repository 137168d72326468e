// The Client of a real API server: HTTP with credentials, retries, and the metrics rest_client_requests_total and
// rest_client_request_duration_seconds.
//
// make_rest_client() connects lazily: it sends nothing, so it succeeds while the API server is down. Retries and errors
// are described in client.hpp. `Warning` headers of the server are logged, each text once.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::limits {

// A reply with a list: 500 objects of 64 KiB; a reply with one object has at most kObjectBytes. A list is held twice
// while it is split into objects; a manager runs in 128 MiB. The lists of the cache are streams without a limit.
inline constexpr std::size_t kListReplyBytes = std::size_t{32} << 20;

// Values in a reply with one object, names of members included, which take 16 bytes each when it is read: as many as
// etcd's limit of 1.5 MiB can contain, even if an object is one long list of numbers.
inline constexpr std::size_t kReplyValues = std::size_t{1'700'000};

// Values in a reply with a list: with the 32 MiB of their text, and 64 MiB if it is read as a whole, below 128 MiB.
// list() repeats a page that exceeds this or kListReplyBytes with half the objects.
inline constexpr std::size_t kListReplyValues = std::size_t{4'000'000};

}  // namespace keelson::limits

namespace keelson::kube {

// The newest credential of a connection's exec plugin. All clients of the connection share it, so that the program runs
// once (and a user logs in once) for all of them.
class PluginCredentials;

// The outcome of one attempt of a request: a reply, or none before its timeout.
struct Answer {
  Verb verb = Verb::kGet;
  int status = 0;  // 0: no reply before the timeout
  // 429, or 5xx with Retry-After: the server cannot take more requests. False for the rejection of a single object.
  bool asks_to_wait = false;
  async::Duration lasted{0};  // of a stream: until its headers
  std::string target = {};    // "deployments.apps/status": the resource and its subresource; "/version": a raw path
};

struct RestClientOptions {
  std::string user_agent;           // "manager/<version> (linux/amd64) keelson/<commit>"
  OperatorName operator_name = {};  // the field manager of writes
  // Limit of one attempt, to the last byte of a reply, or to the headers of a stream. Connecting to one address takes
  // at most 30 s and no longer than this, so that the next address of the server is tried within the same request.
  async::Duration request_timeout = std::chrono::seconds(60);
  // net::ClientOptions::delivery_timeout: leader::Timing::delivery_timeout() for the clients of a process that takes
  // part in a leader election, so that its writes do not arrive after another process leads. Zero: no limit.
  async::Duration delivery_timeout{0};
  // From make_plugin_credentials(). Null: the client makes its own, which cannot be stopped, so that no call may be
  // canceled while the plugin runs.
  std::shared_ptr<PluginCredentials> plugin;
  // Called for each attempt that ends without a reply, even if it is repeated, or that cannot begin because of its
  // credentials. It must not wait. It may be empty.
  std::function<void(const Error&)> on_failure = {};
  // Called for each attempt that gets a reply, whatever its status is, and for each that times out. It must not wait.
  // It may be empty.
  std::function<void(const Answer&)> on_answer = {};
};

// The shared credentials of `config.exec`; null if `config` has no plugin. The plugin runs in a task of its own, not in
// the call that needs it, so a canceled call does not stop it: await stop_plugin() before the last reference is
// destroyed.
[[nodiscard]] std::shared_ptr<PluginCredentials> make_plugin_credentials(boost::asio::any_io_executor executor,
                                                                         async::Clock& clock, const Logger& log,
                                                                         const ConnectionConfig& config);
// Kills the program if it runs. Calls that wait for it, and all later ones, fail with kTransport. Does nothing for
// null.
[[nodiscard]] boost::asio::awaitable<void> stop_plugin(std::shared_ptr<PluginCredentials> plugin);

// Makes the client of `config` (load_connection() of config.hpp). All references must outlive the client, and the
// client its calls and streams. Fails if the certificates of `config` cannot be used.
//
// Certificate and CA files are read again every 5 minutes, and soon after a 401 or a lost connection. New connections
// use changed files. A changed client certificate also ends open streams, so that watches reconnect with it. Files that
// cannot be read or used are logged, and the former ones stay in use.
[[nodiscard]] Result<std::unique_ptr<Client>> make_rest_client(boost::asio::any_io_executor executor,
                                                               async::Clock& clock, base::Random& random, Logger log,
                                                               metrics::Registry& registry, ConnectionConfig config,
                                                               RestClientOptions options);

}  // namespace keelson::kube
