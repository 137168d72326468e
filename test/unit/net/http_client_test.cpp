#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

asio::awaitable<void> answer_all(RawConnection& peer) {
  for (;;) {
    auto request = co_await peer.read_request();
    if (request.empty()) co_return;
    co_await peer.write(kOk);
  }
}

asio::awaitable<void> say_nothing(RawConnection& peer) { co_await peer.read_to_end(); }

}  // namespace

TEST_CASE("a request is sent as one message and its response is received completely") {
  NetFixture fixture;
  std::string seen;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    seen = co_await connection.read_request();
    co_await connection.write(
        "HTTP/1.1 201 Created\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  });
  auto client = fixture.plain_client(peer.port());
  net::Response response;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto request = post("{}", "/api?x=1");
    request.headers = {{"Accept", "application/json"}, {"Connection", "close"}, {"content-length", "7"}};
    auto answer = co_await client->send(std::move(request), {});
    response = answer.value();
    co_await peer.stop();
  });

  CHECK(seen == "POST /api?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(peer.port()) +
                    "\r\nAccept: application/json\r\nContent-Length: 2\r\n\r\n{}");
  CHECK(response.status == 201);
  CHECK(response.body == "abc");
  CHECK(net::header(response.headers, "x-a") == "b");
}

TEST_CASE("a thousand requests use one connection") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  auto client = fixture.plain_client(peer.port());
  int good = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (int i = 0; i < 1000; ++i) {
      auto answer = co_await client->send(get(), {});
      if (answer && answer->body == "ok") ++good;
    }
    co_await peer.stop();
  });

  CHECK(good == 1000);
  CHECK(peer.accepted() == 1);
}

TEST_CASE("idle connections are closed after their timeout and by close_idle") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  auto client = fixture.plain_client(peer.port());
  std::vector<int> accepted;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (auto pause : {0ms, 4900ms, 5100ms}) {
      fixture.loop.clock().advance(pause);
      auto answer = co_await client->send(get(), {});
      CHECK(answer.has_value());
      accepted.push_back(peer.accepted());
    }
    client->close_idle();
    auto answer = co_await client->send(get(), {});
    CHECK(answer.has_value());
    accepted.push_back(peer.accepted());
    co_await peer.stop();
  });

  CHECK(accepted == std::vector<int>{1, 1, 2, 3});
}

TEST_CASE("a connection in use during close_idle is not reused") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {});
    client->close_idle();
    auto body = co_await read_all(**stream);
    CHECK(body == "ok");
    auto answer = co_await client->send(get(), {});
    CHECK(answer.has_value());
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 2);
}

TEST_CASE("a stream returns its connection to the pool only if it is read to its end") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  auto client = fixture.plain_client(peer.port());
  std::vector<int> accepted;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (std::size_t buffer_bytes : {1U, 2U, 100U}) {
      auto stream = co_await client->open(get(), {});
      auto body = co_await read_all(**stream, buffer_bytes);
      CHECK(body == "ok");
      accepted.push_back(peer.accepted());
    }
    {
      auto stream = co_await client->open(get(), {});
      CHECK((*stream)->status() == 200);
    }
    auto answer = co_await client->send(get(), {});
    accepted.push_back(peer.accepted());
    co_await peer.stop();
  });

  CHECK(accepted == std::vector<int>{1, 1, 1, 2});
}

TEST_CASE("a GET whose reused connection ends without a response is repeated once, a POST is not") {
  NetFixture fixture;
  int served = 0;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    ++served;
    co_await connection.write(kOk);
    co_await connection.read_request();
    ++served;
  });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto first = co_await client->send(get(), {});
    auto second = co_await client->send(get(), {});
    CHECK(second.has_value());
    auto third = co_await client->send(post("x"), {});
    CHECK_FALSE(third.has_value());
    CHECK(third.error().kind == Error::Kind::kTransport);
    CHECK(third.error().text == "Post \"http://127.0.0.1:" + std::to_string(peer.port()) + "/\": EOF");
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 2);
  CHECK(served == 4);
}

TEST_CASE("a GET on a new connection that ends is not repeated") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(),
               [](RawConnection& connection) -> asio::awaitable<void> { co_await connection.read_request(); });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    CHECK_FALSE(answer.has_value());
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 1);
}

TEST_CASE("a POST uses another connection if the idle one was already closed") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), [](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    co_await connection.write(kOk);
  });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto first = co_await client->send(post("a"), {});
    co_await fixture.settle();
    auto second = co_await client->send(post("b"), {});
    CHECK(first.has_value());
    CHECK(second.has_value());
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 2);
}

TEST_CASE("a fenced request is not sent") {
  NetFixture fixture;
  std::string seen;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    seen += co_await connection.read_request();
    co_await connection.write(kOk);
  });
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto write = co_await client->send(post("x"), {.may_send = [] { return false; }});
    CHECK(write.error().kind == Error::Kind::kFenced);
    auto read = co_await client->send(get(), {});
    CHECK(read.has_value());
    co_await peer.stop();
  });

  CHECK(seen.starts_with("GET "));
}

TEST_CASE("a fence that closes while a large body is written stops the rest of the body") {
  NetFixture fixture;
  std::string seen;
  RawPeer peer(fixture.loop.executor(),
               [&](RawConnection& connection) -> asio::awaitable<void> { seen += co_await connection.read_to_end(); });
  auto client = fixture.plain_client(peer.port());
  int asked = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto may_send = [&asked] { return ++asked < 3; };
    auto write = co_await client->send(post(std::string(100'000, 'x')), {.may_send = may_send});
    CHECK(write.error().kind == Error::Kind::kFenced);
    co_await fixture.settle();
    co_await peer.stop();
  });

  CHECK(asked == 3);
  CHECK(std::ranges::count(seen, 'x') == 16 * 1024);
}

TEST_CASE("a response that does not arrive in time is an error that names the request") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), say_nothing);
  auto client = fixture.plain_client(peer.port());
  async::TaskGroup group(fixture.loop.executor());
  std::vector<Error> errors;
  auto send = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get("/a"), {.timeout = 5s});
    errors.push_back(answer.error());
  };
  auto open = [&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get("/b"), {.timeout = 5s});
    errors.push_back(stream.error());
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    group.spawn(send());
    group.spawn(open());
    co_await fixture.settle();
    fixture.loop.clock().advance(5s);
    co_await group.join();
    co_await peer.stop();
  });

  auto origin = "http://127.0.0.1:" + std::to_string(peer.port());
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].kind == Error::Kind::kTimeout);
  CHECK(errors[0].text == "Get \"" + origin + "/a\": no answer within 5s");
  CHECK(errors[1].text == "Get \"" + origin + "/b\": no answer within 5s");
}

TEST_CASE("a stream has no timeout after its header has arrived") {
  NetFixture fixture;
  async::Notify more;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    co_await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
    co_await more.wait();
    co_await connection.write("1\r\nb\r\n0\r\n\r\n");
    co_await connection.read_to_end();
  });
  auto client = fixture.plain_client(peer.port());
  std::string body;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {.timeout = 5s});
    co_await fixture.settle();  // the peer waits for `more`
    fixture.loop.clock().advance(1h);
    more.notify_all();
    body = co_await read_all(**stream);
    co_await peer.stop();
  });

  CHECK(body == "ab");
}

TEST_CASE("a refused connection names the address") {
  NetFixture fixture;
  std::uint16_t port = 0;
  {
    RawPeer peer(fixture.loop.executor(), say_nothing);
    port = peer.port();
    fixture.loop.run_real(peer.stop());
  }
  auto client = fixture.plain_client(port);

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    auto address = "127.0.0.1:" + std::to_string(port);
    CHECK(answer.error().kind == Error::Kind::kTransport);
    CHECK(answer.error().text ==
          "Get \"http://" + address + "/\": dial tcp " + address + ": connect: connection refused");
  });
}

TEST_CASE("the client resolves a name and tries each of its addresses") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  net::ClientOptions options;
  options.origin.tls = false;
  options.origin.host = "localhost";
  auto client = fixture.client(peer.port(), std::move(options));

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    CHECK(answer.has_value());
    co_await peer.stop();
  });
}

TEST_CASE("requests with a line break in a header are rejected before they are sent") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), answer_all);
  auto client = fixture.plain_client(peer.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto bad_value = get();
    bad_value.headers = {{"X", "a\r\nY: b"}};
    auto bad_name = get();
    bad_name.headers = {{"X Y", "a"}};
    auto bad_method = get();
    bad_method.method = "GET /";
    std::vector<net::Request> requests{bad_value, bad_name, bad_method, get("/a b"), get("a"), get("")};
    for (auto& request : requests) {
      auto answer = co_await client->send(request, {});
      CHECK(answer.error().kind == Error::Kind::kInvalid);
    }
    co_await peer.stop();
  });

  CHECK(peer.accepted() == 0);
}
