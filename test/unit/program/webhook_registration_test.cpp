// --webhook-url: the applied configurations while the manager runs, and failures of the API server.
#include "src/program/webhook_registration.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/json/value.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct SailSpec {};
void describe(kube::Description&, SailSpec&) {}

struct SailValidator final : webhook::Validator<SailSpec> {
  asio::awaitable<webhook::Decision> validate(const webhook::Submission<SailSpec>&) override {
    co_return webhook::Decision::allow();
  }
};

std::vector<webhook::Webhook> sails() {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Sail", "sails"};
  auto definition = controller::define(kind);
  definition.with_validator<SailSpec>([](controller::Context&) { return std::make_unique<SailValidator>(); });
  return definition.parts().webhooks;
}

struct ServedWith final : tls::CertificateUser {
  Result<void> use(tls::ServerTls tls) override {
    used.push_back(std::move(tls));
    return {};
  }
  void wait_because(const Error&) override {}
  std::vector<tls::ServerTls> used;
};

struct RegistrationOnFakes {
  std::size_t requests(kube::Verb verb) const {
    return static_cast<std::size_t>(std::ranges::count(client.requests, verb, &kube::ApiRequest::verb));
  }
  void run(asio::awaitable<void> task) { loop.run(std::move(task)); }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  testing::FakeLog lines;
  testing::FakeClient client;
  testing::FakeCache cache;
  testing::NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client,
                              cache,        events, registry,      [](const char*) -> const char* { return nullptr; }};
  ServedWith server;
  WebhookRegistration registration{loop.executor(), context, "https://10.0.0.7:9443/", sails(), server};
};

std::ptrdiff_t times(const RegistrationOnFakes& world, std::string_view message) {
  return std::ranges::count(world.lines.entries, message, &testing::FakeLog::Entry::message);
}

TEST_CASE("webhooks are registered at the URL while the manager runs, and then deleted") {
  RegistrationOnFakes world;
  world.run([](RegistrationOnFakes& of) -> asio::awaitable<void> {
    CHECK(co_await of.registration.start());
    co_await async::sleep_for(of.loop.clock(), 1s);
    CHECK(of.requests(kube::Verb::kDelete) == 0);
    co_await of.registration.stop();
  }(world));

  REQUIRE(world.server.used.size() == 1);
  REQUIRE(world.requests(kube::Verb::kPatch) == 1);
  const auto& applied = world.client.requests.front();
  CHECK(applied.resource.plural == "validatingwebhookconfigurations");
  CHECK(applied.key.name == "keelson-development-validating-webhook-configuration");
  const auto body = json::Document::parse(applied.body);
  const auto config = body->root().find("webhooks").item(0).find("clientConfig");
  CHECK(config.find("url").string() == "https://10.0.0.7:9443/validate-sea-example-com-v1-sail");
  CHECK(config.find("service").is_absent());
  CHECK_FALSE(config.find("caBundle").string().value_or("").empty());
  REQUIRE(world.requests(kube::Verb::kDelete) == 1);
  CHECK(world.client.requests.back().key.name == "keelson-development-validating-webhook-configuration");
}

TEST_CASE("the registration is retried when the API server fails, and the error is logged once") {
  RegistrationOnFakes world;
  const auto accept = world.client.answer;
  world.client.answer = [](const kube::ApiRequest&) -> Result<kube::ApiReply> {
    return testing::status_error(503, "ServiceUnavailable");
  };
  world.run([](RegistrationOnFakes& of,
               std::function<Result<kube::ApiReply>(const kube::ApiRequest&)> later) -> asio::awaitable<void> {
    CHECK(co_await of.registration.start());
    co_await async::sleep_for(of.loop.clock(), 12s);
    CHECK(of.requests(kube::Verb::kPatch) == 3);
    of.client.answer = later;
    co_await async::sleep_for(of.loop.clock(), 5s);
    CHECK(of.requests(kube::Verb::kPatch) == 4);
    co_await of.registration.stop();
  }(world, accept));

  CHECK(times(world, "Failed to register the webhooks; retrying") == 1);
  CHECK(times(world, "Registered the webhooks until the manager stops") == 1);
}

TEST_CASE("a registration that another process has replaced is not deleted") {
  RegistrationOnFakes world;
  const auto accept = world.client.answer;
  world.client.answer = [accept](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
    if (request.verb != kube::Verb::kGet) return accept(request);
    return kube::ApiReply{200, R"({"metadata":{"name":"a","resourceVersion":"7"},"webhooks":[{"clientConfig":{}}]})"};
  };
  world.run([](RegistrationOnFakes& of) -> asio::awaitable<void> {
    CHECK(co_await of.registration.start());
    co_await async::sleep_for(of.loop.clock(), 1s);
    co_await of.registration.stop();
  }(world));

  CHECK(world.requests(kube::Verb::kGet) == 1);
  CHECK(world.requests(kube::Verb::kDelete) == 0);
}

TEST_CASE("an API server that does not answer a delete delays the stop for seconds only") {
  RegistrationOnFakes world;
  world.run([](RegistrationOnFakes& of) -> asio::awaitable<void> {
    CHECK(co_await of.registration.start());
    co_await async::sleep_for(of.loop.clock(), 1s);
    of.client.answer = [](const kube::ApiRequest&) -> Result<kube::ApiReply> {
      return testing::status_error(500, "InternalError");
    };
    co_await of.registration.stop();
  }(world));

  CHECK(times(world, "Failed to delete the registration of the webhooks: delete it with kubectl") == 1);
}

TEST_CASE("only URLs that the API server would call are accepted") {
  for (const auto* url : {"https://192.168.1.7:9443", "https://laptop.example.com", "https://[::1]:9443/operator"}) {
    INFO(url);
    CHECK(check_webhook_url(url));
  }
  for (const auto* url : {"http://laptop:9443", "laptop:9443", "https://", "https://laptop?a=b", "https://me@laptop",
                          "https://laptop#a"}) {
    INFO(url);
    CHECK_FALSE(check_webhook_url(url));
  }
}

}  // namespace
}  // namespace keelson::program
