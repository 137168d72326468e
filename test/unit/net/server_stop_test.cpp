// How requests and streams end: with the server, with their client, with their handler.
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "keelson/detail/net/broken_body.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

TEST_CASE("stop closes idle connections immediately and lets a request finish within the grace period") {
  NetFixture fixture;
  async::Notify finish;
  auto handler = [&](net::Request) -> asio::awaitable<net::ServerReply> {
    co_await finish.wait();
    co_return reply(200, "done");
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());
  async::TaskGroup group(fixture.loop.executor());
  net::Response response;
  auto ask = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.timeout = 1h});
    response = answer.value();
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto idle = co_await connect_raw(server->port());
    group.spawn(ask());
    co_await fixture.settle();
    group.spawn(server->stop(10s));
    auto ended = co_await idle->read_to_end();
    CHECK(ended.empty());
    finish.notify_all();
    co_await group.join();
  });

  CHECK(response.body == "done");
  CHECK(net::header(response.headers, "Connection") == "close");
}

TEST_CASE("abort ends the grace period of stop") {
  NetFixture fixture;
  async::Notify never;
  auto handler = [&](net::Request) -> asio::awaitable<net::ServerReply> {
    co_await never.wait();
    co_return reply(200, "");
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());
  async::TaskGroup group(fixture.loop.executor());
  auto ask = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.timeout = 1h});
    CHECK_FALSE(answer);
  };
  const auto began = fixture.loop.clock().now();

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    group.spawn(ask());
    co_await fixture.settle();
    group.spawn(server->stop(10s));
    co_await fixture.settle();
    CHECK_FALSE(group.empty());
    server->abort();
    co_await group.join();
  });

  CHECK(fixture.loop.clock().now() == began);
}

TEST_CASE("stop cancels requests that are in progress after the grace period") {
  NetFixture fixture;
  async::Notify never;
  int cancelled = 0;
  auto handler = [&](net::Request request) -> asio::awaitable<net::ServerReply> {
    if (request.target == "/stream") co_return endless(never, cancelled);
    co_await never.wait();
    co_return reply(200, "");
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());
  async::TaskGroup group(fixture.loop.executor());
  std::vector<std::string> ends;
  auto ask = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.timeout = 1h});
    ends.push_back(answer.error().text);
  };
  auto watch = [&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get("/stream"), {});
    ends.push_back(co_await read_all(**stream));
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    group.spawn(ask());
    group.spawn(watch());
    co_await fixture.settle();
    group.spawn(server->stop(10s));
    co_await fixture.settle();
    CHECK(ends.empty());
    fixture.loop.clock().advance(10s);
    co_await group.join();
  });

  CHECK(cancelled == 1);
  REQUIRE(ends.size() == 2);
  CHECK(never.waiters() == 0);
}

TEST_CASE("a stream is canceled when its client disconnects") {
  NetFixture fixture;
  async::Notify never;
  int cancelled = 0;
  auto handler = [&](net::Request) -> asio::awaitable<net::ServerReply> { co_return endless(never, cancelled); };
  Authority authority;
  for (bool tls : {false, true}) {
    net::HttpServerOptions options;
    if (tls) options.tls = server_tls(authority.issue_for_loopback());
    auto server = fixture.server(handler, options);
    auto client = tls ? fixture.tls_client(server->port(), authority) : fixture.plain_client(server->port());
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      server->start();
      auto stream = co_await client->open(get(), {});
      std::string buffer(100, '\0');
      auto got = co_await (*stream)->read_some(buffer);
      CHECK(buffer.substr(0, got.value()) == "first");
      stream->reset();
      co_await fixture.settle();
      CHECK(never.waiters() == 0);
      co_await server->stop(0s);
    });
  }

  CHECK(cancelled == 2);
}

TEST_CASE("an exception of a handler ends its request, and the server continues") {
  NetFixture fixture;
  auto handler = [](net::Request request) -> asio::awaitable<net::ServerReply> {
    if (request.target == "/bad") throw std::runtime_error("a bug");
    co_return reply(200, "fine");
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto bad = co_await client->send(get("/bad"), {});
    CHECK(bad.value().status == 500);
    auto good = co_await client->send(get(), {});
    CHECK(good.value().body == "fine");
    co_await server->stop(0s);
  });

  CHECK(fixture.sink.count("http: handler failed") == 1);
}

TEST_CASE("a stream whose source fails breaks off for the client") {
  NetFixture fixture;
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(200, "");
    auto first = std::make_shared<bool>(true);
    made.streaming = net::StreamingBody{[first]() -> asio::awaitable<std::optional<std::string>> {
      if (!std::exchange(*first, false)) throw std::runtime_error("a bug");
      co_return "piece";
    }};
    co_return made;
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());
  std::string body;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto stream = co_await client->open(get(), {});
    body = co_await read_all(**stream);
    co_await server->stop(0s);
  });

  CHECK(body.starts_with("piece!"));
  CHECK(body.ends_with("unexpected EOF"));
}

TEST_CASE("a stream that is aborted on purpose is not logged as a failure") {
  NetFixture fixture;
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(200, "");
    made.streaming = net::StreamingBody{[]() -> asio::awaitable<std::optional<std::string>> {
      throw net::BrokenBody();
      co_return std::nullopt;
    }};
    co_return made;
  };
  auto server = fixture.server(handler);
  auto client = fixture.plain_client(server->port());
  std::string body;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto stream = co_await client->open(get(), {});
    body = co_await read_all(**stream);
    co_await server->stop(0s);
  });

  CHECK(body.ends_with("unexpected EOF"));
  CHECK(fixture.sink.count("http: handler failed") == 0);
}
