#include "src/controller/reconcile_pace.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using controller::ReconcilePace;

const async::TimePoint kStart{1h};

}  // namespace

TEST_CASE("requests without a delay are granted, until there are too many in a row") {
  ReconcilePace pace;
  for (int i = 0; i < limits::kImmediateRequeues; ++i) CHECK(pace.requeued("a", 0s, 7) == 0s);

  CHECK(pace.requeued("a", 0s, 7) == ReconcilePace::kPace);
  CHECK(pace.requeued("b", -1s, 7) == -1s);
  CHECK(pace.busy(kStart).size() == 1);
  CHECK(pace.busy("a", kStart).immediate == limits::kImmediateRequeues + 1);
}

TEST_CASE("another end of a pass, or a longer delay, ends the row") {
  ReconcilePace pace;
  for (const bool has_delay : {false, true}) {
    for (int i = 0; i <= limits::kImmediateRequeues; ++i) (void)pace.requeued("a", 0s, 7);
    REQUIRE(pace.busy("a", kStart).immediate > 0);

    if (has_delay) {
      CHECK(pace.requeued("a", 5ms, 7) == 5ms);
    } else {
      pace.ended("a");
    }

    CHECK(pace.busy("a", kStart).immediate == 0);
    CHECK(pace.busy(kStart).empty());
    CHECK(pace.requeued("a", 0s, 7) == 0s);
  }
}

TEST_CASE("a row of requests that change the spec is granted") {
  ReconcilePace pace;

  for (std::int64_t generation = 1; generation < 100; ++generation) {
    CHECK(pace.requeued("a", 0s, generation) == 0s);
    CHECK(pace.requeued("a", 1ms, generation) == 1ms);
  }

  CHECK(pace.busy(kStart).empty());
}

TEST_CASE("a key that is reconciled thousands of times within a minute is busy, until the minute after it") {
  ReconcilePace pace;
  for (std::uint64_t i = 0; i + 1 < limits::kBusyReconciles; ++i) pace.count("a", kStart);
  CHECK(pace.busy(kStart).empty());

  pace.count("a", kStart + 59s);

  REQUIRE(pace.busy(kStart + 59s).size() == 1);
  CHECK(pace.busy(kStart + 59s).front().key == "a");
  CHECK(pace.busy("a", kStart + 59s).reconciles == limits::kBusyReconciles);
  pace.count("b", kStart + 60s);
  CHECK(pace.busy("a", kStart + 119s).reconciles == limits::kBusyReconciles);
  CHECK(pace.busy(kStart + 181s).empty());
}

TEST_CASE("a busy key is found among many others, in fixed memory") {
  ReconcilePace pace;
  for (int i = 0; i < 20'000; ++i) {
    pace.count("spins", kStart);
    if (i % 4 == 0) pace.count("key-" + std::to_string(i), kStart);
  }

  REQUIRE(pace.busy(kStart).size() == 1);
  CHECK(pace.busy(kStart).front().key == "spins");
}

TEST_CASE("two busy minutes are not added") {
  ReconcilePace pace;
  for (const auto minute : {0min, 1min}) {
    for (std::uint64_t i = 0; i < limits::kBusyReconciles / 2; ++i) pace.count("a", kStart + minute);
  }

  CHECK(pace.busy(kStart + 1min).empty());
}
