#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "keelson/base/limits.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::test;
using namespace std::chrono_literals;

namespace {

// What the server answers to raw bytes, to the end of the connection.
std::string answer_to(NetFixture& fixture, std::string sent, net::ServerOptions options = {},
                      net::Handler handler = echo) {
  auto server = fixture.server(std::move(handler), std::move(options));
  std::string answer;
  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write(sent);
    answer = co_await raw->read_to_end();
    co_await server->stop(0s);
  });
  return answer;
}

std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

}  // namespace

TEST_CASE("requests and replies pass through client and server unchanged") {
  NetFixture fixture;
  auto server = fixture.server(echo);
  auto client = fixture.plain_client(server->port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await client->send(post("{}", "/a?b"), {});
    CHECK(first.value().body == "POST /a?b {}");
    std::string large(1 << 20, 'x');
    auto second = co_await client->send(post(large), {});
    CHECK(second.value().body == "POST / " + large);
    auto head = get();
    head.method = "HEAD";
    auto third = co_await client->send(head, {});
    CHECK(third.value().body.empty());
    CHECK(net::header(third.value().headers, "Content-Length") == "7");
    auto last = co_await client->send(get(), {});
    CHECK(last.value().body == "GET / ");
    co_await server->stop(1s);
  });
}

TEST_CASE("a reply has a date, a length and no header that breaks a line") {
  NetFixture fixture;
  fixture.loop.clock().set_wall(std::chrono::sys_days(std::chrono::year(2026) / 11 / 1) + 8h + 49min + 37s);
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(404, "no");
    made.response.headers = {{"X", "a\r\nY: b"}, {"Content-Length", "100"}, {"Z", "z"}};
    co_return made;
  };

  auto answer = answer_to(fixture, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", {}, handler);

  CHECK(answer ==
        "HTTP/1.1 404 Not Found\r\nZ: z\r\nDate: Sun, 01 Nov 2026 08:49:37 GMT\r\nContent-Length: 2\r\n"
        "Connection: close\r\n\r\nno");
}

TEST_CASE("requests that cannot be served are refused and the connection closed") {
  struct Row {
    std::string sent;
    std::string status;
  };
  const std::string filler = std::string(limits::kHeaderBytes, 'x');
  const std::vector<Row> rows = {
      {"nonsense\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/2.0\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'), "413 Request Entity Too Large"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", "413 Request Entity Too Large"},
      {"GET / HTTP/1.1\r\nX: " + filler + "\r\n\r\n", "431 Request Header Fields Too Large"},
      {"GET /" + filler + " HTTP/1.1\r\n\r\n", "431 Request Header Fields Too Large"},
  };

  for (const auto& row : rows) {
    INFO(row.sent.substr(0, 60));
    NetFixture fixture;
    auto answer = answer_to(fixture, row.sent, {.body_limit = 1000});
    CHECK(answer.starts_with("HTTP/1.1 " + row.status + "\r\n"));
    CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  }
}

TEST_CASE("two requests in one breath get two replies in order") {
  NetFixture fixture;

  auto answer = answer_to(fixture, "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nConnection: close\r\n\r\n");

  CHECK(answer.find("GET /a ") < answer.find("GET /b "));
  CHECK(answer.ends_with("GET /b "));
}

TEST_CASE("an HTTP/1.0 client gets its reply and the end of the connection") {
  NetFixture fixture;
  async::Notify never;

  CHECK(body_of(answer_to(fixture, "GET / HTTP/1.0\r\n\r\n")) == "GET / ");

  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(200, "");
    auto left = std::make_shared<int>(2);
    made.streaming = net::StreamingBody{[left]() -> asio::awaitable<std::optional<std::string>> {
      if ((*left)-- == 0) co_return std::nullopt;
      co_return "piece";
    }};
    co_return made;
  };
  auto streamed = answer_to(fixture, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", {}, handler);
  CHECK(body_of(streamed) == "piecepiece");
  CHECK(streamed.find("chunked") == std::string::npos);
}

TEST_CASE("a client that asks may continue with its body") {
  NetFixture fixture;
  auto server = fixture.server(echo);
  std::string first;
  std::string second;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n");
    first = co_await raw->read_some();
    co_await raw->write("{}");
    second = co_await raw->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(first == "HTTP/1.1 100 Continue\r\n\r\n");
  CHECK(body_of(second) == "PUT / {}");
}

TEST_CASE("a client that is too slow is cut off") {
  struct Row {
    std::string sent;
    async::Duration limit;
  };
  const std::vector<Row> rows = {
      {"", 32s},
      {"GET / HT", 32s},
      {"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc", 60s},
      {"GET / HTTP/1.1\r\n\r\n", 90s},
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

TEST_CASE("a client that does not read its reply is cut off") {
  NetFixture fixture;
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    co_return reply(200, std::string(std::size_t{64} << 20, 'x'));
  };
  auto server = fixture.server(handler);
  std::size_t received = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write("GET / HTTP/1.1\r\n\r\n");
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

TEST_CASE("beyond the connection limit whoever is silent longest makes room") {
  NetFixture fixture;
  auto server = fixture.server(echo, {.max_connections = 2});
  std::string first_got;
  std::string second_got;
  std::string third_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto proven = co_await connect_raw(server->port());
    co_await proven->write("GET /proven HTTP/1.1\r\n\r\n");
    first_got = co_await proven->read_some();
    auto silent = co_await connect_raw(server->port());
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nConnection: close\r\n\r\n");
    third_got = co_await late->read_to_end();
    second_got = co_await silent->read_to_end();
    co_await proven->write("GET /again HTTP/1.1\r\nConnection: close\r\n\r\n");
    first_got = co_await proven->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(third_got) == "GET /late ");
  CHECK(second_got.empty());
  CHECK(body_of(first_got) == "GET /again ");
}

TEST_CASE("beyond the connection limit nobody is given up whose request is being answered") {
  NetFixture fixture;
  async::Notify finish;
  auto handler = [&](net::Request request) -> asio::awaitable<net::ServerReply> {
    if (request.target == "/slow") co_await finish.wait();
    co_return reply(200, request.target);
  };
  auto server = fixture.server(handler, {.max_connections = 1});
  std::string slow_got;
  std::string late_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto slow = co_await connect_raw(server->port());
    co_await slow->write("GET /slow HTTP/1.1\r\n\r\n");
    co_await fixture.settle();
    auto late = co_await connect_raw(server->port());
    co_await late->write("GET /late HTTP/1.1\r\nConnection: close\r\n\r\n");
    co_await fixture.settle();
    CHECK(finish.notify_one());
    slow_got = co_await slow->read_some();
    late_got = co_await late->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(slow_got) == "/slow");
  CHECK(body_of(late_got) == "/late");
}

TEST_CASE("bodies that are sent and never finished cannot take more memory than there is for them") {
  NetFixture fixture;
  auto server = fixture.server(echo, {.all_bodies_limit = 100'000});
  const std::string half = "POST /half HTTP/1.1\r\nContent-Length: 120000\r\n\r\n" + std::string(60'000, 'x');
  std::string good_got;
  std::string first_got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = co_await connect_raw(server->port());
    co_await first->write(half);
    co_await fixture.settle();
    fixture.loop.clock().advance(1s);
    auto good = co_await connect_raw(server->port());
    co_await good->write("POST /good HTTP/1.1\r\nContent-Length: 60000\r\nConnection: close\r\n\r\n" +
                         std::string(60'000, 'y'));
    good_got = co_await good->read_to_end();
    first_got = co_await first->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(body_of(good_got).size() == 60'000 + std::string("POST /good ").size());
  CHECK(first_got.empty());
}

TEST_CASE("a server says in its own words that a body is too large") {
  NetFixture fixture;
  net::ServerOptions options;
  options.body_limit = 10;
  options.too_large = [] { return reply(200, "too much").response; };
  auto server = fixture.server(echo, std::move(options));
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto client = co_await connect_raw(server->port());
    co_await client->write("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n12345678901");
    got = co_await client->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(got.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(body_of(got) == "too much");
}

TEST_CASE("stop ends idle connections at once and lets a request finish within the grace period") {
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

TEST_CASE("stop cancels what is still busy after the grace period") {
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

TEST_CASE("a stream is cancelled when its client goes away") {
  NetFixture fixture;
  async::Notify never;
  int cancelled = 0;
  auto handler = [&](net::Request) -> asio::awaitable<net::ServerReply> { co_return endless(never, cancelled); };
  Authority authority;
  for (bool tls : {false, true}) {
    net::ServerOptions options;
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

TEST_CASE("a handler that throws costs its request, not the server") {
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

TEST_CASE("an address that is taken or unknown is an error that names it") {
  NetFixture fixture;
  auto server = fixture.server(echo);
  auto port = std::to_string(server->port());
  auto make = [&](net::ServerOptions options) {
    auto made =
        net::make_http_server(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), echo, options);
    return made.error().text;
  };

  CHECK(make({.host = "127.0.0.1", .port = server->port()}) ==
        "error listening on 127.0.0.1:" + port + ": listen tcp 127.0.0.1:" + port + ": bind: address already in use");
  CHECK(make({.host = "no.such.host.invalid"}).ends_with("no such host"));
  fixture.loop.run_real(server->stop(0s));
}

TEST_CASE("a server on all addresses answers on IPv4") {
  NetFixture fixture;
  auto server =
      net::make_http_server(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), echo, {}).value();
  auto client = fixture.plain_client(server->port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto answer = co_await client->send(get(), {});
    CHECK(answer.value().status == 200);
    co_await server->stop(0s);
  });
}
