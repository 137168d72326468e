#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/net/limits.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// A server that holds requests for /held until the test releases them.
class HoldingPeer {
 public:
  explicit HoldingPeer(NetFixture& fixture)
      : fixture_(fixture), peer_(fixture.loop.executor(), [this](RawConnection& c) { return serve(c); }) {}
  [[nodiscard]] std::uint16_t port() const { return peer_.port(); }
  [[nodiscard]] int accepted() const { return peer_.accepted(); }
  [[nodiscard]] asio::awaitable<void> stop() { return peer_.stop(); }

  void let_one_go() { (void)gate_.notify_one(); }
  void let_all_go() { gate_.notify_all(); }

  // Uses all connections of requests.
  asio::awaitable<void> fill(net::HttpClient& client, async::TaskGroup& group) {
    for (std::size_t i = 0; i < limits::kConnections; ++i) group.spawn(send_held(client));
    while (gate_.waiters() < limits::kConnections) co_await fixture_.settle();
  }

 private:
  asio::awaitable<void> serve(RawConnection& connection) {
    for (;;) {
      auto request = co_await connection.read_request();
      if (request.empty()) co_return;
      if (request.starts_with("GET /held")) co_await gate_.wait();
      co_await connection.write(kOk);
    }
  }
  static asio::awaitable<void> send_held(net::HttpClient& client) {
    auto answer = co_await client.send(get("/held"), {});
    CHECK(answer.has_value());
  }

  NetFixture& fixture_;
  async::Notify gate_;
  RawPeer peer_;
};

}  // namespace

TEST_CASE("requests beyond the connection limit wait in order") {
  NetFixture fixture;
  HoldingPeer peer(fixture);
  auto client = fixture.plain_client(peer.port());
  async::TaskGroup group(fixture.loop.executor());
  std::string order;
  auto one = [&](char name) -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    if (answer) order += name;
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await peer.fill(*client, group);
    group.spawn(one('a'));
    group.spawn(one('b'));
    co_await fixture.settle();
    CHECK(order.empty());
    peer.let_one_go();
    co_await fixture.settle();
    CHECK(order == "ab");
    peer.let_all_go();
    co_await group.join();
    co_await peer.stop();
  });

  CHECK(peer.accepted() == static_cast<int>(limits::kConnections));
}

TEST_CASE("a request that waits for a connection can be canceled and times out") {
  NetFixture fixture;
  HoldingPeer peer(fixture);
  auto client = fixture.plain_client(peer.port());
  async::TaskGroup holding(fixture.loop.executor());
  async::TaskGroup waiting(fixture.loop.executor());
  std::string trace;
  auto wait = [&](async::Duration limit) -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.timeout = limit});
    trace += answer ? "answer" : "late";
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await peer.fill(*client, holding);
    waiting.spawn(wait(1s));
    waiting.spawn(wait(1h));
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    co_await fixture.settle();
    waiting.stop();
    co_await waiting.join();
    peer.let_all_go();
    co_await holding.join();
    auto answer = co_await client->send(get(), {});
    CHECK(answer.has_value());
    co_await peer.stop();
  });

  CHECK(trace == "late");
}

TEST_CASE("streams do not use the connections of requests") {
  NetFixture fixture;
  HoldingPeer peer(fixture);
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    std::vector<std::unique_ptr<net::Stream>> streams;
    for (std::size_t i = 0; i <= limits::kConnections; ++i) {
      auto stream = co_await client->open(get(), {});
      REQUIRE(stream.has_value());
      streams.push_back(std::move(*stream));
    }
    auto answer = co_await client->send(post("x"), {});
    CHECK(answer.has_value());
    streams.clear();
    co_await peer.stop();
  });
}

TEST_CASE("a stream beyond the limit of streams fails immediately, and a stream that ends makes room") {
  NetFixture fixture;
  HoldingPeer peer(fixture);
  net::ClientOptions options;
  options.origin.tls = false;
  options.stream_limit = 2;
  auto client = fixture.client(peer.port(), std::move(options));

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto first = co_await client->open(get(), {});
    auto second = co_await client->open(get(), {});
    auto third = co_await client->open(get(), {});
    CHECK(second.has_value());
    REQUIRE_FALSE(third.has_value());
    CHECK(third.error().kind == Error::Kind::kTransport);
    CHECK(third.error().text.ends_with("too many streams: 2 are open, which is the limit"));
    first->reset();
    auto fourth = co_await client->open(get(), {});
    CHECK(fourth.has_value());
    second->reset();
    fourth->reset();
    co_await peer.stop();
  });
}
