// The fixture of the tests of client and server: a loop, a log, and both ends on loopback with port 0.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/certificates.hpp"
#include "test/support/raw_peer.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {

namespace asio = boost::asio;

// All timeouts run on the virtual clock, which moves only when a test says so.
struct NetFixture {
  std::unique_ptr<net::HttpClient> client(std::uint16_t port, net::ClientOptions options = {}) {
    options.origin.host = options.origin.host.empty() ? "127.0.0.1" : options.origin.host;
    options.origin.port = std::to_string(port);
    return net::make_http_client(loop.executor(), loop.clock(), std::move(options)).value();
  }
  std::unique_ptr<net::HttpClient> plain_client(std::uint16_t port) {
    net::ClientOptions options;
    options.origin.tls = false;
    return client(port, std::move(options));
  }
  std::unique_ptr<net::HttpClient> tls_client(std::uint16_t port, const Authority& authority) {
    net::ClientOptions options;
    options.tls.ca_pem = authority.certificate_pem();
    return client(port, std::move(options));
  }
  std::unique_ptr<net::HttpServer> server(net::Handler handler, net::HttpServerOptions options = {}) {
    options.host = "127.0.0.1";
    auto made =
        net::make_http_server(loop.executor(), loop.clock(), Logger(sink), std::move(handler), std::move(options));
    return std::move(made).value();
  }

  // Runs the loop until neither side can continue: in rounds of the loop, not in time, because both share a thread.
  asio::awaitable<void> settle() {
    for (int round = 0; round < 25; ++round) {
      co_await async::sleep_for(loop.real_clock(), std::chrono::milliseconds(1));
      co_await sandbox::loop::yield();
    }
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
};

// The body in the bytes of a reply.
inline std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

inline net::Request get(std::string target = "/") {
  net::Request request;
  request.target = std::move(target);
  return request;
}

inline net::Request post(std::string body, std::string target = "/") {
  net::Request request;
  request.method = "POST";
  request.target = std::move(target);
  request.body = std::move(body);
  return request;
}

// The body of the response, or the error's text without the request's name.
inline std::string ask(NetFixture& fixture, net::HttpClient& client, net::Request request = get("/x")) {
  const auto answer = real_result_of(fixture.loop, client.send(std::move(request), {}));
  return answer ? answer->body : answer.error().text.substr(answer.error().text.find("\": ") + 3);
}

inline net::ServerReply reply(int status, std::string body) {
  net::ServerReply made;
  made.response.status = status;
  made.response.body = std::move(body);
  return made;
}

// "GET /path body", back to the client.
inline asio::awaitable<net::ServerReply> echo(net::Request request) {
  co_return reply(200, request.method + " " + request.target + " " + request.body);
}

inline tls::ServerTls server_tls(const KeyPair& pair) { return {pair.certificate_pem, pair.key_pem, ""}; }

// The whole body, or the error's text after what came before it.
inline asio::awaitable<std::string> read_all(net::Stream& stream, std::size_t buffer_bytes = 4096) {
  std::string text;
  std::string buffer(buffer_bytes, '\0');
  for (;;) {
    auto got = co_await stream.read_some(buffer);
    if (!got) co_return text + "!" + got.error().text;
    if (*got == 0) co_return text;
    text.append(buffer, 0, *got);
  }
}

// A piece and then nothing: a watch without events. Records its cancellation.
inline net::ServerReply endless(async::Notify& never, int& cancelled) {
  net::ServerReply made = reply(200, "");
  auto first = std::make_shared<bool>(true);
  auto next = [first, &never, &cancelled]() -> asio::awaitable<std::optional<std::string>> {
    if (std::exchange(*first, false)) co_return "first";
    try {
      co_await never.wait();
    } catch (...) {
      ++cancelled;
      throw;
    }
    co_return std::nullopt;
  };
  made.streaming = net::StreamingBody{next};
  return made;
}

}  // namespace keelson::testing
