// Pass::prune, as an author uses it: children that a pass no longer applies are deleted, and nothing else is.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/controller/controller_for.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

struct ClusterSpec {
  std::int32_t size = 1;
};
void describe(kube::Description& d, ClusterSpec& spec) { d.field("size", spec.size, "Number of nodes."); }

// Two kinds of one name, in two groups.
struct Database : CustomResource<ClusterSpec> {
  static constexpr kube::Identity kIdentity{"database.example.com", "v1", "Cluster"};
};
struct Broker : CustomResource<ClusterSpec> {
  static constexpr kube::Identity kIdentity{"broker.example.com", "v1", "Cluster"};
};

struct FleetSpec {
  std::vector<std::string> databases;
  std::vector<std::string> brokers;
};
void describe(kube::Description& d, FleetSpec& spec) {
  d.field("databases", spec.databases, "Names.");
  d.field("brokers", spec.brokers, "Names.");
}
struct Fleet : CustomResource<FleetSpec> {
  static constexpr kube::Identity kIdentity{"fleet.example.com", "v1", "Fleet"};
};

template <class Child>
Reconciled apply_all(std::vector<std::string> names, Pass<Fleet>& pass) {
  for (const auto& name : names) {
    Child child{};
    child.metadata.name = name;
    KEELSON_CO_TRY(co_await pass.apply(child));
  }
  co_return done();
}

Reconciled reconcile(const Fleet& fleet, Pass<Fleet>& pass) {
  KEELSON_CO_TRY(co_await apply_all<Database>(fleet.spec.databases, pass));
  KEELSON_CO_TRY(co_await apply_all<Broker>(fleet.spec.brokers, pass));
  KEELSON_CO_TRY(co_await pass.prune<Database>());
  KEELSON_CO_TRY(co_await pass.prune<Broker>());
  co_return done();
}

struct FleetCluster : sandbox::SimulatedCluster {
  FleetCluster()
      : SimulatedCluster(std::move(controller_for<Fleet>(reconcile)
                                       .owns<Database>()
                                       .owns<Broker>()
                                       .also_defines(controller::kind_of<Database>())
                                       .also_defines(controller::kind_of<Broker>()))) {
    REQUIRE(start_manager());
    REQUIRE(create(kube::resource_of<Fleet>(), "default", R"({"apiVersion":"fleet.example.com/v1","kind":"Fleet",
        "metadata":{"name":"f"},"spec":{"databases":["a","b"],"brokers":["a","c"]}})"));
    REQUIRE(eventually([&] { return names<Database>() == Names{"a", "b"} && names<Broker>() == Names{"a", "c"}; }));
  }

  using Names = std::vector<std::string>;
  template <class Kind>
  Names names() {
    Names found;
    for (const auto& object : server.objects(kube::resource_of<Kind>())) found.emplace_back(object.name());
    return found;
  }
  void set(const std::string& spec) {
    REQUIRE(patch(kube::resource_of<Fleet>(), {"default", "f"}, R"({"spec":)" + spec + "}"));
  }
};

TEST_CASE("a child that is no longer applied is deleted, and the others are not") {
  FleetCluster world;

  world.set(R"({"databases":["b"]})");

  REQUIRE(world.eventually([&] { return world.names<Database>() == FleetCluster::Names{"b"}; }));
  CHECK(world.names<Broker>() == FleetCluster::Names{"a", "c"});
}

TEST_CASE("a child is deleted although a child of the same name and kind in another group is applied") {
  FleetCluster world;

  world.set(R"({"brokers":["c"]})");

  REQUIRE(world.eventually([&] { return world.names<Broker>() == FleetCluster::Names{"c"}; }));
  CHECK(world.names<Database>() == FleetCluster::Names{"a", "b"});
}

TEST_CASE("a deletion that fails does not prevent the others") {
  FleetCluster world;
  Error denied(Error::Kind::kStatus, "");
  denied.code = 403;
  denied.reason = "Forbidden";
  denied.server_text = "admission webhook denied the request";
  for (int i = 0; i < 100; ++i) {
    world.server.fail_next(
        [](const sandbox::RequestInfo& request) {
          return request.verb == kube::Verb::kDelete && request.key.name == "a";
        },
        denied);
  }

  world.set(R"({"databases":[],"brokers":["a","c"]})");

  CHECK(world.eventually([&] { return world.names<Database>() == FleetCluster::Names{"a"}; }, std::chrono::seconds(5)));
}

TEST_CASE("an object that another owner controls is not deleted") {
  FleetCluster world;
  REQUIRE(
      world.create(kube::resource_of<Broker>(), "default", R"({"apiVersion":"broker.example.com/v1","kind":"Cluster",
      "metadata":{"name":"other"},"spec":{}})"));

  world.set(R"({"brokers":[]})");

  REQUIRE(world.eventually([&] { return world.names<Broker>() == FleetCluster::Names{"other"}; }));
}

// The mistake: the prune deletes what the apply creates.
Reconciled reconcile_in_wrong_order(const Fleet& fleet, Pass<Fleet>& pass) {
  KEELSON_CO_TRY(co_await pass.prune<Database>());
  co_return co_await apply_all<Database>(fleet.spec.databases, pass);
}

TEST_CASE("an apply after the prune of its kind is a mistake, and no pass deletes a child any more") {
  sandbox::SimulatedCluster cluster(std::move(controller_for<Fleet>(reconcile_in_wrong_order)
                                                  .owns<Database>()
                                                  .also_defines(controller::kind_of<Database>())),
                                    {.tolerates_problems = true});
  REQUIRE(cluster.start_manager());
  const auto fleet = cluster.create(kube::resource_of<Fleet>(), "default",
                                    R"({"apiVersion":"fleet.example.com/v1","kind":"Fleet",
      "metadata":{"name":"f"},"spec":{"databases":["a"]}})");
  REQUIRE(fleet);
  cluster.pass(std::chrono::minutes(1));
  REQUIRE(cluster.create(kube::resource_of<Database>(), "default",
                         R"({"apiVersion":"database.example.com/v1","kind":"Cluster","metadata":{"name":"left",
      "ownerReferences":[{"apiVersion":"fleet.example.com/v1","kind":"Fleet","name":"f","controller":true,"uid":")" +
                             std::string(fleet->uid()) + R"("}]},"spec":{}})"));

  cluster.pass(std::chrono::minutes(1));

  CHECK(cluster.explanation().find("Cluster default/a is applied or created after prune<Cluster>() in the same pass") !=
        std::string::npos);
  CHECK(cluster.writes(kube::resource_of<Database>(), "", 201) == 0);
  CHECK_FALSE(cluster.get(kube::resource_of<Database>(), {"default", "left"}).root().is_null());
}

}  // namespace
}  // namespace keelson
