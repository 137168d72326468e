// The limits of a server for slow, silent and greedy clients.
#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/support/sanitizers.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

TEST_CASE("a client that is too slow is disconnected") {
  struct Row {
    std::string sent;
    async::Duration limit;
  };
  const std::vector<Row> rows = {
      {"", 32s},
      {"GET / HT", 32s},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", 60s},
      {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 90s},
  };

  for (const auto& row : rows) {
    INFO(row.sent);
    NetFixture fixture;
    auto server = fixture.server(echo);
    async::TaskGroup group(fixture.loop.executor());
    bool ended = false;
    auto read = [](RawConnection& raw, bool& done) -> asio::awaitable<void> {
      co_await raw.read_to_end();
      done = true;
    };
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      server->start();
      auto raw = co_await connect_raw(server->port());
      co_await raw->write(row.sent);
      group.spawn(read(*raw, ended));
      co_await fixture.settle();
      fixture.loop.clock().advance(row.limit - 1s);
      co_await fixture.settle();
      CHECK_FALSE(ended);
      fixture.loop.clock().advance(1s);
      co_await group.join();
      co_await server->stop(0s);
    });
    CHECK(ended);
  }
}

TEST_CASE("a client that does not read its reply is disconnected") {
  NetFixture fixture;
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    co_return reply(200, std::string(std::size_t{64} << 20, 'x'));
  };
  auto server = fixture.server(handler);
  std::size_t received = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await fixture.settle();
    co_await fixture.settle();
    fixture.loop.clock().advance(60s);
    co_await fixture.settle();
    auto text = co_await raw->read_to_end();
    received = text.size();
    co_await server->stop(0s);
  });

  CHECK(received > 0);
  CHECK(received < (std::size_t{64} << 20));
}

TEST_CASE("at the connection limit the client that has been silent longest is evicted") {
  NetFixture fixture;
  net::ServerBudget budget({.own_connections = 2, .shared_connections = 0});
  auto server = fixture.server(echo, {.budget = &budget});
  std::string first_got;
  std::string second_got;
  std::string third_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto proven = co_await connect_raw(server->port());
    co_await proven->write("GET /proven HTTP/1.1\r\nHost: a\r\n\r\n");
    first_got = co_await proven->read_some();
    auto silent = co_await connect_raw(server->port());
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    third_got = co_await late->read_to_end();
    second_got = co_await silent->read_to_end();
    co_await proven->write("GET /again HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    first_got = co_await proven->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(third_got) == "GET /late ");
  CHECK(second_got.empty());
  CHECK(body_of(first_got) == "GET /again ");
}

TEST_CASE("at the connection limit no client with a request in progress is evicted") {
  NetFixture fixture;
  async::Notify finish;
  auto handler = [&](net::Request request) -> asio::awaitable<net::ServerReply> {
    if (request.target == "/slow") co_await finish.wait();
    co_return reply(200, request.target);
  };
  net::ServerBudget budget({.own_connections = 1, .shared_connections = 0});
  auto server = fixture.server(handler, {.budget = &budget});
  std::string slow_got;
  std::string late_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto slow = co_await connect_raw(server->port());
    co_await slow->write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await fixture.settle();
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    co_await fixture.settle();
    CHECK(finish.notify_one());
    slow_got = co_await slow->read_some();
    late_got = co_await late->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(slow_got) == "/slow");
  CHECK(body_of(late_got) == "/late");
}

TEST_CASE("incomplete bodies cannot use more memory than their limit") {
  NetFixture fixture;
  net::ServerBudget budget({.held_bytes = 150'000});
  auto server = fixture.server(echo, {.budget = &budget});
  const std::string half =
      "POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 120000\r\n\r\n" + std::string(60'000, 'x');
  std::string good_got;
  std::string first_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await connect_raw(server->port());
    co_await first->write(half);
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    auto good = co_await connect_raw(server->port());
    co_await good->write("POST /good HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\nConnection: close\r\n\r\n" +
                         std::string(60'000, 'y'));
    good_got = co_await good->read_to_end();
    first_got = co_await first->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(good_got).size() == 60'000 + std::string("POST /good ").size());
  CHECK(first_got.empty());
}

TEST_CASE("after an early reply the server reads the rest of a request for half a second, and up to 256 KiB") {
  constexpr std::size_t kStep = 8192;
  constexpr std::size_t kSteps = (std::size_t{256} << 10) / kStep;
  for (const bool goes_on : {true, false}) {
    INFO(goes_on);
    NetFixture fixture;
    net::ServerBudget budget;
    auto server = fixture.server(echo, {.budget = &budget, .body_limit = 10});
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      server->start();
      auto raw = co_await connect_raw(server->port());
      co_await raw->write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
      co_await raw->read_to_end();
      for (std::size_t step = 1; goes_on && step < kSteps; ++step) {
        co_await raw->write(std::string(kStep, 'x'));
        co_await fixture.settle();
      }
      fixture.loop.clock().advance(499ms);
      co_await fixture.settle();
      CHECK(budget.connections() == 1);
      if (goes_on) co_await raw->write(std::string(kStep, 'x'));
      if (!goes_on) fixture.loop.clock().advance(1ms);
      co_await fixture.settle();
      CHECK(budget.connections() == 0);
      co_await server->stop(0s);
    });
  }
}

#if !KEELSON_SANITIZED
TEST_CASE("a server without descriptors accepts again after 5 ms, and serves the waiting clients") {
  NetFixture fixture;
  net::ServerBudget budget;
  auto server = fixture.server(echo, {.budget = &budget});

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    rlimit before{};
    CHECK(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    auto raw = co_await connect_raw(server->port());
    rlimit none = before;
    none.rlim_cur = 0;
    CHECK(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    co_await fixture.settle();
    CHECK(fixture.sink.count("http: Accept error; retrying") == 1);
    fixture.loop.clock().advance(4ms);
    co_await fixture.settle();
    CHECK(fixture.sink.count("http: Accept error; retrying") == 1);
    fixture.loop.clock().advance(1ms);
    co_await fixture.settle();
    CHECK(fixture.sink.count("http: Accept error; retrying") == 2);
    ::setrlimit(RLIMIT_NOFILE, &before);
    fixture.loop.clock().advance(10ms);
    co_await fixture.settle();
    CHECK(budget.connections() == 1);
    co_await server->stop(0s);
  });
}
#endif
