// Cancels client and server at every step of a conversation; most useful under a sanitizer.
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kSteps = 60;

asio::awaitable<void> steps(NetFixture& fixture, int count) {
  for (int i = 0; i < count; ++i) {
    if (i % 8 == 7) co_await async::sleep_for(fixture.loop.real_clock(), 1ms);
    co_await sandbox::loop::yield();
  }
}

asio::awaitable<void> send_one(net::HttpClient& client, int& done) {
  auto answer = co_await client.send(post("body"), {});
  if (answer) ++done;
}

asio::awaitable<void> read_one(net::HttpClient& client, int& done) {
  auto stream = co_await client.open(get("/stream"), {});
  if (!stream) co_return;
  auto body = co_await read_all(**stream, 3);
  if (body == "piecepiecepiece") ++done;
}

asio::awaitable<net::ServerReply> three_pieces(net::Request request) {
  if (request.target != "/stream") co_return reply(200, "whole");
  auto made = reply(200, "");
  auto left = std::make_shared<int>(3);
  made.streaming = net::StreamingBody{[left]() -> asio::awaitable<std::optional<std::string>> {
    co_await sandbox::loop::yield();
    if ((*left)-- == 0) co_return std::nullopt;
    co_return "piece";
  }};
  co_return made;
}

struct Both {
  Both(NetFixture& fixture, const Authority* authority) {
    net::HttpServerOptions options;
    if (authority != nullptr) options.tls = server_tls(authority->issue_for_loopback());
    server = fixture.server(three_pieces, std::move(options));
    server->start();
    client =
        authority != nullptr ? fixture.tls_client(server->port(), *authority) : fixture.plain_client(server->port());
  }
  std::unique_ptr<net::HttpServer> server;
  std::unique_ptr<net::HttpClient> client;
};

using Work = asio::awaitable<void> (*)(net::HttpClient&, int&);

// Cancels the client's coroutine after every number of steps; client and server must still work.
int cancel_client_everywhere(const Authority* authority, Work work) {
  NetFixture fixture;
  Both both(fixture, authority);
  int done = 0;
  for (int count = 0; count < kSteps; ++count) {
    async::TaskGroup group(fixture.loop.executor());
    fixture.loop.clock().advance(1s);  // otherwise so many handshakes would wait for their turns
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      if (count % 2 == 0) both.client->close_idle();
      group.spawn(work(*both.client, done));
      co_await steps(fixture, count);
      group.stop();
      co_await group.join();
      auto answer = co_await both.client->send(get(), {});
      CHECK(answer.has_value());
    });
  }
  fixture.loop.run_real(both.server->stop(0s));
  return done;
}

// Stops the server at every step of a client, whose connection then ends.
int stop_server_everywhere(const Authority* authority, Work work) {
  int done = 0;
  for (int count = 0; count < kSteps; ++count) {
    NetFixture fixture;
    Both both(fixture, authority);
    async::TaskGroup group(fixture.loop.executor());
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      group.spawn(work(*both.client, done));
      co_await steps(fixture, count);
      group.spawn(both.server->stop(0s));
      co_await steps(fixture, 4);
      fixture.loop.clock().advance(1s);
      co_await async::sleep_for(fixture.loop.real_clock(), 1ms);
      // A connection in the backlog is never accepted and gets no reply: its client times out.
      fixture.loop.clock().advance(60s);
      co_await group.join();
    });
  }
  return done;
}

}  // namespace

TEST_CASE("a plain request can be canceled anywhere") { CHECK(cancel_client_everywhere(nullptr, send_one) > 0); }

TEST_CASE("a plain stream can be canceled anywhere") { CHECK(cancel_client_everywhere(nullptr, read_one) > 0); }

TEST_CASE("a TLS request can be canceled anywhere") {
  Authority authority;
  CHECK(cancel_client_everywhere(&authority, send_one) > 0);
}

TEST_CASE("a TLS stream can be canceled anywhere") {
  Authority authority;
  CHECK(cancel_client_everywhere(&authority, read_one) > 0);
}

TEST_CASE("a server can be stopped anywhere in a plain conversation") {
  CHECK(stop_server_everywhere(nullptr, send_one) > 0);
  CHECK(stop_server_everywhere(nullptr, read_one) > 0);
}

TEST_CASE("a server can be stopped anywhere in a TLS conversation") {
  Authority authority;
  CHECK(stop_server_everywhere(&authority, send_one) > 0);
  CHECK(stop_server_everywhere(&authority, read_one) > 0);
}

TEST_CASE("client, server and loop can be destroyed while nothing is in progress") {
  Authority authority;
  NetFixture fixture;
  Both both(fixture, &authority);
  int done = 0;
  fixture.loop.run_real(send_one(*both.client, done));
  fixture.loop.run_real(both.server->stop(0s));

  both.client.reset();
  both.server.reset();

  CHECK(done == 1);
}
