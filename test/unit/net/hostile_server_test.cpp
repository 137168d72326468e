#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/net/limits.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::string sent;  // by the peer, which then closes
  Error::Kind kind;
  std::string reason;  // the end of the error's text
};

const std::vector<Row>& endings() {
  using Kind = Error::Kind;
  static const std::vector<Row> rows = {
      {"", Kind::kTransport, "\": EOF"},
      {"HTTP/1.1 20", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nContent-Le", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nabc", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 100 Continue\r\n\r\n", Kind::kTransport, "EOF"},
      {"SSH-2.0-OpenSSH_9.2\r\n", Kind::kMalformed, "bad version"},
      {std::string("\x15\x03\x01\x00\x02\x02\x16", 7), Kind::kTransport, "unexpected EOF"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", Kind::kMalformed, "bad chunk"},
      {"HTTP/1.1 101 Switching Protocols\r\n\r\n", Kind::kMalformed, "without a request for it"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", Kind::kMalformed, "body limit exceeded"},
      {"HTTP/1.1 200 OK\r\nX: " + std::string(limits::kHeaderBytes, 'x') + "\r\n\r\n", Kind::kMalformed,
       "header limit exceeded"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(2 * limits::kHeaderBytes, 'x') + "\r\n",
       Kind::kMalformed, ""},
  };
  return rows;
}

// Runs one send and one open with its whole body against a peer that sends `row` and closes.
void check_ending(NetFixture& fixture, const Row& row, const Authority* authority, RawClosing closing) {
  INFO(row.sent.substr(0, 100));
  auto script = [&](RawConnection& peer) -> asio::awaitable<void> {
    co_await peer.read_request();
    co_await peer.write(row.sent);
  };
  std::optional<KeyPair> tls;
  if (authority != nullptr) tls = authority->issue_for_loopback();
  RawPeer peer(fixture.loop.executor(), script, tls, closing);
  auto client = authority != nullptr ? fixture.tls_client(peer.port(), *authority) : fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.body_limit = 1000});
    CHECK_FALSE(answer.has_value());
    if (answer.has_value()) co_return;
    CHECK(answer.error().text.starts_with("Get \""));
    if (closing == RawClosing::kReset) {
      // The reset may overtake what was sent before it.
      CHECK((answer.error().kind == row.kind || answer.error().kind == Error::Kind::kTransport));
    } else {
      CHECK(answer.error().kind == row.kind);
      CHECK(answer.error().text.ends_with(row.reason));
      CHECK(answer.error().code == (row.reason == "body limit exceeded" ? 413 : 0));
    }
    auto stream = co_await client->open(get(), {});
    if (stream) {
      auto body = co_await read_all(**stream);
      CHECK(body.find('!') != std::string::npos);
      auto again = co_await (*stream)->read_some(body);
      CHECK_FALSE(again.has_value());
    }
    co_await peer.stop();
  });
}

}  // namespace

TEST_CASE("a plain response that is incomplete or invalid is an error with a clear text") {
  NetFixture fixture;
  for (const auto& row : endings()) check_ending(fixture, row, nullptr, RawClosing::kOrderly);
}

TEST_CASE("a TLS response that ends without close_notify is the same error") {
  NetFixture fixture;
  Authority authority;
  for (const auto& row : endings()) check_ending(fixture, row, &authority, RawClosing::kOrderly);
}

TEST_CASE("a connection that is reset is a transport error") {
  NetFixture fixture;
  for (const auto& row : endings()) check_ending(fixture, row, nullptr, RawClosing::kReset);
}

TEST_CASE("a response that arrives byte by byte is received completely") {
  NetFixture fixture;
  const std::string text =
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    for (char c : text) {
      co_await connection.write(std::string(1, c));
      co_await sandbox::loop::yield();
    }
    co_await connection.read_to_end();
  });
  auto client = fixture.plain_client(peer.port());
  std::string body;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    body = answer.value().body;
    co_await peer.stop();
  });

  CHECK(body == "abcde");
}

TEST_CASE("a server that sends only interim responses is an error") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), [](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    for (int i = 0; i < 10; ++i) co_await connection.write("HTTP/1.1 100 Continue\r\n\r\n");
    co_await connection.read_to_end();
  });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    CHECK(answer.error().kind == Error::Kind::kMalformed);
    co_await peer.stop();
  });
}

TEST_CASE("a connection with unexpected bytes after a response is not reused") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), [](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    co_await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n");
    co_await connection.read_to_end();
  });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (int i = 0; i < 2; ++i) {
      auto answer = co_await client->send(get(), {});
      CHECK(answer.value().body == "ok");
    }
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 2);
}

TEST_CASE("the bodies that several calls receive at the same time are limited together") {
  constexpr std::size_t kEach = std::size_t{32} << 20;
  NetFixture fixture;
  const std::string piece = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  std::size_t sent = 0;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    auto open = co_await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (open) {
      open = co_await connection.write(piece);
      sent += 65536;
    }
  });
  auto client = fixture.plain_client(peer.port());
  std::vector<Error> errors;
  auto call = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.body_limit = kEach});
    CHECK_FALSE(answer.has_value());
    if (!answer) errors.push_back(answer.error());
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await async::with_task_group([&](async::TaskGroup& group) -> asio::awaitable<void> {
      for (int i = 0; i < 4; ++i) group.spawn(call());
      co_await group.drain();
    });
    co_await peer.stop();
  });

  REQUIRE(errors.size() == 4);
  const auto of_all = std::ranges::count_if(errors, [](const Error& error) {
    return error.text.find("the responses that are being received take more than") != std::string::npos;
  });
  CHECK(of_all == 3);
  CHECK(errors.back().kind == Error::Kind::kMalformed);  // the last one has all of the memory, and its own limit
  CHECK(sent < 4 * kEach);
}

TEST_CASE("an endless body is unlimited as a stream and rejected as a whole response") {
  NetFixture fixture;
  const std::string piece = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    auto open = co_await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (open) open = co_await connection.write(piece);
  });
  auto client = fixture.plain_client(peer.port());
  std::size_t total = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {.body_limit = 1 << 20});
    CHECK(answer.error().kind == Error::Kind::kMalformed);
    auto stream = co_await client->open(get(), {});
    std::string buffer(limits::kReadBytes, '\0');
    while (total < (std::size_t{20} << 20)) {
      auto got = co_await (*stream)->read_some(buffer);
      total += got.value();
    }
    stream->reset();
    co_await peer.stop();
  });

  CHECK(total >= (std::size_t{20} << 20));
}
