// Replicas that are killed, stopped and disconnected, with any seed: two never work at once, and in the end one works.
//
// `scripts/sim leaders` runs it with many seeds; the normal tests include a few.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/replica_faults.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/seeds.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::ReplicaFaults;

kube::Resource memcacheds() { return kinds::memcached().resource(); }

// A user that keeps changing the size.
class Fickle {
 public:
  explicit Fickle(ReplicaFaults& faults) : faults_(faults) {
    REQUIRE(faults_.replicas.create(memcacheds(), "default",
                                    R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached",)"
                                    R"("metadata":{"name":"web"},"spec":{"size":1}})"));
  }
  void ask() {
    wanted_ = faults_.random.between(1, 3);
    const auto patch = R"({"spec":{"size":)" + std::to_string(wanted_) + "}}";
    REQUIRE(faults_.replicas.patch(memcacheds(), {"default", "web"}, patch));
  }
  [[nodiscard]] bool has_what_it_wants() const {
    for (const auto& deployment : faults_.replicas.server.objects(kube::deployments())) {
      auto document = json::Document::parse(deployment.json());
      return document && document->root().at({"spec", "replicas"}).integer() == wanted_;
    }
    return false;
  }

 private:
  ReplicaFaults& faults_;
  std::int64_t wanted_ = 1;
};

TEST_CASE("with any faults of the replicas, at most one works at a time, and eventually one works") {
  const auto first = number_of("KEELSON_SIM_FROM", 1);
  const auto seeds = number_of("KEELSON_SIM_SEEDS", 6);
  std::size_t reigns = 0;
  for (auto seed = first; seed < first + seeds; ++seed) {
    INFO("seed " << seed);
    ReplicaFaults faults({kinds::memcached()}, seed);
    Fickle user(faults);

    faults.disturb(180s, [&] { user.ask(); });
    faults.repair();
    faults.pass(60s);

    CHECK(faults.most_writers() == 1);
    CHECK(faults.stale_writer() == "");
    CHECK(faults.replicas.leaders() == 1);
    CHECK(faults.replicas.problems().empty());
    CHECK(user.has_what_it_wants());
    reigns += faults.leaders_so_far();
  }
  CHECK(reigns > seeds);
}

}  // namespace
}  // namespace keelson::testing
