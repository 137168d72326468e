// A server that disappears without a FIN: its connections stay open and receive nothing any more.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "src/net/tcp_connect.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Answers on every connection until `disappear`, then only on new connections.
struct VanishingServer {
  explicit VanishingServer(NetFixture& f)
      : fixture(f), peer(f.loop.executor(), [this](RawConnection& connection) { return serve(connection); }) {}

  asio::awaitable<void> serve(RawConnection& connection) {
    int life = lives;
    for (;;) {
      auto request = co_await connection.read_request();
      if (request.empty()) co_return;
      if (life != lives) {
        ++swallowed;
        co_await connection.read_to_end();
        co_return;
      }
      while (holds_answers) co_await released.wait();
      co_await connection.write(kOk);
    }
  }
  void disappear() { ++lives; }
  void answer() {
    holds_answers = false;
    released.notify_all();
  }

  NetFixture& fixture;
  int lives = 0;
  int swallowed = 0;
  bool holds_answers = false;
  async::Notify released;
  RawPeer peer;
};

struct Call {
  std::optional<Result<net::Response>> response;
  std::optional<Result<std::unique_ptr<net::Stream>>> stream;
};

asio::awaitable<void> send(net::HttpClient& client, net::Request request, Call& call) {
  auto response = co_await client.send(std::move(request), {});
  call.response.emplace(std::move(response));
}

asio::awaitable<void> open(net::HttpClient& client, net::Request request, Call& call) {
  auto stream = co_await client.open(std::move(request), {});
  call.stream.emplace(std::move(stream));
}

// Makes as many idle connections as concurrent requests.
asio::awaitable<void> open_idle(VanishingServer& server, net::HttpClient& client, async::TaskGroup& group, int count) {
  std::vector<Call> calls(static_cast<std::size_t>(count));
  server.holds_answers = true;
  for (auto& call : calls) group.spawn(send(client, get(), call));
  co_await server.fixture.settle();
  server.answer();
  co_await group.join();
  for (auto& call : calls) CHECK(call.response->has_value());
}

int option(asio::ip::tcp::socket& socket, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  ::getsockopt(socket.native_handle(), level, name, &value, &length);
  return value;
}

}  // namespace

TEST_CASE("after a write without a response in time the next write uses a new connection") {
  NetFixture fixture;
  VanishingServer server(fixture);
  auto client = fixture.plain_client(server.peer.port());
  async::TaskGroup group(fixture.loop.executor());
  Call lost;
  Call next;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await open_idle(server, *client, group, 4);
    server.disappear();
    async::TaskGroup& calls = group;
    calls.spawn(send(*client, post("a"), lost));
    co_await fixture.settle();
    fixture.loop.clock().advance(60s);
    co_await fixture.settle();
    calls.spawn(send(*client, post("b"), next));
    co_await fixture.settle();
    group.stop();
    co_await group.join();
    co_await server.peer.stop();
  });

  REQUIRE(lost.response);
  CHECK(lost.response->error().kind == Error::Kind::kTimeout);
  REQUIRE(next.response);
  CHECK(next.response->has_value());
  CHECK(server.swallowed == 1);
  CHECK(server.peer.accepted() == 5);
}

TEST_CASE("a read without a response on a reused connection is repeated on a new one within its timeout") {
  NetFixture fixture;
  VanishingServer server(fixture);
  auto client = fixture.plain_client(server.peer.port());
  async::TaskGroup group(fixture.loop.executor());
  Call read;
  Call watch;
  Call write;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await open_idle(server, *client, group, 4);
    server.disappear();
    group.spawn(send(*client, get(), read));
    group.spawn(open(*client, get(), watch));
    co_await fixture.settle();
    fixture.loop.clock().advance(19s);
    co_await fixture.settle();
    CHECK_FALSE(read.response);
    fixture.loop.clock().advance(1s);
    co_await fixture.settle();
    group.spawn(send(*client, post("a"), write));  // two idle connections were left, which are dead too
    co_await fixture.settle();
    group.stop();
    co_await group.join();
    watch.stream.reset();
    co_await server.peer.stop();
  });

  REQUIRE(read.response);
  CHECK(read.response->has_value());
  REQUIRE(write.response);
  CHECK(write.response->has_value());
  CHECK(server.swallowed == 2);
}

TEST_CASE("the client waits for a slow response on a new connection, and never repeats a write") {
  NetFixture fixture;
  VanishingServer server(fixture);
  auto client = fixture.plain_client(server.peer.port());
  async::TaskGroup group(fixture.loop.executor());
  Call read;
  Call write;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server.holds_answers = true;
    group.spawn(send(*client, get(), read));
    co_await fixture.settle();
    fixture.loop.clock().advance(59s);
    co_await fixture.settle();
    server.answer();
    co_await group.join();
    server.holds_answers = true;
    group.spawn(send(*client, post("a"), write));
    co_await fixture.settle();
    fixture.loop.clock().advance(59s);
    co_await fixture.settle();
    server.answer();
    co_await group.join();
    co_await server.peer.stop();
  });

  CHECK(read.response->has_value());
  CHECK(write.response->has_value());
  CHECK(server.peer.accepted() == 1);
}

TEST_CASE("a connection that breaks during a request closes the idle connections") {
  NetFixture fixture;
  int requests = 0;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    for (;;) {
      auto request = co_await connection.read_request();
      if (request.empty() || request.starts_with("POST")) co_return;
      ++requests;
      while (requests < 2) co_await fixture.settle();
      co_await connection.write(kOk);
    }
  });
  auto client = fixture.plain_client(peer.port());
  async::TaskGroup group(fixture.loop.executor());
  Call first;
  Call second;
  Call broken;
  Call next;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    group.spawn(send(*client, get(), first));
    group.spawn(send(*client, get(), second));
    co_await group.join();
    CHECK(peer.accepted() == 2);
    co_await send(*client, post("a"), broken);
    co_await send(*client, get(), next);
    co_await peer.stop();
  });

  CHECK(broken.response->error().kind == Error::Kind::kTransport);
  CHECK(next.response->has_value());
  CHECK(peer.accepted() == 3);
}

TEST_CASE("a write after 6 s of silence reaches a server whose earlier connections are dead") {
  NetFixture fixture;
  VanishingServer server(fixture);
  auto client = fixture.plain_client(server.peer.port());
  async::TaskGroup group(fixture.loop.executor());
  Call write;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await open_idle(server, *client, group, 4);
    server.disappear();
    fixture.loop.clock().advance(6s);
    group.spawn(send(*client, post("a"), write));
    co_await fixture.settle();
    group.stop();
    co_await group.join();
    client.reset();
    co_await server.peer.stop();
  });

  REQUIRE(write.response);
  CHECK(write.response->has_value());
  CHECK(server.swallowed == 0);
}

TEST_CASE("the kernel ends a connection whose peer has acknowledged nothing for 15 s") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(),
               [](RawConnection& connection) -> asio::awaitable<void> { co_await connection.read_to_end(); });

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    {
      auto socket = co_await net::connect_tcp(fixture.loop.clock(), "127.0.0.1", std::to_string(peer.port()), 30s);
      CHECK(option(*socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
      CHECK(option(*socket, IPPROTO_TCP, TCP_KEEPIDLE) == 6);
      CHECK(option(*socket, IPPROTO_TCP, TCP_KEEPINTVL) == 3);
      CHECK(option(*socket, IPPROTO_TCP, TCP_KEEPCNT) == 3);
      CHECK(option(*socket, IPPROTO_TCP, TCP_USER_TIMEOUT) == 15'000);
    }
    co_await peer.stop();
  });
}

TEST_CASE("stop_reading ends a stream, also during a read, and other streams continue") {
  Authority authority;
  NetFixture fixture;
  async::Notify never;
  int cancelled = 0;
  auto watch = [&](net::Request) -> asio::awaitable<net::ServerReply> { co_return endless(never, cancelled); };
  auto server = fixture.server(watch, {.tls = server_tls(authority.issue_for_loopback())});
  server->start();
  net::ClientOptions options;
  options.tls.ca_pem = authority.certificate_pem();
  auto client = fixture.client(server->port(), std::move(options));
  std::string stopped;
  std::string other;
  bool other_had_ended = true;
  auto read = [](net::Stream& stream, std::string& text) -> asio::awaitable<void> { text = co_await read_all(stream); };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {});
    auto second = co_await client->open(get(), {});
    REQUIRE((stream && second));
    async::TaskGroup tasks(fixture.loop.executor());
    tasks.spawn(read(**stream, stopped));
    tasks.spawn(read(**second, other));
    co_await fixture.settle();
    (*stream)->stop_reading();
    co_await fixture.settle();
    (*stream)->stop_reading();
    std::string buffer(100, '\0');
    auto later = co_await (*stream)->read_some(buffer);
    CHECK_FALSE(later);
    other_had_ended = !other.empty();
    co_await server->stop(0s);
    co_await tasks.join();
  });

  CHECK(stopped.starts_with("first!"));
  CHECK(stopped.ends_with("unexpected EOF"));
  CHECK_FALSE(other_had_ended);
}
