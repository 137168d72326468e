// Replicas that die, sleep and are cut off, on any seed: never do two of them work, and in the end one does.
//
// `scripts/sim leaders` runs it on many seeds; without it a few run with all other tests.
#include <catch2/catch_test_macros.hpp>

#include "src/controllers/memcached/memcached.hpp"
#include "test/sim/chaos.hpp"

namespace keelson::test {
namespace {

using namespace std::chrono_literals;

kube::Resource memcacheds() { return controllers::memcached().kind().resource; }

// Somebody who never knows how many it should be.
class Fickle {
 public:
  explicit Fickle(Chaos& chaos) : chaos_(chaos) {
    chaos_.create(memcacheds(), R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached",)"
                                R"("metadata":{"name":"web"},"spec":{"size":1}})");
  }
  void ask() {
    wanted_ = chaos_.chance.between(1, 3);
    chaos_.patch(memcacheds(), "web", R"({"spec":{"size":)" + std::to_string(wanted_) + "}}");
  }
  [[nodiscard]] bool has_what_it_wants() const {
    for (const auto& deployment : chaos_.world.server.objects(kube::deployments())) {
      auto document = json::Document::parse(deployment.json());
      return document && document->root().at({"spec", "replicas"}).integer() == wanted_;
    }
    return false;
  }

 private:
  Chaos& chaos_;
  std::int64_t wanted_ = 1;
};

TEST_CASE("whatever befalls the replicas, two never work at once, and one does in the end") {
  const auto first = number_of("KEELSON_SIM_FROM", 1);
  const auto seeds = number_of("KEELSON_SIM_SEEDS", 6);
  std::size_t reigns = 0;
  for (auto seed = first; seed < first + seeds; ++seed) {
    INFO("seed " << seed);
    Chaos chaos(seed, {controllers::memcached()});
    Fickle user(chaos);

    chaos.rage(180, [&] { user.ask(); });
    chaos.calm();
    chaos.step(60s);

    CHECK(chaos.most_writers == 1);
    CHECK(chaos.who_came_back() == "");
    CHECK(chaos.world.leaders() == 1);
    CHECK(user.has_what_it_wants());
    reigns += chaos.reigns();
  }
  CHECK(reigns > seeds);
}

}  // namespace
}  // namespace keelson::test
