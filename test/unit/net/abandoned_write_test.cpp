// Writes that are given up before their response: what the server still receives.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "src/net/tcp_connect.hpp"
#include "src/net/transport.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Receives a request, answers it or not, and records how the connection ends.
struct Server {
  Server(const asio::any_io_executor& executor, bool a) : acceptor(executor, {tcp::v4(), 0}), answers(a) {}

  asio::awaitable<void> serve() {
    auto socket = co_await acceptor.async_accept(asio::use_awaitable);
    while (!ended) {
      std::string buffer(1000, '\0');
      auto token = asio::redirect_error(asio::use_awaitable, ended);
      auto got = co_await socket.async_read_some(asio::buffer(buffer), token);
      received += buffer.substr(0, got);
      bool is_whole = received.ends_with("\r\n\r\n") || received.ends_with("body");
      if (!answers || !is_whole) continue;
      answers = false;
      co_await asio::async_write(socket, asio::buffer(kOk), asio::use_awaitable);
    }
  }

  tcp::acceptor acceptor;
  bool answers;
  std::string received;
  error_code ended;
};

asio::awaitable<void> send(net::HttpClient& client, net::Request request) {
  auto response = co_await client.send(std::move(request), {});
  CHECK(response);
}

int user_timeout(int socket) {
  int value = 0;
  socklen_t size = sizeof value;
  ::getsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &value, &size);
  return value;
}

bool resets_when_closed(int socket) {
  linger value{};
  socklen_t size = sizeof value;
  ::getsockopt(socket, SOL_SOCKET, SO_LINGER, &value, &size);
  return value.l_onoff == 1 && value.l_linger == 0;
}

}  // namespace

TEST_CASE("a write with a limited delivery resets its connection if it is abandoned, and only then") {
  struct Row {
    const char* what;
    async::Duration delivery_timeout;
    net::Request request;
    bool is_answered;
    error_code end;
  };
  const error_code reset = asio::error::connection_reset;
  const error_code eof = asio::error::eof;
  for (const auto& row : {
           Row{"abandoned", 2s, post("body"), false, reset},
           Row{"answered", 2s, post("body"), true, eof},
           Row{"a read", 2s, get(), false, eof},
           Row{"without a limit", 0s, post("body"), false, eof},
       }) {
    INFO(row.what);
    NetFixture fixture;
    Server server(fixture.loop.executor(), row.is_answered);
    net::ClientOptions options;
    options.origin.tls = false;
    options.delivery_timeout = row.delivery_timeout;
    auto client = fixture.client(server.acceptor.local_endpoint().port(), std::move(options));
    async::TaskGroup serving(fixture.loop.executor());
    async::TaskGroup sending(fixture.loop.executor());

    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      serving.spawn(server.serve());
      sending.spawn(send(*client, row.request));
      co_await fixture.settle();
      sending.stop();
      co_await sending.join();
      client.reset();
      co_await serving.join();
    });

    CHECK_FALSE(server.received.empty());
    CHECK(server.ended == row.end);
  }
}

TEST_CASE("a limited delivery sets the kernel's timeout for sent bytes, and the defaults return with its end") {
  NetFixture fixture;
  tcp::acceptor acceptor(fixture.loop.executor(), {tcp::v4(), 0});
  auto port = std::to_string(acceptor.local_endpoint().port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto socket = co_await net::connect_tcp(fixture.loop.clock(), "127.0.0.1", port, 30s);
    REQUIRE(socket);
    auto handle = socket->native_handle();
    auto connection = net::make_plain_connection(std::move(*socket));
    CHECK(user_timeout(handle) == 15'000);
    CHECK_FALSE(resets_when_closed(handle));
    connection->limit_delivery(2500ms);
    CHECK(user_timeout(handle) == 2500);
    CHECK(resets_when_closed(handle));
    connection->limit_delivery(1h);
    CHECK(user_timeout(handle) == 15'000);
    CHECK(resets_when_closed(handle));
    connection->limit_delivery(0s);
    CHECK(user_timeout(handle) == 15'000);
    CHECK_FALSE(resets_when_closed(handle));
  });
}
