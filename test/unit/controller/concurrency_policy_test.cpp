// How many objects may be reconciled at once while the API server is overloaded, as tables.
#include "src/controller/concurrency_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using controller::ConcurrencyPolicy;
using controller::Overload;
using kube::Answer;
using kube::Verb;

constexpr async::TimePoint kStart{};

}  // namespace

TEST_CASE("rejections of the server are signs of overload, those of an object are not") {
  struct Case {
    const char* name;
    Answer answer;
    std::optional<Overload> sign;
  };
  const Case cases[] = {
      {"success", {Verb::kPatch, 200, false, 5ms}, std::nullopt},
      {"429", {Verb::kPatch, 429, true, 5ms}, Overload::kThrottled},
      {"429 of a watch", {Verb::kWatch, 429, true, 5ms}, Overload::kThrottled},
      {"429 of an eviction that a budget forbids", {Verb::kCreate, 429, false, 5ms}, std::nullopt},
      {"503 with Retry-After", {Verb::kGet, 503, true, 5ms}, Overload::kUnavailable},
      {"500 of a webhook", {Verb::kPatch, 500, false, 5ms}, std::nullopt},
      {"404", {Verb::kGet, 404, false, 5ms}, std::nullopt},
  };
  for (const auto& one : cases) {
    INFO(one.name);
    ConcurrencyPolicy policy(10);
    CHECK(policy.sign_in(one.answer, kStart) == one.sign);
  }
}

TEST_CASE("a reduction halves what is in use, once a second, and never below one") {
  ConcurrencyPolicy policy(100);

  CHECK(policy.reduce(Overload::kThrottled, 40, kStart));
  CHECK(policy.limit() == 20);
  CHECK_FALSE(policy.reduce(Overload::kThrottled, 40, kStart + 999ms));
  CHECK(policy.limit() == 20);
  CHECK(policy.reduce(Overload::kThrottled, 40, kStart + 1s));
  CHECK(policy.limit() == 10);
  CHECK(policy.reduce(Overload::kThrottled, 1, kStart + 2s));
  CHECK(policy.limit() == 1);
  CHECK_FALSE(policy.reduce(Overload::kThrottled, 1, kStart + 3s));
  CHECK(policy.limit() == 1);
}

TEST_CASE("the limit rises by a twentieth of all workers in each second without a sign") {
  struct Case {
    int workers;
    int seconds;  // until all workers may reconcile
  };
  for (const auto one : {Case{100, 20}, Case{5, 4}, Case{21, 10}, Case{39, 19}, Case{59, 20}, Case{1000, 20}}) {
    INFO(one.workers);
    ConcurrencyPolicy policy(one.workers);
    static_cast<void>(policy.sign_in({Verb::kPatch, 429, true, 5ms}, kStart));
    CHECK(policy.reduce(Overload::kThrottled, 2, kStart));
    CHECK_FALSE(policy.grow(kStart + 500ms));

    int seconds = 0;
    while (policy.is_reduced()) CHECK(policy.grow(kStart + 1s * ++seconds));

    CHECK(seconds == one.seconds);
    CHECK(policy.limit() == one.workers);
    CHECK_FALSE(policy.grow(kStart + 100s));
  }
}

TEST_CASE("slow answers leave half of the workers, and do not keep what rejections have reduced") {
  ConcurrencyPolicy policy(20);
  auto now = kStart;
  const auto answer = [&](async::Duration lasted) {
    now += 1s;
    return policy.sign_in({Verb::kPatch, 200, false, lasted}, now);
  };
  for (int i = 0; i < 20; ++i) CHECK(answer(50ms) == std::nullopt);
  for (int i = 0; i < 9; ++i) static_cast<void>(answer(2s));

  CHECK(answer(2s) == Overload::kLatency);
  CHECK(policy.reduce(Overload::kLatency, 4, now));
  CHECK(policy.limit() == 10);
  CHECK(answer(2s) == Overload::kLatency);
  CHECK_FALSE(policy.reduce(Overload::kLatency, 4, now));
  CHECK_FALSE(policy.grow(now));

  CHECK(policy.sign_in({Verb::kPatch, 429, true, 5ms}, now) == Overload::kThrottled);
  CHECK(policy.reduce(Overload::kThrottled, 4, now));
  CHECK(policy.limit() == 2);
  for (int i = 0; i < 20; ++i) {
    CHECK(answer(2s) == Overload::kLatency);
    static_cast<void>(policy.grow(now));
  }
  CHECK(policy.limit() == 10);
}
