// The servers that the operator of a simulated cluster reaches by URL (Context::http), as functions of the test.
//
// Example (test/examples/sandbox.cpp#http_servers):
//   // How often the operator deletes the entry of an archive that fails at first.
//   std::size_t deletions(sandbox::SimulatedCluster& cluster, const kube::Resource& kind, const kube::Key& key) {
//     int failures = 2;
//     cluster.http.serve("https://archive.example.com", [&failures](const net::Request&) -> Result<net::Response> {
//       return net::text_response(failures-- > 0 ? 503 : 200, "");
//     });
//     if (!cluster.remove(kind, key)) return 0;
//     if (!cluster.eventually([&] { return cluster.get(kind, key).root().is_null(); })) return 0;
//     return cluster.http.requests().size();
//   }
//
// A request to an origin that the test does not serve fails as if the name could not be resolved, with a text that
// names the origin. No request leaves the process.
//
// Ownership: the functions and clients must outlive the last request. Cancellation: a request that is canceled or times
// out before its reply may have been received, as a real server may have.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/url_client_parts.hpp"
#include "keelson/net/url_client.hpp"

namespace keelson::sandbox {

class HttpServers {
 public:
  // Replies to a request. An Error is one of the connection: transport_error("connection reset by peer").
  using Handler = std::function<Result<net::Response>(const net::Request&)>;

  struct Received {
    std::string url;       // "https://archive.example.com/entries/a?force=1"
    net::Request request;  // its method, headers and body
  };

  // The clock must outlive it.
  explicit HttpServers(async::Clock& clock) : clock_(clock) {}
  HttpServers(const HttpServers&) = delete;
  HttpServers& operator=(const HttpServers&) = delete;

  // Serves an origin, "https://archive.example.com:8443", from now on; a later call replaces the server. The handler is
  // called when the request arrives, after `latency`. Throws base::Misuse for a text that is not an origin.
  void serve(const std::string& origin, Handler handler, async::Duration latency = std::chrono::milliseconds(1));
  // Serves an origin with a fake of the test. It must outlive the last request.
  void serve(const std::string& origin, net::HttpClient& client);
  // The server accepts requests and never replies, so that they time out.
  void hang(const std::string& origin);
  // The server is gone: connections are refused.
  void stop(const std::string& origin);

  // The text of the error for requests to all other origins.
  void fail_others(std::string text);

  // All requests that have arrived, in this order, also those to servers that hang.
  [[nodiscard]] const std::vector<Received>& requests() const { return requests_; }

  // For the simulation: makes clients that send requests to these servers, which must outlive them.
  [[nodiscard]] net::MakeHttpClient client_factory();

 private:
  class Client;
  struct Server {
    Handler handler;
    async::Duration latency{};
    net::HttpClient* client = nullptr;
    bool hangs = false;
    bool is_stopped = false;
  };
  Server& server_at(const std::string& origin);

  async::Clock& clock_;
  std::map<std::string, Server> servers_;  // by origin_text()
  std::string others_;
  std::vector<Received> requests_;
};

}  // namespace keelson::sandbox
