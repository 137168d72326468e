// The webhooks of a program's server.
#include "src/program/webhooks.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "keelson/webhook/admission.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::program {
namespace {

struct BoatSpec {};
void describe(kube::Description&, BoatSpec&) {}

struct BoatValidator final : webhook::Validator<BoatSpec> {
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<BoatSpec>&) override {
    co_return webhook::Decision::allow();
  }
};

controller::Definition kind_of(const std::string& name) {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", name, name + "s"};
  return controller::define(kind);
}

TEST_CASE("the webhooks of each kind are created when they are requested") {
  for (const bool is_asked : {false, true}) {
    INFO(is_asked);
    sandbox::loop::TestLoop loop;
    base::Random random{1};
    testing::FakeLog lines;
    testing::FakeClient client;
    testing::FakeCache cache;
    testing::NoEvents events;
    metrics::Registry registry;
    net::ServerBudget budget;
    controller::Context context{
        loop.clock(), random, Logger(lines), client,
        cache,        events, registry,      [](const char*) -> const char* { return nullptr; }};
    int made = 0;
    auto boat = kind_of("Boat");
    boat.with_validator<BoatSpec>([&](controller::Context&) {
      ++made;
      return std::make_unique<BoatValidator>();
    });
    Options options;
    if (is_asked) options.webhook_cert_path = "/certs";

    Webhooks webhooks(loop.executor(), context, budget, options, "default",
                      controller::webhooks_of({kind_of("Raft"), boat}));
    lifecycle::Manager manager(loop.clock(), Logger(lines), std::chrono::seconds(1));
    lifecycle::HealthChecks checks;
    webhooks.add_to(manager, checks);

    CHECK(made == (is_asked ? 1 : 0));
    REQUIRE(checks.readyz.size() == (is_asked ? 1 : 0));
    if (is_asked) CHECK_FALSE(checks.readyz[0].run());
  }
}

}  // namespace
}  // namespace keelson::program
