#include "src/net/tls_stream.hpp"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/catch_test_macros.hpp>
#include <list>
#include <memory>
#include <span>
#include <string>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/net/listener.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using asio::ip::tcp;
using net::TlsStream;
using namespace std::chrono_literals;

namespace {

// A clock that advances at each read: code that reads it once in a step takes 100 us for that step.
class TickingClock final : public async::Clock {
 public:
  static constexpr auto kTick = 100us;

  explicit TickingClock(async::Clock& clock) : clock_(clock) {}
  async::TimePoint now() const override { return clock_.now() + kTick * ++looks_; }
  async::WallTime wall_now() const override { return clock_.wall_now(); }
  std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override {
    return clock_.call_at(when, std::move(callback));
  }
  std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override {
    return clock_.on_wall_set(std::move(callback));
  }

 private:
  async::Clock& clock_;
  mutable int looks_ = 0;
};

constexpr int kStepsOfSlice = async::TimeSlice::kLength / TickingClock::kTick;

// The maximum number of steps of other coroutines between two turns of this one.
struct Bystander {
  asio::awaitable<void> watch() {
    for (;;) {
      steps = 0;
      ++turns;
      co_await sandbox::loop::yield();
    }
  }
  void count_step() { most = std::max(most, ++steps); }

  int turns = 0;
  int steps = 0;
  int most = 0;
};

struct Sockets {
  tcp::socket client;
  tcp::socket server;
};

asio::awaitable<Sockets> connect(NetFixture& fixture) {
  auto listener = net::Listener::bind(fixture.loop.executor(), "127.0.0.1", 0).value();
  tcp::socket client(fixture.loop.executor());
  co_await client.async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), listener->port()), asio::use_awaitable);
  auto server = co_await listener->accept();
  co_return Sockets{std::move(client), std::move(server).value()};
}

// The error of a handshake; empty if it succeeds.
asio::awaitable<void> note_failure(TlsStream& stream, TlsStream::Side side, std::string& failure) {
  auto shaken = co_await stream.handshake(side);
  if (shaken.failed) failure = tls::describe_tls_failure(shaken.failed);
  // The other side observes it.
  if (shaken.failed) stream.socket().close();
}

asio::awaitable<void> shake(TlsStream& stream, TlsStream::Side side) {
  auto shaken = co_await stream.handshake(side);
  CHECK_FALSE(shaken.failed);
}

// The two ends of a TLS connection, or of a connection within another as through a proxy.
struct TlsPair {
  enum class Depth { kPlain, kWithinTls };

  explicit TlsPair(NetFixture& f, int version = TLS1_3_VERSION, Depth d = Depth::kPlain) : fixture(f), depth(d) {
    const Authority authority;
    const auto pair = authority.issue_for_loopback();
    server_context = tls::make_server_context(server_tls(pair)).value();
    client_context = tls::make_client_context({.ca_pem = authority.certificate_pem()}).value();
    ::SSL_CTX_set_max_proto_version(client_context->native_handle(), version);
  }

  asio::awaitable<void> open() {
    auto sockets = co_await connect(fixture);
    outer_client = std::make_unique<TlsStream>(fixture.loop.clock(), std::move(sockets.client), *client_context);
    outer_server = std::make_unique<TlsStream>(clock, std::move(sockets.server), *server_context);
    co_await shake_both(*outer_client, *outer_server);
    if (depth == Depth::kPlain) co_return;
    inner_client = std::make_unique<TlsStream>(*outer_client, *client_context);
    inner_server = std::make_unique<TlsStream>(*outer_server, *server_context);
    co_await shake_both(*inner_client, *inner_server);
  }

  asio::awaitable<void> shake_both(TlsStream& one, TlsStream& other) {
    async::TaskGroup group(fixture.loop.executor());
    group.spawn(shake(one, TlsStream::Side::kClient));
    group.spawn(shake(other, TlsStream::Side::kServer));
    co_await group.drain();
  }

  // Why the handshake fails, on each side.
  asio::awaitable<void> fail_to_open(std::string& of_client, std::string& of_server) {
    auto sockets = co_await connect(fixture);
    TlsStream client(fixture.loop.clock(), std::move(sockets.client), *client_context);
    TlsStream server(fixture.loop.clock(), std::move(sockets.server), *server_context);
    async::TaskGroup group(fixture.loop.executor());
    group.spawn(note_failure(client, TlsStream::Side::kClient, of_client));
    group.spawn(note_failure(server, TlsStream::Side::kServer, of_server));
    co_await group.drain();
  }

  TlsStream& client() { return inner_client ? *inner_client : *outer_client; }
  TlsStream& server() { return inner_server ? *inner_server : *outer_server; }

  NetFixture& fixture;
  Depth depth;
  TickingClock clock{fixture.loop.clock()};  // of the server
  std::shared_ptr<asio::ssl::context> server_context;
  std::shared_ptr<asio::ssl::context> client_context;
  std::unique_ptr<TlsStream> outer_client;
  std::unique_ptr<TlsStream> outer_server;
  std::unique_ptr<TlsStream> inner_client;
  std::unique_ptr<TlsStream> inner_server;
};

void update_keys(TlsStream& from, int count, int kind = SSL_KEY_UPDATE_NOT_REQUESTED) {
  for (int sent = 0; sent < count; ++sent) {
    REQUIRE(::SSL_key_update(from.native(), kind) == 1);
    REQUIRE(::SSL_do_handshake(from.native()) == 1);
  }
}

asio::awaitable<void> send(TlsStream& from, std::string text) {
  auto sent = co_await from.write_some(text);
  CHECK(sent.bytes == text.size());
}

// The result of a read, or its error.
asio::awaitable<std::string> receive(TlsStream& stream) {
  std::string buffer(4096, '\0');
  auto got = co_await stream.read_some(buffer);
  if (got.failed) co_return "!" + tls::describe_tls_failure(got.failed);
  co_return buffer.substr(0, got.bytes);
}

asio::awaitable<void> receive_bytes(TlsStream& stream, int count, Bystander& bystander) {
  char byte = 0;
  for (; count > 0; --count) {
    auto got = co_await stream.read_some(std::span(&byte, 1));
    CHECK(got.bytes == 1);
    bystander.count_step();
  }
}

constexpr std::size_t kKeyUpdateBytes = 27;  // the size of its record
constexpr const char* kTooMany = "!too many TLS records without data";

}  // namespace

TEST_CASE("a flood of key updates without data ends the connection, on either side") {
  for (bool to_server : {true, false}) {
    NetFixture fixture;
    TlsPair pair(fixture);
    std::string got;

    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      co_await pair.open();
      auto& from = to_server ? pair.client() : pair.server();
      auto& to = to_server ? pair.server() : pair.client();
      update_keys(from, 400);
      co_await send(from, "late");
      got = co_await receive(to);
    });

    CHECK(got == kTooMany);
  }
}

TEST_CASE("key updates that request a key update in return are limited, and so are the replies") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string got;
  std::string answers(std::size_t{64} << 10, '\0');

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    update_keys(pair.client(), 400, SSL_KEY_UPDATE_REQUESTED);
    co_await send(pair.client(), "late");
    got = co_await receive(pair.server());
    auto bytes = ::recv(pair.client().socket().native_handle(), answers.data(), answers.size(), MSG_DONTWAIT);
    answers.resize(static_cast<std::size_t>(bytes));
  });

  CHECK(got == kTooMany);
  CHECK(answers.size() <= 17 * kKeyUpdateBytes);
}

TEST_CASE("key updates between data are allowed, and 1 KiB of data resets their count") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    for (int round = 0; round < 10; ++round) {
      update_keys(pair.client(), 16);
      co_await send(pair.client(), std::string(1024, 'x'));
      auto text = co_await receive(pair.server());
      got += text;
    }
  });

  CHECK(got == std::string(10 * 1024, 'x'));
}

TEST_CASE("a byte of data does not reset the count of key updates") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string first;
  std::string second;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    for (auto* got : {&first, &second}) {
      update_keys(pair.client(), 16);
      co_await send(pair.client(), "x");
      *got = co_await receive(pair.server());
    }
  });

  CHECK(first == "x");
  CHECK(second == kTooMany);
}

TEST_CASE("key updates are counted across pauses of a connection") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    co_await send(pair.client(), std::string(4096, 'x'));
    got = co_await receive(pair.server());
    update_keys(pair.client(), 400);
    co_await send(pair.client(), "late");
    pair.server().rest();
    pair.server().rest();
    got = co_await receive(pair.server());
  });

  CHECK(got == kTooMany);
}

TEST_CASE("TLS within TLS limits records without data, and not records with data") {
  NetFixture fixture;
  TlsPair pair(fixture, TLS1_3_VERSION, TlsPair::Depth::kWithinTls);
  std::string data;
  std::string flooded;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    for (int round = 0; round < 100; ++round) {
      co_await send(pair.client(), "x");
      auto text = co_await receive(pair.server());
      data += text;
    }
    update_keys(*pair.outer_client, 400);
    co_await send(pair.client(), "late");
    flooded = co_await receive(pair.server());
  });

  CHECK(data == std::string(100, 'x'));
  CHECK(flooded == kTooMany);
}

TEST_CASE("records that TLS 1.3 must ignore are limited too") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    std::string ignored;
    for (int record = 0; record < 400; ++record) ignored += std::string("\x14\x03\x03\x00\x01\x01", 6);
    ::send(pair.client().socket().native_handle(), ignored.data(), ignored.size(), 0);
    got = co_await receive(pair.server());
  });

  CHECK(got.starts_with("!"));
}

TEST_CASE("a flood of HelloRequests ends a TLS 1.2 client's connection") {
  NetFixture fixture;
  TlsPair pair(fixture, TLS1_2_VERSION);
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    ::SSL_clear_options(pair.server().native(), SSL_OP_NO_RENEGOTIATION);
    for (int sent = 0; sent < 400; ++sent) {
      ::SSL_renegotiate(pair.server().native());
      ::SSL_do_handshake(pair.server().native());
    }
    co_await send(pair.server(), "late");
    got = co_await receive(pair.client());
  });

  CHECK(got.starts_with("!"));
}

TEST_CASE("a server may send session tickets before its data") {
  NetFixture fixture;
  TlsPair pair(fixture);
  ::SSL_CTX_clear_options(pair.server_context->native_handle(), SSL_OP_NO_TICKET);
  ::SSL_CTX_set_num_tickets(pair.server_context->native_handle(), 4);
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    co_await send(pair.server(), "data");
    got = co_await receive(pair.client());
  });

  CHECK(got == "data");
}

TEST_CASE("records of one byte on several connections do not block the loop") {
  NetFixture fixture;
  constexpr int kRecords = 500;
  std::list<TlsPair> pairs;
  Bystander bystander;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (int count = 0; count < 4; ++count) {
      co_await pairs.emplace_back(fixture).open();
      for (int sent = 0; sent < kRecords; ++sent) co_await send(pairs.back().client(), "x");
    }
    async::TaskGroup readers(fixture.loop.executor());
    async::TaskGroup others(fixture.loop.executor());
    for (auto& pair : pairs) readers.spawn(receive_bytes(pair.server(), kRecords, bystander));
    others.spawn(bystander.watch());
    co_await readers.drain();
    others.stop();
    co_await others.join();
  });

  CHECK(bystander.most > 0);
  CHECK(bystander.most <= kStepsOfSlice + 4);
}

TEST_CASE("an inner TLS record that arrives in outer records of one byte does not block the loop") {
  NetFixture fixture;
  TlsPair pair(fixture, TLS1_3_VERSION, TlsPair::Depth::kWithinTls);
  Bystander bystander;
  const std::string text(2000, 'x');
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    // The client's inner record, read from the connection and sent again byte by byte.
    auto* outer = pair.outer_client->native();
    auto* pipe = ::BIO_new(::BIO_s_mem());
    ::SSL_set0_wbio(pair.inner_client->native(), pipe);
    co_await send(pair.client(), text);
    char byte = 0;
    while (::BIO_read(pipe, &byte, 1) == 1) REQUIRE(::SSL_write(outer, &byte, 1) == 1);
    co_await fixture.settle();
    async::TaskGroup others(fixture.loop.executor());
    others.spawn(bystander.watch());
    got = co_await receive(pair.server());
    others.stop();
    co_await others.join();
  });

  CHECK(got == text);
  CHECK(bystander.turns >= static_cast<int>(text.size()) / kStepsOfSlice);
}

TEST_CASE("a peer that reads everything immediately does not block the loop") {
  NetFixture fixture;
  TlsPair pair(fixture);
  Bystander bystander;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await pair.open();
    async::TaskGroup others(fixture.loop.executor());
    others.spawn(bystander.watch());
    for (int count = 0; count < 500; ++count) {
      co_await send(pair.server(), "x");
      bystander.count_step();
    }
    others.stop();
    co_await others.join();
  });

  CHECK(bystander.most <= kStepsOfSlice);
}

TEST_CASE("a server agrees to cheap key exchanges only") {
  for (auto [version, groups, why] : {std::tuple{TLS1_3_VERSION, "X25519", ""},
                                      {TLS1_3_VERSION, "P-256", ""},
                                      {TLS1_3_VERSION, "P-384", ""},
                                      {TLS1_3_VERSION, "ffdhe8192:X25519", ""},
                                      {TLS1_3_VERSION, "ffdhe2048", "no suitable key share"},
                                      {TLS1_3_VERSION, "ffdhe8192", "no suitable key share"},
                                      {TLS1_3_VERSION, "P-521", "no suitable key share"},
                                      {TLS1_2_VERSION, "P-256", ""},
                                      {TLS1_2_VERSION, "P-521", "no shared cipher"}}) {
    NetFixture fixture;
    TlsPair pair(fixture, version);
    REQUIRE(SSL_CTX_set1_groups_list(pair.client_context->native_handle(), groups) == 1);
    std::string of_client;
    std::string of_server;

    fixture.loop.run_real([&]() -> asio::awaitable<void> { co_await pair.fail_to_open(of_client, of_server); });

    CHECK(of_server == why);
    CHECK(of_client.empty() == of_server.empty());
  }
}

TEST_CASE("neither side agrees to CBC or to a key exchange without forward secrecy") {
  for (bool by_client : {true, false}) {
    for (const auto* ciphers : {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "DHE-RSA-AES128-GCM-SHA256",
                                "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-CCM"}) {
      NetFixture fixture;
      TlsPair pair(fixture, TLS1_2_VERSION);
      auto& other = by_client ? *pair.client_context : *pair.server_context;
      REQUIRE(::SSL_CTX_set_cipher_list(other.native_handle(), ciphers) == 1);
      std::string of_client;
      std::string of_server;

      fixture.loop.run_real([&]() -> asio::awaitable<void> { co_await pair.fail_to_open(of_client, of_server); });

      CHECK(of_server == "no shared cipher");
      CHECK_FALSE(of_client.empty());
    }
  }
}

TEST_CASE("a ClientHello that announces more than 16 KiB ends the connection before it has arrived") {
  NetFixture fixture;
  TlsPair pair(fixture);
  std::string failure;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto sockets = co_await connect(fixture);
    TlsStream server(fixture.loop.clock(), std::move(sockets.server), *pair.server_context);
    async::TaskGroup group(fixture.loop.executor());
    group.spawn(note_failure(server, TlsStream::Side::kServer, failure));
    // A record of 16 KiB, and in it a message of 131,000 bytes.
    const std::string begin("\x16\x03\x01\x40\x00\x01\x01\xff\xb8", 9);
    ::send(sockets.client.native_handle(), begin.data(), begin.size(), 0);
    co_await fixture.settle();
    group.stop();
    co_await group.join();
  });

  CHECK(failure == "the handshake is too large");
}

TEST_CASE("a server asks a client with an unusable key share for another one") {
  NetFixture fixture;
  TlsPair pair(fixture);
  // The server supports neither of the shares and requests another; the second hello is as small as the first.
  REQUIRE(SSL_CTX_set1_groups_list(pair.client_context->native_handle(), "P-521:P-384") == 1);
  std::string of_client;
  std::string of_server;

  fixture.loop.run_real([&]() -> asio::awaitable<void> { co_await pair.fail_to_open(of_client, of_server); });

  CHECK(of_client.empty());
  CHECK(of_server.empty());
}
