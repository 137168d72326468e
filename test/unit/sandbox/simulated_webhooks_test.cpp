// The webhooks of controllers in a simulated cluster: registered as `generate webhook` says, answered by the manager.
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/timeout.hpp"
#include "keelson/sandbox/replicas.hpp"
#include "keelson/webhook/field_errors.hpp"
#include "test/unit/sandbox/shop.hpp"

namespace keelson::sandbox {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct ShopSpec {
  std::optional<std::string> owner;
  std::optional<std::int64_t> shelves;
};

void describe(kube::Description& d, ShopSpec& spec) {
  d.field("owner", spec.owner, "Who owns the shop.");
  d.field("shelves", spec.shelves, "How many shelves it has.");
}

class OneShelf final : public webhook::Defaulter<ShopSpec> {
 public:
  asio::awaitable<Result<void>> set_defaults(ShopSpec& spec, const webhook::Request&) override {
    if (!spec.shelves) spec.shelves = 1;
    co_return Result<void>();
  }
};

// Takes a second; keeps what the API server says about the user and the operation.
class HasOwner final : public webhook::Validator<ShopSpec> {
 public:
  HasOwner(async::Clock& clock, std::vector<std::string>& asked) : clock_(clock), asked_(asked) {}

  asio::awaitable<webhook::Decision> validate(const webhook::Submission<ShopSpec>& submission) override {
    const auto& request = submission.request;
    asked_.push_back(request.user.name + " " + std::string(webhook::name_of(request.operation)));
    co_await async::sleep_for(clock_, 1s);
    if (request.operation == webhook::Operation::kDelete) co_return webhook::Decision::deny("shops are never closed");
    if (submission.spec.owner) co_return webhook::Decision::allow();
    co_return webhook::Decision::judge({webhook::required_value("spec.owner")});
  }

 private:
  async::Clock& clock_;
  std::vector<std::string>& asked_;
};

controller::Definition shop_with_webhooks(std::vector<std::string>& asked) {
  auto pass = [](controller::Context&, kube::Object, Logger) -> asio::awaitable<Result<void>> {
    co_return Result<void>();
  };
  auto definition = shop_without_rules(pass);
  definition.defaulted_by<ShopSpec>([](controller::Context&) { return std::make_unique<OneShelf>(); });
  definition.validated_by<ShopSpec>(
      [&asked](controller::Context& context) { return std::make_unique<HasOwner>(context.clock, asked); });
  return definition.validates_deletes();
}

const std::string kOwnedYaml = std::string(kCornerYaml) + "spec: {owner: Ada}\n";

bool says(const Error& error, std::string_view what) { return error.message().find(what) != std::string::npos; }

}  // namespace

TEST_CASE("the webhooks of a controller default, reject and admit the writes of a simulated cluster") {
  std::vector<std::string> asked;
  SimulatedCluster cluster(shop_with_webhooks(asked));
  REQUIRE(cluster.start_manager());

  auto rejected = cluster.create(kShops, "default", kCornerYaml);
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 422);
  CHECK(says(rejected.error(), R"(admission webhook "vshop-v1.kb.io" denied the request: )"));
  CHECK(says(rejected.error(), "spec.owner: Required value"));

  REQUIRE(cluster.create(kShops, "default", kOwnedYaml));
  CHECK(cluster.get(kShops, kCorner).root().at({"spec", "shelves"}).integer() == 1);
  REQUIRE(cluster.patch(kShops, kCorner, "spec: {shelves: 5}"));
  CHECK(cluster.get(kShops, kCorner).root().at({"spec", "shelves"}).integer() == 5);

  auto kept = cluster.remove(kShops, kCorner);
  REQUIRE_FALSE(kept);
  CHECK(kept.error().code == 403);
  CHECK(says(kept.error(), "shops are never closed"));
  CHECK(asked == std::vector<std::string>{"user CREATE", "user CREATE", "user UPDATE", "user DELETE"});
}

TEST_CASE("without a manager that runs, the writes that its webhooks review fail") {
  std::vector<std::string> asked;
  SimulatedCluster cluster(shop_with_webhooks(asked));

  for (int life = 0; life < 2; ++life) {
    auto failed = cluster.create(kShops, "default", kOwnedYaml);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == 500);
    CHECK(says(failed.error(), "connect: connection refused"));
    REQUIRE(cluster.start_manager());
    if (life == 0) cluster.crash_manager();
  }
  CHECK(cluster.create(kShops, "default", kOwnedYaml));
  CHECK(asked.size() == 1);
}

TEST_CASE("a crash of the manager in the middle of a review fails the write") {
  std::vector<std::string> asked;
  SimulatedCluster cluster(shop_with_webhooks(asked));
  REQUIRE(cluster.start_manager());
  std::optional<Result<kube::Object>> created;
  async::TaskGroup tasks(cluster.loop.executor());
  tasks.spawn([](SimulatedCluster& world, std::optional<Result<kube::Object>>& outcome) -> asio::awaitable<void> {
    outcome = co_await kube::create(world.server.client("user"), kShops, "default",
                                    R"({"metadata":{"name":"corner"},"spec":{"owner":"Ada"}})");
  }(cluster, created));
  REQUIRE(cluster.eventually([&] { return !asked.empty(); }));
  cluster.pass(500ms);
  REQUIRE_FALSE(created);

  cluster.crash_manager();
  cluster.pass(1min);

  REQUIRE(created);
  REQUIRE_FALSE(*created);
  CHECK(says(created->error(), "EOF"));
  CHECK(cluster.get(kShops, kCorner).root().is_null());
  cluster.loop.run(tasks.join());
}

TEST_CASE("a cluster without webhooks stores what they would reject") {
  std::vector<std::string> asked;
  SimulatedCluster cluster(shop_with_webhooks(asked), {.has_webhooks = false});

  CHECK(cluster.create(kShops, "default", kCornerYaml));
  CHECK(asked.empty());
}

TEST_CASE("any replica that is connected answers webhooks, also a standby") {
  std::vector<std::string> asked;
  Replicas replicas({shop_with_webhooks(asked)});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));

  for (std::size_t other = 0; other < 2; ++other) {
    replicas.at(1 - other).cut_off();
    const auto name = "shop-" + std::to_string(other);
    CHECK(replicas.create(kShops, "default", "metadata: {name: " + name + "}\nspec: {owner: Ada}\n"));
    CHECK(asked.size() == other + 1);
    replicas.at(1 - other).connect();
  }
  for (std::size_t each = 0; each < 2; ++each) replicas.at(each).cut_off();
  auto failed = replicas.create(kShops, "default", kOwnedYaml);
  REQUIRE_FALSE(failed);
  CHECK(says(failed.error(), "connection refused"));
}

}  // namespace keelson::sandbox
