// Requests by URL to any server other than the API server: a storage service, a registry, the API of a provider.
//
// In a reconcile, `pass.http()` is the client of the program, and elsewhere `context.http()`
// (controller/definition.hpp). docs/http.md is the guide.
//
// Example (test/examples/net.cpp#url_client):
//   Task<std::string> archive_state(net::UrlClient& http, std::string name) {
//     KEELSON_CO_LET(const auto response, co_await http.get("https://archive.example.com:8443/state?name=" + name));
//     KEELSON_CO_TRY(net::check_status(response, "read the state of " + name));
//     co_return response.body;
//   }
//
// Connections are retained for further requests, for each combination of origin and TLS settings
// (limits::kUrlClientOrigins). Redirects are not followed: a 3xx is returned as it is.
//
// Ownership: parameters are values, and the result owns its data. The client must outlive its calls.
//
// Cancellation: the connection of a canceled request is closed. The server may have executed the request nevertheless,
// as after a kTransport or kTimeout error, so requests must be safe to repeat. Only GET and HEAD are repeated here, and
// only once, on a reused connection that ended before the response (HttpClient::send).
//
// Errors: kInvalid for a URL, method, header or certificate that cannot be used; kTransport, kTimeout and kMalformed as
// those of HttpClient; kFenced for a request that is not sent because this process may no longer lead. The texts
// contain the URL with its query: put a secret into a header. A status is not an error: pass the response to
// check_status(). A reconcile that returns such an error is retried, and if the error persists, the status of the
// object reports it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/tls/options.hpp"
#include "keelson/net/http.hpp"

namespace keelson::net {

// The reply to a request by URL, by default. APIs answer with a few KiB; a larger object is a mistake in the URL, and a
// reconciler that needs one sets UrlOptions::body_limit.
inline constexpr std::size_t kUrlReplyBytes = std::size_t{1} << 20;

// The options of one request.
struct UrlOptions {
  // In addition to User-Agent, and to Content-Type if there is a body; a header of the same name replaces those.
  Headers headers = {};
  // From the lookup of the name to the last byte of the response; then kTimeout. Zero: no limit.
  async::Duration timeout = std::chrono::seconds(30);
  // A response with a larger body fails with kMalformed.
  std::size_t body_limit = kUrlReplyBytes;
  // By default the CAs of the system are trusted (SSL_CERT_FILE and SSL_CERT_DIR, or the usual paths). Set `ca_pem` for
  // a server with a CA of its own.
  tls::TlsOptions tls = {};
};

struct UrlClientParts;  // for the framework: detail/net/url_client_parts.hpp

class UrlClient {
 public:
  explicit UrlClient(UrlClientParts parts);
  UrlClient(const UrlClient&) = delete;
  UrlClient& operator=(const UrlClient&) = delete;
  ~UrlClient();

  [[nodiscard]] Task<Response> get(std::string url, UrlOptions options = {});
  // The Content-Type of a body is application/json unless `options.headers` has another one.
  [[nodiscard]] Task<Response> post(std::string url, std::string body, UrlOptions options = {});
  [[nodiscard]] Task<Response> put(std::string url, std::string body, UrlOptions options = {});
  // Sends DELETE.
  [[nodiscard]] Task<Response> remove(std::string url, UrlOptions options = {});
  // Any other method: "HEAD", "PATCH".
  [[nodiscard]] Task<Response> send(std::string method, std::string url, std::string body, UrlOptions options = {});

 private:
  class Connections;
  std::unique_ptr<Connections> connections_;
};

// Succeeds for a status from 200 to 299. Otherwise a kStatus error without a code, so that it is never taken for one of
// the API server: "delete the archive: 503 Service Unavailable: try again later", which begins with `what` and ends
// with the first line of a text body. It has the delay of Retry-After, at most a minute.
[[nodiscard]] Result<void> check_status(const Response& response, std::string_view what = "");

// True for an error of a UrlClient or of check_status(). The API server answers nevertheless, so a status can report
// it.
[[nodiscard]] bool is_url_error(const Error& error);

}  // namespace keelson::net
