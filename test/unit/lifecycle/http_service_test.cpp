#include "keelson/detail/lifecycle/http_service.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/certificates.hpp"
#include "test/support/raw_peer.hpp"
#include "test/support/result_of.hpp"

namespace keelson::lifecycle {
namespace {

namespace asio = boost::asio;

struct ServiceParts {
  std::unique_ptr<net::HttpClient> client(std::uint16_t port) {
    net::ClientOptions options;
    options.origin = {.tls = false, .host = "127.0.0.1", .port = std::to_string(port)};
    return net::make_http_client(loop.executor(), loop.clock(), std::move(options)).value();
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  net::ServerBudget budget;
};

asio::awaitable<net::Response> get(net::HttpClient& client, std::string target) {
  net::Request request;
  request.target = std::move(target);
  auto response = co_await client.send(std::move(request), {});
  REQUIRE(response.has_value());
  co_return std::move(*response);
}

asio::awaitable<net::ServerReply> echo(net::Request request) {
  net::ServerReply reply;
  reply.response = {202, {}, request.method + " " + request.body};
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_guarded(const net::Handler& inner, net::Request request) {
  if (request.target == "/forbidden") {
    net::ServerReply rejected;
    rejected.response.status = 403;
    co_return rejected;
  }
  auto reply = co_await inner(std::move(request));
  co_return reply;
}

asio::awaitable<net::ServerReply> never_answered(async::Clock& clock, bool& has_begun) {
  has_begun = true;
  co_await async::sleep_for(clock, std::chrono::hours(1));
  co_return net::ServerReply();
}

asio::awaitable<void> send_and_forget(net::HttpClient& client) {
  net::Request request;
  request.target = "/metrics";
  auto ignored = co_await client.send(std::move(request), {});
  static_cast<void>(ignored);
}

asio::awaitable<void> stop(HttpService& service, bool& has_stopped) {
  co_await service.stop();
  has_stopped = true;
}

asio::awaitable<void> settle(sandbox::loop::TestLoop& loop) {
  for (int round = 0; round < 25; ++round) co_await async::sleep_for(loop.real_clock(), std::chrono::milliseconds(1));
}

TEST_CASE("P5: probes are answered on the address of the health service") {
  ServiceParts fixture;
  HealthChecks checks;
  checks.healthz = {{"healthz", [] { return Result<void>(); }}};
  checks.readyz = {{"caches", [] { return Result<void>(invalid_error("pods have not synced")); }}};
  auto made = make_health_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", checks);
  REQUIRE(made.has_value());
  auto& service = **made;
  auto client = fixture.client(service.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    auto alive = co_await get(*client, "/healthz");
    CHECK(alive.status == 200);
    CHECK(alive.body == "ok");
    auto ready = co_await get(*client, "/readyz");
    CHECK(ready.status == 500);
    CHECK(ready.body == "[-]caches failed: reason withheld\nhealthz check failed\n");
    co_await service.stop();
  });

  CHECK(service.name() == "health probe");
  REQUIRE(fixture.sink.count("starting server") == 1);
  CHECK(fixture.sink.entries().front().fields == R"(name="health probe" addr="127.0.0.1:0")");
}

TEST_CASE("the health service answers its endpoints on exactly their paths, and probes on all others") {
  ServiceParts fixture;
  HealthChecks checks;
  checks.healthz = {{"healthz", [] { return Result<void>(); }}};
  auto made = make_health_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", checks, {{"/statusz", echo}});
  REQUIRE(made.has_value());
  auto& service = **made;
  auto client = fixture.client(service.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    auto page = co_await get(*client, "/statusz?refresh=5");
    CHECK(page.status == 202);
    auto alive = co_await get(*client, "/healthz");
    CHECK(alive.body == "ok");
    auto below = co_await get(*client, "/statusz/");
    CHECK(below.status == 404);
    co_await service.stop();
  });
}

TEST_CASE("a probe with a body is answered, and the body is not read") {
  ServiceParts fixture;
  HealthChecks checks;
  checks.healthz = {{"healthz", [] { return Result<void>(); }}};
  auto made = make_health_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", checks);
  REQUIRE(made.has_value());
  auto& service = **made;
  std::string answer;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    auto raw = co_await testing::connect_raw(service.port());
    co_await raw->write("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc");
    answer = co_await raw->read_to_end();
    raw.reset();
    co_await service.stop();
  });

  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer.ends_with("\r\n\r\nok"));
}

TEST_CASE("an additional endpoint gets a short body, and a longer one is ignored") {
  ServiceParts fixture;
  const HealthChecks checks;
  const net::Handler handler = [](net::Request request) -> asio::awaitable<net::ServerReply> {
    net::ServerReply reply;
    reply.response.status = 200;
    reply.response.body = request.method + " " + std::to_string(request.body.size());
    co_return reply;
  };
  auto made = make_health_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", checks, {{"/debug/flags/v", handler}});
  REQUIRE(made.has_value());
  auto& service = **made;
  const auto answer_to = [&](std::size_t announced, const std::string& body) {
    std::string answer;
    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      auto raw = co_await testing::connect_raw(service.port());
      co_await raw->write("PUT /debug/flags/v HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " +
                          std::to_string(announced) + "\r\n\r\n" + body);
      answer = co_await raw->read_to_end();
    });
    return answer.substr(answer.find("\r\n\r\n") + 4);
  };

  CHECK(testing::real_result_of(fixture.loop, service.start()));
  CHECK(answer_to(1, "5") == "PUT 1");
  CHECK(answer_to(net::kShortBodyBytes, std::string(net::kShortBodyBytes, 'a')) ==
        "PUT " + std::to_string(net::kShortBodyBytes));
  CHECK(answer_to(net::kShortBodyBytes + 1, "abc") == "PUT 0");
  fixture.loop.run_real([&]() -> asio::awaitable<void> { co_await service.stop(); });
}

TEST_CASE("an additional endpoint of the health service has exactly its own path") {
  ServiceParts fixture;
  const HealthChecks checks;
  const net::Handler handler = [](net::Request request) -> asio::awaitable<net::ServerReply> {
    net::ServerReply reply;
    reply.response.status = 200;
    reply.response.body = request.target;
    co_return reply;
  };
  auto made = make_health_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", checks, {{"/debug/objects", handler}});
  REQUIRE(made.has_value());
  auto& service = **made;
  auto client = fixture.client(service.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    const auto started = co_await service.start();
    CHECK(started.has_value());
    const auto own = co_await get(*client, "/debug/objects?name=web");
    CHECK(own.body == "/debug/objects?name=web");
    const auto below = co_await get(*client, "/debug/objects/web");
    CHECK(below.status == 404);
    const auto probe = co_await get(*client, "/healthz");
    CHECK(probe.body == "ok");
    co_await service.stop();
  });
}

TEST_CASE("the metrics service serves /metrics for Prometheus and nothing else") {
  ServiceParts fixture;
  metrics::Registry registry;
  registry.counter("slots_total", "Slots.", {}).with({}).increment();
  auto made = make_metrics_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                   "127.0.0.1:0", registry);
  REQUIRE(made.has_value());
  auto& service = **made;
  auto client = fixture.client(service.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    auto scraped = co_await get(*client, "/metrics?name=x");
    CHECK(scraped.status == 200);
    CHECK(net::header(scraped.headers, "Content-Type") == metrics::kTextContentType);
    CHECK(scraped.body == "# HELP slots_total Slots.\n# TYPE slots_total counter\nslots_total 1\n");
    auto other = co_await get(*client, "/metricsx");
    CHECK(other.status == 404);
    CHECK(other.body == "404 page not found\n");
    co_await service.stop();
  });

  REQUIRE(fixture.sink.count("Serving metrics server") == 1);
  CHECK(fixture.sink.entries().front().logger == "metrics");
  CHECK(fixture.sink.entries().front().fields == R"(bindAddress="127.0.0.1:0" secure=false)");
}

TEST_CASE("an operator's own endpoint is served next to the metrics, with the body of its request") {
  ServiceParts fixture;
  metrics::Registry registry;
  std::vector<HttpEndpoint> more{{"/backups", echo}};
  auto made = make_metrics_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                   "127.0.0.1:0", registry, std::move(more));
  REQUIRE(made.has_value());
  auto& service = **made;
  auto client = fixture.client(service.port());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    net::Request request;
    request.method = "POST";
    request.target = "/backups?now=1";
    request.body = "all";
    auto own = co_await client->send(request, {});
    REQUIRE(own.has_value());
    CHECK(own->status == 202);
    CHECK(own->body == "POST all");
    auto below = co_await get(*client, "/backups/1");
    CHECK(below.status == 404);
    auto scraped = co_await get(*client, "/metrics");
    CHECK(scraped.status == 200);
    co_await service.stop();
  });
}

TEST_CASE("secure metrics are served from the first certificate on, to clients that the guard authorizes") {
  ServiceParts fixture;
  metrics::Registry registry;
  const testing::Authority authority;
  auto pair = authority.issue_for_loopback();
  auto guard = [](net::Handler inner) -> net::Handler {
    return [inner](net::Request request) { return serve_guarded(inner, std::move(request)); };
  };
  auto made =
      make_secure_metrics_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                  "127.0.0.1:0", registry, guard, {{"/forbidden", echo}, {"/backups", echo}});
  REQUIRE(made.has_value());
  auto& service = **made;
  CHECK(service.port() == 0);

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    CHECK(fixture.sink.count("Serving metrics server") == 0);
    CHECK(service.use({pair.certificate_pem, pair.key_pem, ""}).has_value());
    net::ClientOptions options;
    options.origin = {.tls = true, .host = "127.0.0.1", .port = std::to_string(service.port())};
    options.tls.ca_pem = authority.certificate_pem();
    auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
    auto scraped = co_await get(*client, "/metrics");
    CHECK(scraped.status == 200);
    auto other = co_await get(*client, "/forbidden");
    CHECK(other.status == 403);
    auto own = co_await get(*client, "/backups");
    CHECK(own.status == 202);
    co_await service.stop();
  });

  REQUIRE(fixture.sink.count("Serving metrics server") == 1);
  CHECK(fixture.sink.entries().front().fields == R"(bindAddress="127.0.0.1:0" secure=true)");
}

TEST_CASE("a request that is still running when the service stops gets two more seconds") {
  ServiceParts fixture;
  auto& clock = fixture.loop.clock();
  metrics::Registry registry;
  const testing::Authority authority;
  auto pair = authority.issue_for_loopback();
  bool has_begun = false;
  auto guard = [&](net::Handler) -> net::Handler {
    return [&](net::Request) { return never_answered(clock, has_begun); };
  };
  auto made = make_secure_metrics_service(fixture.loop.executor(), clock, Logger(fixture.sink), fixture.budget,
                                          "127.0.0.1:0", registry, guard);
  REQUIRE(made.has_value());
  auto& service = **made;

  bool has_stopped = false;
  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto started = co_await service.start();
    CHECK(started.has_value());
    CHECK(service.use({pair.certificate_pem, pair.key_pem, ""}).has_value());
    net::ClientOptions options;
    options.origin = {.tls = true, .host = "127.0.0.1", .port = std::to_string(service.port())};
    options.tls.ca_pem = authority.certificate_pem();
    auto client = net::make_http_client(fixture.loop.executor(), clock, std::move(options)).value();
    async::TaskGroup tasks(fixture.loop.executor());
    tasks.spawn(send_and_forget(*client));
    while (!has_begun) co_await settle(fixture.loop);
    tasks.spawn(stop(service, has_stopped));
    co_await settle(fixture.loop);
    clock.advance(std::chrono::milliseconds(1999));
    co_await settle(fixture.loop);
    CHECK_FALSE(has_stopped);
    clock.advance(std::chrono::milliseconds(1));
    co_await settle(fixture.loop);
    CHECK(has_stopped);
    tasks.stop();
    co_await tasks.join();
  });
}

TEST_CASE("a port that is taken is an error that names the address") {
  ServiceParts fixture;
  HealthChecks checks;
  metrics::Registry registry;
  Logger log(fixture.sink);
  auto executor = fixture.loop.executor();
  auto first = make_health_service(executor, fixture.loop.clock(), log, fixture.budget, "127.0.0.1:0", checks);
  REQUIRE(first.has_value());
  auto address = "127.0.0.1:" + std::to_string((*first)->port());

  auto second = make_metrics_service(executor, fixture.loop.clock(), log, fixture.budget, address, registry);

  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().message().starts_with("error listening on " + address + ": "));
  CHECK(second.error().message().ends_with("address already in use"));

  // A secure server listens as soon as it has a certificate; only this error is about the flag.
  auto secure = make_secure_metrics_service(fixture.loop.executor(), fixture.loop.clock(), log, fixture.budget, address,
                                            registry, [](net::Handler inner) { return inner; });
  REQUIRE(secure.has_value());
  CHECK((*secure)->use({"no certificate", "no key", ""}).error().message().find("--metrics") == std::string::npos);
  const testing::Authority authority;
  const auto pair = authority.issue_for_loopback();
  const auto used = (*secure)->use({pair.certificate_pem, pair.key_pem, ""});
  REQUIRE_FALSE(used.has_value());
  CHECK(used.error().message().starts_with("--metrics-bind-address: error listening on " + address + ": "));
  fixture.loop.run_real((*first)->stop());
}

TEST_CASE("an address that cannot be bound is an error") {
  ServiceParts fixture;
  metrics::Registry registry;

  auto made = make_metrics_service(fixture.loop.executor(), fixture.loop.clock(), Logger(fixture.sink), fixture.budget,
                                   "8080", registry);

  CHECK_FALSE(made.has_value());
}

}  // namespace
}  // namespace keelson::lifecycle
