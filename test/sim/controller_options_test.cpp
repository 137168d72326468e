// Controllers of one kind, of kinds with one name, on every replica, and with a channel, in a simulated cluster.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/sandbox/replicas.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;

struct TideSpec {
  std::string sea;
};
void describe(kube::Description& d, TideSpec& spec) { d.field("sea", spec.sea, "Where."); }

struct Tide : CustomResource<TideSpec> {
  static constexpr kube::Identity kIdentity{"sea.example.com", "v1", "Tide"};
};
struct RiverTide : CustomResource<TideSpec> {
  static constexpr kube::Identity kIdentity{"river.example.com", "v1", "Tide"};
};

const auto kTides = kube::resource_of<Tide>();
const auto kRiverTides = kube::resource_of<RiverTide>();

std::string tide(const std::string& group, const std::string& name) {
  return "apiVersion: " + group + "/v1\nkind: Tide\nmetadata: {name: " + name + "}\nspec: {sea: north}\n";
}

// The reconciles of all reconcilers: the mark of the reconciler and the name of the object.
class Marks final : public controller::Reconciler {
 public:
  Marks(std::multiset<std::string>& seen, std::string mark) : seen_(seen), mark_(std::move(mark)) {}
  Task<controller::Outcome> reconcile(controller::Attempt& attempt) override {
    seen_.insert(mark_ + " " + attempt.key.name);
    co_return controller::Outcome::done();
  }

 private:
  std::multiset<std::string>& seen_;
  std::string mark_;
};

template <class T>
controller::Definition marks(std::multiset<std::string>& seen, const std::string& mark) {
  return controller::define(controller::kind_of<T>()).reconciled_by([&seen, mark](controller::Context&) {
    return std::make_unique<Marks>(seen, mark);
  });
}

TEST_CASE("two controllers of one kind, and two kinds of one name, work next to each other") {
  std::multiset<std::string> seen;
  sandbox::SimulatedCluster cluster({marks<Tide>(seen, "first"), marks<Tide>(seen, "second").named("tide-second"),
                                     marks<RiverTide>(seen, "river").named("river-tide")});
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.create(kTides, "default", tide("sea.example.com", "high")));
  REQUIRE(cluster.create(kRiverTides, "default", tide("river.example.com", "low")));

  CHECK(cluster.eventually([&] {
    return seen == std::multiset<std::string>{"first high", "second high", "river low"};
  }));
}

TEST_CASE("two controllers with the same name are a mistake in a simulation, too") {
  std::multiset<std::string> seen;

  CHECK_THROWS_AS(sandbox::SimulatedCluster({marks<Tide>(seen, "a"), marks<RiverTide>(seen, "b")}), base::Misuse);
}

TEST_CASE("a controller without leader election runs on every replica, and another one on the leader alone") {
  std::multiset<std::string> seen;
  sandbox::Replicas replicas(
      {marks<Tide>(seen, "leader"), marks<Tide>(seen, "replica").named("tide-replica").without_leader_election()},
      {.count = 3});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));

  REQUIRE(replicas.create(kTides, "default", tide("sea.example.com", "high")));
  replicas.pass(10s);

  CHECK(seen.count("leader high") == 1);
  CHECK(seen.count("replica high") == 3);
}

TEST_CASE("a key that replicas received through a channel is reconciled by the leader, and by the next leader") {
  std::multiset<std::string> seen;
  controller::Channel channel;
  auto quiet =
      marks<Tide>(seen, "leader").with_event_filter([](const cache::Event&) { return false; }).channel(channel);
  sandbox::Replicas replicas({quiet}, {.count = 2});
  REQUIRE(replicas.create(kTides, "default", tide("sea.example.com", "high")));
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  replicas.pass(10s);
  REQUIRE(seen.empty());

  channel.enqueue({"default", "high"});

  REQUIRE(replicas.eventually([&] { return seen.count("leader high") == 1; }));
  replicas.at(replicas.at(0).leads() ? 0 : 1).kill();
  CHECK(replicas.eventually([&] { return seen.count("leader high") == 2; }));
}

}  // namespace
}  // namespace keelson
