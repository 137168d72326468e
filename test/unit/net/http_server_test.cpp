#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "keelson/detail/net/limits.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

// What the server answers to raw bytes, to the end of the connection.
std::string answer_to(NetFixture& fixture, std::string sent, net::HttpServerOptions options = {},
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

TEST_CASE("the reply to HEAD ends with its header, which has the length of the body of a GET") {
  NetFixture fixture;

  auto answer = answer_to(fixture, "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", {});

  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer.find("Content-Length: 8\r\n") != std::string::npos);
  CHECK(answer.ends_with("\r\n\r\n"));
}

TEST_CASE("a handler receives the address of the client in each request") {
  NetFixture fixture;
  auto handler = [](net::Request request) -> asio::awaitable<net::ServerReply> { co_return reply(200, request.peer); };
  const std::string again = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  auto answer = answer_to(fixture, again + "GET / HTTP/1.0\r\nHost: a\r\n\r\n", {}, handler);

  const auto first = answer.find("127.0.0.1");
  REQUIRE(first != std::string::npos);
  CHECK(body_of(answer.substr(first)) == "127.0.0.1");
}

TEST_CASE("a reply has a date and a length, and no header with a line break") {
  NetFixture fixture;
  fixture.loop.clock().set_wall(std::chrono::sys_days(std::chrono::year(2026) / 11 / 1) + 8h + 49min + 37s);
  auto handler = [](net::Request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(404, "no");
    made.response.headers = {{"X", "a\r\nY: b"}, {"Content-Length", "100"}, {"Z", "z"}};
    co_return made;
  };

  auto answer = answer_to(fixture, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", {}, handler);

  CHECK(answer ==
        "HTTP/1.1 404 Not Found\r\nZ: z\r\nDate: Sun, 01 Nov 2026 08:49:37 GMT\r\nContent-Length: 2\r\n"
        "Connection: close\r\n\r\nno");
}

TEST_CASE("requests that cannot be served are rejected and the connection is closed") {
  struct Row {
    std::string sent;
    std::string status;
  };
  const std::string filler = std::string(limits::kHeaderBytes, 'x');
  const std::vector<Row> rows = {
      {"nonsense\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/2.0\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "400 Bad Request"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'),
       "413 Request Entity Too Large"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", "413 Request Entity Too Large"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + filler + "\r\n\r\n", "431 Request Header Fields Too Large"},
      {"GET /" + filler + " HTTP/1.1\r\nHost: a\r\n\r\n", "431 Request Header Fields Too Large"},
  };

  for (const auto& row : rows) {
    INFO(row.sent.substr(0, 60));
    NetFixture fixture;
    auto answer = answer_to(fixture, row.sent, {.body_limit = 1000});
    CHECK(answer.starts_with("HTTP/1.1 " + row.status + "\r\n"));
    CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  }
}

TEST_CASE("two pipelined requests get two replies in order") {
  NetFixture fixture;

  auto answer =
      answer_to(fixture, "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

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

TEST_CASE("a finite stream continues if the client sends its next request meanwhile") {
  NetFixture fixture;
  auto handler = [&fixture](net::Request request) -> asio::awaitable<net::ServerReply> {
    auto made = reply(200, request.target);
    if (request.target == "/last") co_return made;
    auto left = std::make_shared<int>(3);
    made.streaming = net::StreamingBody{[left, &fixture]() -> asio::awaitable<std::optional<std::string>> {
                                          if ((*left)-- == 0) co_return std::nullopt;
                                          co_await async::sleep_for(fixture.loop.real_clock(), 5ms);
                                          co_return "piece";
                                        },
                                        true};
    co_return made;
  };

  auto server = fixture.server(handler);
  std::string answer;
  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write("GET /list HTTP/1.1\r\nHost: a\r\n\r\n");
    answer = co_await raw->read_some();
    co_await raw->write("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    answer += co_await raw->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(answer.find("5\r\npiece\r\n5\r\npiece\r\n5\r\npiece\r\n0\r\n\r\n") != std::string::npos);
  CHECK(answer.ends_with("/last"));
}

TEST_CASE("a client that expects 100-continue gets it") {
  NetFixture fixture;
  auto server = fixture.server(echo);
  std::string first;
  std::string second;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write(
        "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n");
    first = co_await raw->read_some();
    co_await raw->write("{}");
    second = co_await raw->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(first == "HTTP/1.1 100 Continue\r\n\r\n");
  CHECK(body_of(second) == "PUT / {}");
}

TEST_CASE("a server replies to a body over the limit as its options say") {
  NetFixture fixture;
  net::HttpServerOptions options;
  options.body_limit = 10;
  options.too_large = [] { return reply(200, "too much").response; };
  auto server = fixture.server(echo, std::move(options));
  std::string got;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto client = co_await connect_raw(server->port());
    co_await client->write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n12345678901");
    got = co_await client->read_to_end();
    co_await server->stop(0s);
  });

  CHECK(got.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(body_of(got) == "too much");
}

TEST_CASE("a server that ignores bodies answers without reading one and ends the connection") {
  struct Row {
    std::string sent;
    bool may_go_on;
  };
  const std::vector<Row> rows = {
      {"GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", true},
      {"GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", false},
      {"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc", false},
      {"POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", false},
      {"POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", false},
  };
  const std::string next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  for (const auto& row : rows) {
    INFO(row.sent);
    NetFixture fixture;
    net::ServerBudget budget;
    auto server = fixture.server(echo, {.budget = &budget, .bodies = net::Bodies::kIgnore});
    std::string answer;
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      server->start();
      auto raw = co_await connect_raw(server->port());
      co_await raw->write(row.may_go_on ? row.sent + next : row.sent);
      answer = co_await raw->read_to_end();
      co_await server->stop(0s);
    });
    CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(answer.find("/a ") != std::string::npos);
    CHECK(answer.ends_with(row.may_go_on ? "GET /next " : "/a "));
    CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  }
}

TEST_CASE("an address that is in use or unknown is an error that names it") {
  NetFixture fixture;
  auto server = fixture.server(echo);
  auto port = std::to_string(server->port());
  auto make = [&](net::HttpServerOptions options) {
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
