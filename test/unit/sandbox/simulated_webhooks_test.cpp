// The webhooks of controllers in a simulated cluster: registered as by `generate webhook`, and served by the manager.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/sandbox/replicas.hpp"
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
  Task<void> set_defaults(ShopSpec& spec, const webhook::Request&) override {
    if (!spec.shelves) spec.shelves = 1;
    co_return Result<void>();
  }
};

struct Reviews {
  async::Duration time = 1s;       // the duration of each review
  std::vector<std::string> begun;  // "user CREATE"
  int ended = 0;
};

class HasOwner final : public webhook::Validator<ShopSpec> {
 public:
  HasOwner(async::Clock& clock, Reviews& reviews) : clock_(clock), reviews_(reviews) {}

  asio::awaitable<webhook::Decision> validate(const webhook::Submission<ShopSpec>& submission) override {
    const auto& request = submission.request;
    reviews_.begun.push_back(request.user.name + " " + std::string(webhook::name_of(request.operation)));
    co_await async::sleep_for(clock_, reviews_.time);
    ++reviews_.ended;
    if (submission.spec.owner == "nobody") throw std::runtime_error("no such owner");
    if (request.operation == webhook::Operation::kDelete) co_return webhook::Decision::deny("shops are never closed");
    if (submission.spec.owner) co_return webhook::Decision::allow();
    co_return webhook::Decision::judge({webhook::required_value("spec.owner")});
  }

 private:
  async::Clock& clock_;
  Reviews& reviews_;
};

controller::Definition shop_with_webhooks(Reviews& reviews) {
  auto pass = [](controller::Context&, kube::Object, Logger) -> Task<void> { co_return Result<void>(); };
  auto definition = shop_without_rules(pass);
  definition.with_defaulter<ShopSpec>([](controller::Context&) { return std::make_unique<OneShelf>(); });
  definition.with_validator<ShopSpec>(
      [&reviews](controller::Context& context) { return std::make_unique<HasOwner>(context.clock, reviews); });
  return definition.validates_deletes();
}

const kube::Resource kValidating("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration",
                                 "validatingwebhookconfigurations", false);
const std::string kOwnedYaml = std::string(kCornerYaml) + "spec: {owner: Ada}\n";

bool says(const Error& error, std::string_view what) { return error.message().find(what) != std::string::npos; }

// A user's request that continues while the test does something else.
struct PendingCreate {
  explicit PendingCreate(sandbox::loop::TestLoop& loop, ApiServer& server) : loop_(loop), tasks_(loop.executor()) {
    tasks_.spawn(run(server));
  }
  PendingCreate(const PendingCreate&) = delete;
  PendingCreate& operator=(const PendingCreate&) = delete;
  ~PendingCreate() { loop_.run(tasks_.join()); }

  std::optional<Result<kube::Object>> outcome;

 private:
  asio::awaitable<void> run(ApiServer& server) {
    outcome = co_await kube::create(server.client("user"), kShops, "default",
                                    R"({"metadata":{"name":"corner"},"spec":{"owner":"Ada"}})");
  }

  sandbox::loop::TestLoop& loop_;
  async::TaskGroup tasks_;
};

}  // namespace

TEST_CASE("the webhooks of a controller default, reject and admit the writes of a simulated cluster") {
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews));
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
  CHECK(reviews.begun == std::vector<std::string>{"user CREATE", "user CREATE", "user UPDATE", "user DELETE"});
}

TEST_CASE("without a running manager, writes that its webhooks review fail") {
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews));

  for (int life = 0; life < 2; ++life) {
    auto failed = cluster.create(kShops, "default", kOwnedYaml);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == 500);
    CHECK(says(failed.error(), "connect: connection refused"));
    REQUIRE(cluster.start_manager());
    if (life == 0) cluster.crash_manager();
  }
  CHECK(cluster.create(kShops, "default", kOwnedYaml));
  CHECK(reviews.begun.size() == 1);
}

TEST_CASE("a crash of the manager ends its reviews, and their writes fail") {
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews));
  REQUIRE(cluster.start_manager());
  PendingCreate create(cluster.loop, cluster.server);
  REQUIRE(cluster.eventually([&] { return !reviews.begun.empty(); }));
  cluster.pass(500ms);
  REQUIRE_FALSE(create.outcome);

  cluster.crash_manager();
  cluster.pass(1min);

  REQUIRE(create.outcome);
  REQUIRE_FALSE(*create.outcome);
  CHECK(says(create.outcome->error(), "EOF"));
  CHECK(reviews.ended == 0);
  CHECK(cluster.get(kShops, kCorner).root().is_null());
}

TEST_CASE("an exception that leaves a webhook is a problem of the operator") {
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews), {.print = [](const std::string&) {}});
  REQUIRE(cluster.start_manager());

  CHECK_FALSE(cluster.create(kShops, "default", std::string(kCornerYaml) + "spec: {owner: nobody}\n"));

  REQUIRE(cluster.problems().size() == 1);
  CHECK(cluster.problems()[0].text.find("no such owner") != std::string::npos);
  CHECK_FALSE(cluster.eventually([] { return true; }));
}

TEST_CASE("webhooks are also registered with RBAC and chaos") {
  Reviews reviews;
  ClusterOptions options;
  options.server.authorization = Authorization::kRbac;
  options.server.chaos.internal_errors = 1;
  SimulatedCluster cluster(shop_with_webhooks(reviews), options);
  REQUIRE(cluster.server.objects(kValidating).size() == 1);
  CHECK(cluster.server.log().empty());
}

TEST_CASE("a webhook with another address than the manager's fails the write") {
  Reviews reviews;
  SimulatedCluster other(shop_with_webhooks(reviews), {.has_webhooks = false});
  REQUIRE(other.start_manager());
  REQUIRE(other.create(kValidating, "",
                       R"({"metadata":{"name":"foreign"},"webhooks":[{"name":"a.example.com",)"
                       R"("clientConfig":{"url":"https://a.example.com/x"},"sideEffects":"None",)"
                       R"("admissionReviewVersions":["v1"],"rules":[{"apiGroups":["*"],)"
                       R"("apiVersions":["*"],"resources":["shops"],"operations":["CREATE"]}]}]})"));
  auto failed = other.create(kShops, "default", kOwnedYaml);
  REQUIRE_FALSE(failed);
  CHECK(says(failed.error(), "lookup a.example.com: no such host"));
}

TEST_CASE("a review that takes longer than ten seconds fails the write") {
  Reviews reviews;
  reviews.time = 11s;
  SimulatedCluster cluster(shop_with_webhooks(reviews));
  REQUIRE(cluster.start_manager());

  auto failed = cluster.create(kShops, "default", kOwnedYaml);

  REQUIRE_FALSE(failed);
  CHECK(says(failed.error(), "context deadline exceeded"));
}

TEST_CASE("an object that add_object stores is validated like others") {
  std::vector<std::string> texts{"[", "[]", R"({"metadata":{"name":"Not_A_Name"}})"};
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews));
  for (const auto& text : texts) CHECK_FALSE(cluster.server.add_object(kube::config_maps(), "default", text));
  const auto* map = R"({"metadata":{"name":"map"}})";
  CHECK_FALSE(cluster.server.add_object(kube::config_maps(), "missing", map));
  CHECK_FALSE(cluster.server.add_object({"example.com", "v1", "None", "nones"}, "default", map));
  CHECK(cluster.server.add_object(kube::config_maps(), "default", map));
  CHECK_FALSE(cluster.server.add_object(kube::config_maps(), "default", map));
}

TEST_CASE("a cluster without webhooks stores what they would reject") {
  Reviews reviews;
  SimulatedCluster cluster(shop_with_webhooks(reviews), {.has_webhooks = false});

  CHECK(cluster.create(kShops, "default", kCornerYaml));
  CHECK(reviews.begun.empty());
}

TEST_CASE("any connected replica serves webhooks, also a standby") {
  Reviews reviews;
  Replicas replicas({shop_with_webhooks(reviews)});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));

  for (std::size_t other = 0; other < 2; ++other) {
    replicas.at(1 - other).cut_off();
    const auto name = "shop-" + std::to_string(other);
    CHECK(replicas.create(kShops, "default", "metadata: {name: " + name + "}\nspec: {owner: Ada}\n"));
    CHECK(reviews.begun.size() == other + 1);
    replicas.at(1 - other).connect();
  }
  for (std::size_t each = 0; each < 2; ++each) replicas.at(each).cut_off();
  auto failed = replicas.create(kShops, "default", kOwnedYaml);
  REQUIRE_FALSE(failed);
  CHECK(says(failed.error(), "connection refused"));
}

TEST_CASE("a replica that is killed, partitioned or paused during a review fails the write") {
  Reviews reviews;
  Replicas replicas({shop_with_webhooks(reviews)}, {.count = 1});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  auto& replica = replicas.at(0);
  std::string expected;
  PendingCreate create(replicas.loop, replicas.server);
  REQUIRE(replicas.eventually([&] { return reviews.begun.size() == 1; }));
  SECTION("killed") {
    replica.kill();
    expected = "EOF";
  }
  SECTION("partitioned") {
    replica.cut_off();
    expected = "EOF";
  }
  SECTION("paused") {
    replica.pause();
    expected = "context deadline exceeded";
  }

  replicas.pass(1min);

  REQUIRE(create.outcome);
  REQUIRE_FALSE(*create.outcome);
  CHECK(says(create.outcome->error(), expected));
}

TEST_CASE("a stopping replica finishes its reviews") {
  Reviews reviews;
  Replicas replicas({shop_with_webhooks(reviews)}, {.count = 1});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  PendingCreate create(replicas.loop, replicas.server);
  REQUIRE(replicas.eventually([&] { return reviews.begun.size() == 1; }));

  replicas.at(0).stop();
  replicas.pass(1min);

  REQUIRE(create.outcome);
  CHECK(*create.outcome);
}

TEST_CASE("a replica that has stopped serves no webhooks") {
  Reviews reviews;
  Replicas replicas({shop_with_webhooks(reviews)}, {.count = 1});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  auto& replica = replicas.at(0);
  replica.cut_off();
  REQUIRE(replicas.eventually([&] { return replica.has_ended(); }));
  replica.connect();

  auto failed = replicas.create(kShops, "default", kOwnedYaml);

  REQUIRE_FALSE(failed);
  CHECK(says(failed.error(), "connection refused"));
  CHECK(reviews.begun.empty());
}

}  // namespace keelson::sandbox
