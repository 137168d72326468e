// Which durations of requests are longer than usual, as tables.
#include "src/controller/request_latency.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using controller::RequestLatency;
using kube::Verb;

struct LatencyOverTime {
  // The result for the last of `count` answers, ten in a second.
  bool is_rising_after(int count, async::Duration lasted, Verb verb = Verb::kPatch,
                       const std::string& target = "deployments.apps") {
    bool is_rising = false;
    for (int i = 0; i < count; ++i) {
      now += 100ms;
      is_rising = latency.is_rising({verb, 200, false, lasted, target}, now);
    }
    return is_rising;
  }

  RequestLatency latency;
  async::TimePoint now{};
};

}  // namespace

TEST_CASE("latency rises if it is above a second and three times the shortest of the last minutes") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(20, 50ms));
  CHECK_FALSE(world.is_rising_after(1, 30s));  // one request that waited for its timeout
  CHECK_FALSE(world.is_rising_after(20, 50ms));
  CHECK(world.is_rising_after(30, 1500ms));
  CHECK_FALSE(world.is_rising_after(1, 50ms));  // a short one, while the smoothed duration is still long
  CHECK_FALSE(world.is_rising_after(30, 50ms));
}

TEST_CASE("a request that times out counts as a long one") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(20, 50ms));
  for (int i = 0; i < 3; ++i) {
    world.now += 1s;
    CHECK(world.latency.is_rising({Verb::kPatch, 0, false, 60s, "deployments.apps"}, world.now) == (i == 2));
  }
}

TEST_CASE("a server that is always slow does not become slower") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(600, 2s));
}

TEST_CASE("a server that has become slow for good is the new normal after two minutes") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(20, 50ms));
  CHECK(world.is_rising_after(600, 2s));
  CHECK_FALSE(world.is_rising_after(620, 2s));
}

TEST_CASE("a slow first answer does not make the next ones slow") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(1, 30s));
  for (int i = 0; i < 10; ++i) CHECK_FALSE(world.is_rising_after(1, 1100ms));
}

TEST_CASE("a kind of request that a webhook slows down is compared with itself only") {
  LatencyOverTime world;

  for (int i = 0; i < 200; ++i) {
    CHECK_FALSE(world.is_rising_after(1, 10s, Verb::kCreate, "pods"));
    CHECK_FALSE(world.is_rising_after(3, 5ms, Verb::kUpdate, "leases.coordination.k8s.io"));
    CHECK_FALSE(world.is_rising_after(1, 20ms, Verb::kPatch, "pods"));
    CHECK_FALSE(world.is_rising_after(1, 20ms, Verb::kPatch, "pods/status"));
  }
}

TEST_CASE("a kind without a request for a minute is forgotten") {
  LatencyOverTime world;

  CHECK_FALSE(world.is_rising_after(20, 50ms));
  CHECK(world.is_rising_after(30, 2s));
  world.now += 2min;
  CHECK_FALSE(world.is_rising_after(10, 2s));
}

TEST_CASE("lists and watches take their time") {
  LatencyOverTime world;

  for (const auto verb : {Verb::kList, Verb::kWatch, Verb::kDeleteCollection}) {
    CHECK_FALSE(world.is_rising_after(20, 20ms, verb));
    CHECK_FALSE(world.is_rising_after(100, 30s, verb));
  }
}

TEST_CASE("the number of kinds is limited, and forgotten ones make room") {
  LatencyOverTime world;
  for (int kind = 0; kind < 300; ++kind) {
    CHECK_FALSE(world.is_rising_after(1, 5ms, Verb::kGet, "kind" + std::to_string(kind)));
  }

  CHECK_FALSE(world.is_rising_after(20, 50ms, Verb::kGet, "late"));
  CHECK_FALSE(world.is_rising_after(30, 2s, Verb::kGet, "late"));
  world.now += 2min;
  CHECK_FALSE(world.is_rising_after(20, 50ms, Verb::kGet, "late"));
  CHECK(world.is_rising_after(30, 2s, Verb::kGet, "late"));
}
