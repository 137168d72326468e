#include "src/program/endpoint_guard.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/program/metrics_endpoint.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/access/fake_api.hpp"

namespace keelson::program {
namespace {

namespace asio = boost::asio;

asio::awaitable<net::ServerReply> show_path(net::Request request) {
  net::ServerReply reply;
  reply.response = {200, {}, request.target};
  co_return reply;
}

struct GuardedEndpoints {
  GuardedEndpoints() {
    api.owners = {{"jane", "jane"}, {"bob", "bob"}};
    api.allowed = {"jane get /statusz", "jane get /flagz", "bob get /flagz"};
  }

  int visit(const std::string& path, net::Headers headers, const std::string& peer = "10.0.0.7") {
    return visit(endpoints, path, std::move(headers), peer);
  }

  int visit(const std::vector<lifecycle::HttpEndpoint>& visited, const std::string& path, net::Headers headers,
            const std::string& peer) {
    for (const auto& endpoint : visited) {
      if (endpoint.path != path) continue;
      net::Request request;
      request.target = path;
      request.headers = std::move(headers);
      request.peer = peer;
      const auto reply = testing::result_of(loop, endpoint.handler(std::move(request)));
      if (reply.response.status == 200) CHECK(reply.response.body == path);
      return reply.response.status;
    }
    return 0;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  testing::FakeApi api{loop.clock()};
  std::vector<lifecycle::HttpEndpoint> endpoints =
      guarded({{"/statusz", show_path}, {"/flagz", show_path}}, {loop.clock(), random, Logger(sink), api, "keelson"});
};

TEST_CASE("a client in the network of the pods needs a token and the permission for the path") {
  GuardedEndpoints fixture;

  CHECK(fixture.visit("/statusz", {}) == 401);
  CHECK(fixture.visit("/statusz", {{"Authorization", "Bearer unknown"}}) == 401);
  CHECK(fixture.visit("/statusz", {{"Authorization", "Bearer bob"}}) == 403);
  CHECK(fixture.visit("/flagz", {{"Authorization", "Bearer bob"}}) == 200);
  CHECK(fixture.visit("/statusz", {{"Authorization", "Bearer jane"}}) == 200);
}

TEST_CASE("the endpoints share the cache of tokens") {
  GuardedEndpoints fixture;

  CHECK(fixture.visit("/statusz", {{"Authorization", "Bearer jane"}}) == 200);
  CHECK(fixture.visit("/flagz", {{"Authorization", "Bearer jane"}}) == 200);

  CHECK(fixture.api.asked == std::vector<std::string>{"TokenReview", "SubjectAccessReview", "SubjectAccessReview"});
}

TEST_CASE("a client on loopback needs no token") {
  GuardedEndpoints fixture;

  for (const auto* host : {"localhost:8081", "LOCALHOST", "127.0.0.1:8081", "127.8.9.1", "[::1]:8081", ""}) {
    INFO(host);
    CHECK(fixture.visit("/statusz", {{"Host", host}}, "127.0.0.1") == 200);
  }
  CHECK(fixture.api.asked.empty());
}

TEST_CASE("only the addresses that clients on the same machine have are local") {
  GuardedEndpoints fixture;

  for (const auto* peer : {"127.0.0.1", "::1", "::ffff:127.0.0.1"}) {
    INFO(peer);
    CHECK(fixture.visit("/statusz", {{"Host", "localhost:8081"}}, peer) == 200);
  }
  // Istio's sidecar forwards requests of the network from 127.0.0.6.
  for (const auto* peer : {"127.0.0.6", "127.0.0.11", "::ffff:127.0.0.6", "0.0.0.0", ""}) {
    INFO(peer);
    CHECK(fixture.visit("/statusz", {{"Host", "localhost:8081"}}, peer) == 401);
  }
}

TEST_CASE("open pages reject only a web page that reaches loopback under a name of its own") {
  GuardedEndpoints fixture;
  const auto open = unguarded({{"/statusz", show_path}});
  const auto visit = [&](const char* host, const char* peer) {
    return fixture.visit(open, "/statusz", {{"Host", host}}, peer);
  };

  CHECK(visit("localhost:8081", "127.0.0.1") == 200);
  CHECK(visit("", "::1") == 200);
  CHECK(visit("10.0.0.7:8081", "10.0.0.9") == 200);
  CHECK(visit("10.0.0.7:8081", "127.0.0.6") == 200);
  CHECK(visit("evil.example:8081", "127.0.0.1") == 403);
  CHECK(visit("evil.example:8081", "::1") == 403);
  CHECK(fixture.api.asked.empty());
}

TEST_CASE("a web page that reaches loopback under a name of its own needs a token") {
  GuardedEndpoints fixture;

  for (const auto* host : {"evil.example", "localhost.evil.example:8081", "10.0.0.7:8081", "[2001:db8::1]"}) {
    INFO(host);
    CHECK(fixture.visit("/statusz", {{"Host", host}}, "::1") != 200);
  }
}

TEST_CASE("the header Host does not make a client local") {
  GuardedEndpoints fixture;

  CHECK(fixture.visit("/statusz", {{"Host", "localhost:8081"}}) == 401);
}

asio::awaitable<net::ServerReply> show_user(net::Request request) {
  net::ServerReply reply;
  reply.response = {200, {}, std::string(access::user_of(request.headers))};
  co_return reply;
}

TEST_CASE("the handler gets the authenticated user, whatever the client claims") {
  GuardedEndpoints fixture;
  const auto endpoints =
      guarded({{"/flagz", show_user}}, {fixture.loop.clock(), fixture.random, Logger(fixture.sink), fixture.api, "k"});
  const auto user_for = [&](std::string peer, net::Headers headers) {
    headers.emplace_back("x-remote-user", "admin");
    std::string user;
    fixture.loop.run([&]() -> asio::awaitable<void> {
      net::Request request;
      request.target = "/flagz";
      request.headers = headers;
      request.peer = peer;
      auto reply = co_await endpoints.front().handler(std::move(request));
      CHECK(reply.response.status == 200);
      user = reply.response.body;
    });
    return user;
  };

  CHECK(user_for("10.0.0.7", {{"Authorization", "Bearer jane"}}) == "jane");
  CHECK(user_for("127.0.0.1", {{"Host", "localhost"}}) == "loopback");
}

TEST_CASE("a page that everyone may read has no user, whatever the client claims") {
  GuardedEndpoints fixture;
  for (const auto& endpoints : {unguarded({{"/flagz", show_user}}), without_claimed_user({{"/flagz", show_user}})}) {
    for (const auto* peer : {"10.0.0.7", "127.0.0.1"}) {
      fixture.loop.run([&]() -> asio::awaitable<void> {
        net::Request request;
        request.target = "/flagz";
        request.headers = {{"Host", "localhost"}, {"X-Remote-User", "admin"}, {"x-remote-user", "root"}};
        request.peer = peer;
        auto reply = co_await endpoints.front().handler(std::move(request));
        CHECK(reply.response.status == 200);
        CHECK(reply.response.body.empty());
      });
    }
  }
}

TEST_CASE("an operator's own page next to metrics that everyone may read has no user, whatever the client claims") {
  GuardedEndpoints fixture;
  metrics::Registry registry;
  net::ServerBudget budget;
  MetricsEndpoint endpoint{
      fixture.loop.executor(), fixture.loop.clock(), fixture.random, Logger(fixture.sink), registry, budget};
  Options options;
  options.metrics_bind_address = "127.0.0.1:0";
  REQUIRE(endpoint.build(options, fixture.api, {{"/backups", show_user}}));
  auto& service = *endpoint.service();
  net::ClientOptions to_service;
  to_service.origin = {.tls = false, .host = "127.0.0.1", .port = std::to_string(service.port())};
  auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(to_service)).value();

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    net::Request request;
    request.method = "GET";
    request.target = "/backups";
    request.headers = {{"X-Remote-User", "admin"}};
    auto reply = co_await client->send(request, {});
    REQUIRE(reply.has_value());
    CHECK(reply->status == 200);
    CHECK(reply->body.empty());
    co_await service.stop();
  });
}

}  // namespace
}  // namespace keelson::program
