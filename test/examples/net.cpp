// The examples in the headers of room net: a request, and a server.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/net/http.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::examples {
namespace asio = boost::asio;

// [send]
asio::awaitable<Result<std::string>> get_version(net::HttpClient& client) {
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
