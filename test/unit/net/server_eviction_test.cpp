// The evictions of a full server: clients that do not read, and clients that do not continue.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kHuge = std::size_t{64} << 20;
// Enough for a single body of 60,000 bytes with its buffers.
constexpr std::size_t kHeldBytes = 150'000;

// A request with the first `there` of the `length` bytes of its body.
std::string post_of(const std::string& target, std::size_t length, std::size_t there) {
  return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" +
         std::string(there, 'x');
}

// For /huge a reply that exceeds the buffers of sockets, and a few bytes for other paths.
asio::awaitable<net::ServerReply> answer_size(net::Request request) {
  if (request.target == "/huge") co_return reply(200, std::string(kHuge, 'x'));
  co_return reply(200, request.target + " " + std::to_string(request.body.size()));
}

}  // namespace

TEST_CASE("at the connection limit a client that does not read its reply is evicted") {
  NetFixture fixture;
  net::ServerBudget budget({.own_connections = 1, .shared_connections = 0});
  auto server = fixture.server(answer_size, {.budget = &budget});
  std::string late_got;
  std::size_t first_got = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await connect_raw(server->port());
    co_await first->write("GET /huge HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await fixture.settle();
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    late_got = co_await late->read_to_end();
    auto text = co_await first->read_to_end();
    first_got = text.size();
    co_await server->stop(0s);
  });

  CHECK(body_of(late_got) == "/late 0");
  CHECK(first_got < kHuge);
  REQUIRE(fixture.sink.entries().size() == 1);
  CHECK(fixture.sink.entries().front().message ==
        "http: disconnected a client because all connections or their memory are in use");
  CHECK(fixture.sink.entries().front().fields == R"(client="127.0.0.1")");
}

TEST_CASE("a client that does not read is evicted even if its reply began after the server was full") {
  NetFixture fixture;
  async::Notify finish;
  auto handler = [&](net::Request request) -> asio::awaitable<net::ServerReply> {
    if (request.target != "/huge") co_return reply(200, request.target);
    co_await finish.wait();
    co_return reply(200, std::string(kHuge, 'x'));
  };
  net::ServerBudget budget({.own_connections = 1, .shared_connections = 0});
  auto server = fixture.server(handler, {.budget = &budget});
  std::string late_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await connect_raw(server->port());
    co_await first->write("GET /huge HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await fixture.settle();
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    co_await fixture.settle();
    CHECK(finish.notify_one());
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    late_got = co_await late->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(late_got) == "/late");
}

// A client does not read the huge reply to `request`; then another one needs the bytes for its body.
void check_unread_is_evicted(const net::Handler& handler, const std::string& request) {
  NetFixture fixture;
  net::ServerBudget budget({.held_bytes = kHeldBytes});
  auto server = fixture.server(handler, {.budget = &budget});
  std::string good_got;
  std::size_t first_got = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await connect_raw(server->port());
    co_await first->write(request);
    co_await fixture.settle();
    CHECK(budget.held_bytes() >= kHuge);
    fixture.loop.clock().advance(1s);
    auto good = co_await connect_raw(server->port());
    co_await good->write(post_of("/good", 60'000, 60'000));
    good_got = co_await good->read_some();
    auto text = co_await first->read_to_end();
    first_got = text.size();
    co_await server->stop(0s);
  });

  CHECK(body_of(good_got) == "/good 60000");
  CHECK(first_got < kHuge);
}

TEST_CASE("an unread reply counts against the bytes, and is evicted for a body") {
  check_unread_is_evicted(answer_size, post_of("/huge", 60'000, 60'000));
}

TEST_CASE("an unread piece of a stream counts against the bytes, and is evicted for a body") {
  auto handler = [](net::Request request) -> asio::awaitable<net::ServerReply> {
    auto made = co_await answer_size(request);
    if (request.target != "/huge") co_return made;
    auto piece = std::make_shared<std::string>(std::exchange(made.response.body, {}));
    made.streaming = net::StreamingBody{
        [piece]() -> asio::awaitable<std::optional<std::string>> { co_return std::exchange(*piece, {}); }};
    co_return made;
  };
  check_unread_is_evicted(handler, "GET /huge HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST_CASE("a client that was idle for long and now sends a request is not treated as slow") {
  NetFixture fixture;
  net::ServerBudget budget({.held_bytes = kHeldBytes});
  auto server = fixture.server(answer_size, {.budget = &budget});
  std::string idle_got;
  std::string staller_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto idle = co_await connect_raw(server->port());
    co_await idle->write("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n");
    idle_got = co_await idle->read_some();
    fixture.loop.clock().advance(1s);
    auto staller = co_await connect_raw(server->port());
    co_await staller->write("GET /staller HTTP/1.1\r\nHost: a\r\n\r\n");
    staller_got = co_await staller->read_some();
    co_await staller->write(post_of("/half", 120'000, 60'000));
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    co_await idle->write(post_of("/whole", 60'000, 60'000));
    idle_got = co_await idle->read_some();
    staller_got = co_await staller->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(idle_got) == "/whole 60000");
  CHECK(staller_got.empty());
}
