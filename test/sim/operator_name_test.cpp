// The name of an operator in the cluster: field managers and annotations.
#include "keelson/kube/client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/leader/fence.hpp"
#include "keelson/detail/sandbox/replicas.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "test/support/result_of.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;

struct CardSpec {
  std::string front;
  std::string back;
};
void describe(kube::Description& d, CardSpec& spec) {
  d.field("front", spec.front, "The text on the front.").required();
  d.field("back", spec.back, "The text on the back.");
}

struct Card : CustomResource<CardSpec> {
  static constexpr kube::Identity kIdentity{"print.example.com", "v1", "Card"};
};

Reconciled reconcile(const Card& card, Pass<Card>& pass) {
  ConfigMap page{.metadata = {.name = card.name()}, .data = {{"front", card.spec.front}}};
  if (!card.spec.back.empty()) page.data.emplace("back", card.spec.back);
  KEELSON_CO_TRY(co_await pass.apply(page));
  co_return done();
}

controller::Definition card() { return controller_for<Card>(reconcile).owns<ConfigMap>(); }

const auto kCards = kube::resource_of<Card>();
const auto kPages = kube::resource_of<ConfigMap>();
const kube::Key kThanks("default", "thanks");
constexpr const char* kBothSides =
    "apiVersion: print.example.com/v1\nkind: Card\nmetadata: {name: thanks}\nspec: {front: Thank you, back: Ann}\n";
constexpr const char* kKeelsonHash = "keelson.dev/applied-hash";
constexpr const char* kHash = "printer.keelson.dev/applied-hash";

// The field managers of applies.
std::set<std::string> managers(const sandbox::SimulatedCluster& cluster) {
  std::set<std::string> names;
  const auto page = cluster.get(kPages, kThanks);
  for (const auto entry : page.root().at({"metadata", "managedFields"}).items()) {
    if (entry.find("operation").string() != "Apply") continue;
    names.emplace(entry.find("manager").string().value_or(""));
  }
  return names;
}

bool has_annotation(const sandbox::SimulatedCluster& cluster, const char* name) {
  return cluster.get(kPages, kThanks).root().at({"metadata", "annotations", name}).has_value();
}

// The client of another operator.
class Named final : public kube::Client {
 public:
  Named(kube::Client& client, const std::string& name) : client_(client), name_(name) {}
  const kube::OperatorName& operator_name() const override { return name_; }
  Task<kube::ApiReply> send(kube::ApiRequest request) override { return client_.send(std::move(request)); }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    return client_.stream(std::move(request));
  }

 private:
  kube::Client& client_;
  kube::OperatorName name_;
};

void apply_page(sandbox::SimulatedCluster& cluster, kube::Client& client, std::string data) {
  REQUIRE(testing::result_of(cluster.loop,
                             kube::apply(client, kPages, kThanks, kube::ApplyForm::kForce,
                                         R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"thanks",)"
                                         R"("namespace":"default"},"data":)" +
                                             data + "}")));
}

TEST_CASE("two operators apply fields of the same ConfigMap, and each keeps its own fields") {
  sandbox::SimulatedCluster cluster(card());
  Named printer(cluster.server.client("a"), "printer");
  Named binder(cluster.server.client("b"), "binder");
  apply_page(cluster, printer, R"({"front":"Thank you","back":"Ann"})");
  apply_page(cluster, binder, R"({"cover":"red"})");

  apply_page(cluster, printer, R"({"front":"Thanks"})");
  apply_page(cluster, binder, R"({"cover":"blue"})");

  const auto page = cluster.get(kPages, kThanks);
  CHECK(page.root().find("data").text() == R"({"front":"Thanks","cover":"blue"})");
  CHECK(managers(cluster) == std::set<std::string>{"binder", "printer"});
}

TEST_CASE("the fence and the cache report the operator name of the client that they decorate") {
  sandbox::SimulatedCluster cluster(card());
  Named printer(cluster.server.client("a"), "printer");
  const leader::Fence fence(cluster.loop.clock());

  const auto fenced = leader::fenced(printer, fence);

  CHECK(fenced->operator_name().text() == "printer");
  CHECK(cluster.server.client("a").operator_name().is_keelson());
}

TEST_CASE("an operator writes with its own name as field manager, and Keelson's manager with keelson") {
  for (const auto* name : {"keelson", "printer"}) {
    INFO(name);
    sandbox::SimulatedCluster cluster(card(), {.operator_name = kube::OperatorName(name)});
    REQUIRE(cluster.start_manager());
    REQUIRE(cluster.create(kCards, "default", kBothSides));

    const bool is_keelson = std::string_view(name) == "keelson";
    REQUIRE(cluster.eventually([&] { return has_annotation(cluster, is_keelson ? kKeelsonHash : kHash); }));

    CHECK(managers(cluster) == std::set<std::string>{name});
    CHECK_FALSE(has_annotation(cluster, is_keelson ? kHash : kKeelsonHash));
    cluster.pass(1h);
    CHECK(cluster.writes(kPages, "", 201) + cluster.writes(kPages, "", 200) == 1);
  }
}

TEST_CASE("replicas write with the operator's name as field manager") {
  sandbox::Replicas replicas({card()}, {.operator_name = kube::OperatorName("printer")});
  REQUIRE(replicas.create(kCards, "default", kBothSides));

  CHECK(replicas.eventually([&] {
    const auto pages = replicas.server.objects(kPages);
    return !pages.empty() && pages.front().annotation(kHash).has_value();
  }));
}

}  // namespace
}  // namespace keelson
