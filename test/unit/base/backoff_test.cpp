#include "keelson/detail/base/backoff.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace std::chrono_literals;
using keelson::base::Backoff;
using keelson::base::Random;

TEST_CASE("the reflector's backoff grows from 0.8 s to 30 s, as in client-go") {
  Random random(1);
  Backoff backoff({.initial = 800ms, .factor = 2.0, .cap = 30s, .jitter = 0.0}, random);

  std::vector<std::chrono::nanoseconds> waits;
  for (int step = 0; step < 8; ++step) waits.push_back(backoff.next());

  CHECK(waits == std::vector<std::chrono::nanoseconds>{800ms, 1600ms, 3200ms, 6400ms, 12800ms, 25600ms, 30s, 30s});
}

TEST_CASE("a reset backoff starts again at the first delay") {
  Random random(1);
  Backoff backoff({.initial = 5ms, .factor = 2.0, .cap = 1000s, .jitter = 0.0}, random);
  (void)backoff.next();
  (void)backoff.next();

  backoff.reset();

  CHECK(backoff.next() == 5ms);
}

TEST_CASE("a backoff stays at the cap for a thousand steps and does not overflow") {
  Random random(1);
  Backoff backoff({.initial = 1s, .factor = 1e9, .cap = 24h, .jitter = 0.0}, random);

  for (int step = 0; step < 1000; ++step) (void)backoff.next();

  CHECK(backoff.next() == 24h);
}

TEST_CASE("jitter extends a delay by less than its share and does not compound") {
  Random random(7);
  Backoff backoff({.initial = 800ms, .factor = 2.0, .cap = 30s, .jitter = 1.0}, random);
  const std::chrono::nanoseconds plain[] = {800ms, 1600ms, 3200ms, 6400ms, 12800ms, 25600ms, 30s, 30s, 30s};

  bool stretched = false;
  for (auto base : plain) {
    auto wait = backoff.next();
    CHECK(wait >= base);
    CHECK(wait < 2 * base);
    stretched = stretched || wait != base;
  }

  CHECK(stretched);
}
