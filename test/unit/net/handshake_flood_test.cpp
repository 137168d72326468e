#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/tls/context.hpp"
#include "src/net/handshake_gate.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using asio::ip::tcp;

namespace {

// A recorded ClientHello.
std::string recorded_hello(const Authority& authority) {
  auto context = tls::make_client_context({.ca_pem = authority.certificate_pem()}).value();
  auto* ssl = ::SSL_new(context->native_handle());
  auto* sent = ::BIO_new(::BIO_s_mem());
  ::SSL_set_bio(ssl, ::BIO_new(::BIO_s_mem()), sent);
  ::SSL_set_connect_state(ssl);
  ::SSL_do_handshake(ssl);
  std::string hello(4096, '\0');
  hello.resize(static_cast<std::size_t>(::BIO_read(sent, hello.data(), static_cast<int>(hello.size()))));
  ::SSL_free(ssl);
  return hello;
}

// Connections to a server that each send a recorded ClientHello.
struct Flood {
  asio::awaitable<void> add(const std::string& from, int count) {
    for (; count > 0; --count) {
      tcp::socket socket(fixture.loop.executor(), tcp::endpoint(asio::ip::make_address(from), 0));
      co_await socket.async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), port), asio::use_awaitable);
      ::send(socket.native_handle(), hello.data(), hello.size(), 0);
      sockets.push_back(std::move(socket));
    }
    co_await fixture.settle();
  }
  // The open connections that have received bytes or the end.
  int answered(std::size_t from, std::size_t to) {
    int count = 0;
    for (; from < to; ++from) count += sockets[from].available() > 0 ? 1 : 0;
    return count;
  }

  NetFixture& fixture;
  std::uint16_t port;
  std::string hello;
  std::vector<tcp::socket> sockets;
};

asio::awaitable<void> enter(net::HandshakeGate& gate, async::Clock& clock, int& entered) {
  co_await gate.enter(clock, asio::ip::address_v4::loopback());
  ++entered;
}

}  // namespace

TEST_CASE("a replayed ClientHello costs a limited number of handshakes, and other peers get theirs immediately") {
  NetFixture fixture;
  const Authority authority;
  auto server = fixture.server(echo, {.tls = server_tls(authority.issue_for_loopback())});
  server->start();
  Flood flood{fixture, server->port(), recorded_hello(authority), {}};
  constexpr auto kBurst = net::kHandshakesOfPeer.burst;
  std::vector<int> answered;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await flood.add("127.0.0.1", 2 * kBurst);
    answered.push_back(flood.answered(0, 2 * kBurst));
    co_await flood.add("127.0.0.2", 1);
    answered.push_back(flood.answered(2 * kBurst, 2 * kBurst + 1));
    for (int turn = 0; turn < 5; ++turn) {
      fixture.loop.clock().advance(net::kHandshakesOfPeer.interval);
      co_await fixture.settle();
    }
    answered.push_back(flood.answered(0, 2 * kBurst));
    co_await server->stop(0s);
  });

  CHECK(answered == std::vector<int>{kBurst, 1, kBurst + 5});
}

TEST_CASE("bytes that are not a ClientHello use no turn") {
  NetFixture fixture;
  const Authority authority;
  auto server = fixture.server(echo, {.tls = server_tls(authority.issue_for_loopback())});
  server->start();
  const auto hello = recorded_hello(authority);
  Flood hellos{fixture, server->port(), hello, {}};
  constexpr auto kBurst = net::kHandshakesOfPeer.burst;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (const auto& nonsense : {std::string(), hello.substr(0, 5), hello.substr(0, 100), "GET / HTTP/1.1\r\n\r\n"s}) {
      Flood flood{fixture, server->port(), nonsense, {}};
      co_await flood.add("127.0.0.1", kBurst);
    }
    co_await hellos.add("127.0.0.1", kBurst);
    CHECK(hellos.answered(0, kBurst) == kBurst);
    co_await server->stop(0s);
  });
}

TEST_CASE("an unpaced server begins every handshake immediately") {
  sandbox::loop::TestLoop loop;
  net::HandshakeGate gate(net::Handshakes::kUnpaced);
  async::TaskGroup tasks(loop.executor());
  int entered = 0;

  loop.run([&]() -> asio::awaitable<void> {
    for (int count = 0; count < 1000; ++count) tasks.spawn(enter(gate, loop.clock(), entered));
    co_await tasks.drain();
  });

  CHECK(entered == 1000);
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("connections that end while they wait leave their turns to others") {
  sandbox::loop::TestLoop loop;
  net::HandshakeGate gate;
  async::TaskGroup stays(loop.executor());
  async::TaskGroup goes(loop.executor());
  int entered = 0;
  constexpr auto kBurst = net::kHandshakesOfPeer.burst;

  loop.run([&]() -> asio::awaitable<void> {
    for (int count = 0; count < kBurst; ++count) stays.spawn(enter(gate, loop.clock(), entered));
    co_await stays.drain();
    for (int count = 0; count < 5; ++count) goes.spawn(enter(gate, loop.clock(), entered));
    co_await sandbox::loop::yield();
    CHECK(loop.clock().timers() == 1);
    goes.stop();
    co_await goes.join();
    CHECK(loop.clock().timers() == 0);
    loop.clock().advance(net::kHandshakesOfPeer.interval);
    stays.spawn(enter(gate, loop.clock(), entered));
    stays.spawn(enter(gate, loop.clock(), entered));
    co_await sandbox::loop::yield();
    CHECK(entered == kBurst + 1);
    co_await stays.drain();
  });

  CHECK(entered == kBurst + 2);
  CHECK(loop.clock().timers() == 0);
}
