#include "src/program/status_pages.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/support/text_parts.hpp"
#include "test/unit/access/fake_api.hpp"

namespace keelson::program {
namespace {

using namespace std::chrono_literals;
using testing::contains;

// A program without controllers.
struct PagesWithoutControllers {
  std::string get(const std::string& path, const std::string& accept = "text/plain") {
    std::string body;
    for (const auto& endpoint : endpoints) {
      if (endpoint.path != path) continue;
      net::Request request;
      request.target = path;
      request.headers = {{"Accept", accept}};
      auto reply = testing::result_of(loop, endpoint.handler(std::move(request)));
      CHECK(reply.response.status == 200);
      body = std::move(reply.response.body);
    }
    return body;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  zpages::ErrorLog errors{sink, loop.clock()};
  Logger log{errors};
  base::Random random{1};
  metrics::Registry registry;
  testing::FakeApi api{loop.clock()};
  controller::ControllerRuntime controllers{{.executor = loop.executor(),
                                             .clock = loop.clock(),
                                             .random = random,
                                             .log = log,
                                             .registry = registry,
                                             .client = api,
                                             .environment = [](const char*) -> const char* { return nullptr; }},
                                            {}};
  net::ServerBudget servers;
  Options options;
  Webhooks webhooks{loop.executor(), controllers.context(), servers, options, "default", {}};
  lifecycle::LoopLag loop_lag{loop.executor(), loop.clock(), registry};
  MetricsEndpoint metrics_endpoint{loop.executor(), loop.clock(), random, log, registry, servers};
  LastFailure api_failure;
  StatusPages pages{{.executor = loop.executor(),
                     .clock = loop.clock(),
                     .registry = registry,
                     .loop_lag = loop_lag,
                     .controllers = controllers,
                     .cache = controllers.cache(),
                     .elector = nullptr,
                     .webhooks = webhooks,
                     .metrics_endpoint = metrics_endpoint,
                     .servers = servers,
                     .errors = errors,
                     .api_failure = api_failure,
                     .api_server = "https://10.0.0.1",
                     .program = "greeter",
                     .flags = {{"dry-run", "false", "false", zpages::FlagSource::kDefault, false}}}};
  std::vector<lifecycle::HttpEndpoint> endpoints = pages.endpoints({"/readyz?verbose"});
};

TEST_CASE("a program without controllers, leader election and webhooks has a status page in each format") {
  PagesWithoutControllers fixture;
  fixture.loop.clock().advance(90s);

  const auto text = fixture.get("/statusz");
  CHECK(contains(text, "\ngreeter statusz\n"));
  CHECK(contains(text, "Up: 1 min 30 s\n"));
  CHECK(contains(text, "Paths: /statusz /flagz /readyz?verbose\n"));
  CHECK(contains(text, "API server: https://10.0.0.1\n"));
  CHECK(contains(fixture.get("/statusz", "text/html"), "<a href=\"/readyz?verbose\">"));
  CHECK(contains(fixture.get("/statusz", "application/json"), R"("uptimeSeconds":90,)"));
  CHECK(contains(fixture.get("/flagz"), "\ndry-run=false\n"));
  CHECK(contains(fixture.get("/flagz", "text/html"), "--dry-run"));
  CHECK(contains(fixture.get("/flagz", "application/json"), R"("name":"dry-run")"));
}

TEST_CASE("the status page counts requests by method and code, whatever the host is") {
  PagesWithoutControllers fixture;
  auto& requests = fixture.registry.counter("rest_client_requests_total", "Requests.", {"code", "method", "host"});
  requests.with({"200", "GET", "a"}).increment(3);
  requests.with({"200", "GET", "b"}).increment(4);
  requests.with({"<error>", "GET", "a"}).increment();

  const auto status = fixture.pages.status();

  CHECK(status.requests == std::vector<std::pair<std::string, std::uint64_t>>{{"GET 200", 7}, {"GET <error>", 1}});
}

TEST_CASE("each certificate in use is under Attention from the last fifth of its life on") {
  PagesWithoutControllers fixture;
  const auto now = std::chrono::duration<double>(fixture.loop.clock().wall_now().time_since_epoch()).count();
  auto& expiries = fixture.registry.gauge("keelson_certificate_expiry_seconds", "Expiry.", {"use"});
  auto& lifetimes = fixture.registry.gauge("keelson_certificate_lifetime_seconds", "Lifetime.", {"use"});
  const auto use = [&](const char* name, double left, double life) {
    expiries.with({name}).set(now + left);
    lifetimes.with({name}).set(life);
  };
  use("client", 40 * 60, 3600);
  use("metrics", 11 * 60, 3600);
  use("webhook", 6 * 86400, 365 * 86400.0);
  use("webhook-ca", -60, 365 * 86400.0);

  const auto text = fixture.get("/statusz");

  INFO(text);
  CHECK_FALSE(contains(text, "Certificate for client"));
  CHECK(contains(text, "Certificate for metrics     expires in 11 min"));
  CHECK(contains(text, "Certificate for webhook     expires in 6 d"));
  CHECK(contains(text, "Certificate for webhook-ca  expired 1 min ago"));

  fixture.loop.clock().advance(30min);
  CHECK(contains(fixture.get("/statusz"), "Certificate for client      expires in 10 min"));
}

TEST_CASE("the status page shows the last errors, and the last request without a reply with its age") {
  PagesWithoutControllers fixture;
  fixture.log.error(invalid_error("no image"), "Reconciler error", {{"name", "a"}});
  fixture.api_failure = {"connection refused", fixture.loop.clock().now()};
  fixture.loop.clock().advance(5s);

  const auto text = fixture.get("/statusz");

  CHECK(contains(text, "Last error: connection refused, 5 s ago\n"));
  CHECK(contains(text, "Error lines since the start: 1\n"));
  CHECK(contains(text, "Reconciler error  a      no image\n"));
}

}  // namespace
}  // namespace keelson::program
