// The examples in the headers of room net: a request, and a server.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/net/url.hpp"
#include "keelson/net/http.hpp"
#include "keelson/net/url_client.hpp"

namespace keelson::examples {
namespace asio = boost::asio;

// [send]
Task<std::string> get_version(net::HttpClient& client) {
  net::Request request;
  request.target = "/version";
  request.headers = {{"Accept", "application/json"}};
  net::CallOptions options;
  options.timeout = std::chrono::seconds(10);
  KEELSON_CO_LET(auto response, co_await client.send(std::move(request), std::move(options)));
  if (response.status != 200) co_return Error(Error::Kind::kStatus, "status " + std::to_string(response.status));
  co_return std::move(response.body);
}
// [end]

// [parse_url]
Result<net::Request> health_request(std::string_view url) {
  KEELSON_LET(const auto parsed, net::parse_url(url));  // "https://archive.example.com:8443/health?verbose=1"
  net::Request request;
  request.target = parsed.target;  // "/health?verbose=1"
  return request;
}
// [end]

// [url_client]
Task<std::string> archive_state(net::UrlClient& http, std::string name) {
  KEELSON_CO_LET(const auto response, co_await http.get("https://archive.example.com:8443/state?name=" + name));
  KEELSON_CO_TRY(net::check_status(response, "read the state of " + name));
  co_return response.body;
}
// [end]

// [url_options]
Result<net::UrlOptions> archive_options(const std::string& ca_file, const std::string& token) {
  net::UrlOptions options;
  options.headers = {{"Authorization", "Bearer " + token}};
  options.timeout = std::chrono::seconds(5);
  if (ca_file.empty()) return options;  // the CAs of the system
  KEELSON_LET(options.tls.ca_pem, base::read_local_file(ca_file));
  if (!options.tls.ca_pem) return invalid_error("--archive-ca-file: " + ca_file + " does not exist");
  return options;
}
// [end]

// [serve]
asio::awaitable<net::ServerReply> answer(net::Request request) {
  const int status = request.target == "/healthz" ? 200 : 404;
  net::ServerReply reply;
  reply.response = {status, {{"Content-Type", "text/plain"}}, request.target + "\n"};
  co_return reply;
}

Result<std::unique_ptr<net::HttpServer>> serve(asio::any_io_executor executor, async::Clock& clock, Logger log) {
  net::HttpServerOptions options{.host = "127.0.0.1", .port = 8081};
  KEELSON_LET(auto server, net::make_http_server(executor, clock, log, answer, std::move(options)));
  server->start();
  return server;
}
// [end]

}  // namespace keelson::examples
