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

Answer answer_after(async::Duration lasted, Verb verb = Verb::kPatch) { return {verb, 200, false, lasted}; }

// The sign of the last of `count` answers with one duration, ten in a second.
std::optional<Overload> sign_after(ConcurrencyPolicy& policy, async::TimePoint& now, int count,
                                   async::Duration lasted) {
  std::optional<Overload> sign;
  for (int i = 0; i < count; ++i) {
    now += 100ms;
    sign = policy.sign_in(answer_after(lasted), now);
  }
  return sign;
}

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

TEST_CASE("latency is a sign if it is above a second and three times the shortest of the last minutes") {
  ConcurrencyPolicy policy(10);
  auto now = kStart;

  CHECK(sign_after(policy, now, 20, 50ms) == std::nullopt);
  CHECK(sign_after(policy, now, 1, 30s) == std::nullopt);  // one request that waited for its timeout
  CHECK(sign_after(policy, now, 20, 50ms) == std::nullopt);
  CHECK(sign_after(policy, now, 30, 1500ms) == Overload::kLatency);
  CHECK(sign_after(policy, now, 30, 50ms) == std::nullopt);
}

TEST_CASE("a server that is always slow is not overloaded") {
  ConcurrencyPolicy policy(10);
  auto now = kStart;

  CHECK(sign_after(policy, now, 600, 2s) == std::nullopt);
}

TEST_CASE("a server that has become slow for good is the new normal after two minutes") {
  ConcurrencyPolicy policy(10);
  auto now = kStart;

  CHECK(sign_after(policy, now, 20, 50ms) == std::nullopt);
  CHECK(sign_after(policy, now, 600, 2s) == Overload::kLatency);
  CHECK(sign_after(policy, now, 620, 2s) == std::nullopt);
}

TEST_CASE("lists and watches take their time") {
  ConcurrencyPolicy policy(10);
  for (const auto verb : {Verb::kList, Verb::kWatch, Verb::kDeleteCollection}) {
    CHECK(policy.sign_in(answer_after(20ms, Verb::kGet), kStart) == std::nullopt);
    for (int i = 0; i < 100; ++i) CHECK(policy.sign_in(answer_after(30s, verb), kStart) == std::nullopt);
  }
}

TEST_CASE("a reduction halves what is in use, once a second, and never below one") {
  ConcurrencyPolicy policy(100);

  CHECK(policy.reduce(40, kStart));
  CHECK(policy.limit() == 20);
  CHECK_FALSE(policy.reduce(40, kStart + 999ms));
  CHECK(policy.limit() == 20);
  CHECK(policy.reduce(40, kStart + 1s));
  CHECK(policy.limit() == 10);
  CHECK(policy.reduce(1, kStart + 2s));
  CHECK(policy.limit() == 1);
  CHECK_FALSE(policy.reduce(1, kStart + 3s));
  CHECK(policy.limit() == 1);
}

TEST_CASE("the limit rises by a twentieth of all workers in each second without a sign") {
  struct Case {
    int workers;
    int seconds;  // until all workers may reconcile
  };
  for (const auto one : {Case{100, 20}, Case{5, 4}, Case{1000, 20}}) {
    INFO(one.workers);
    ConcurrencyPolicy policy(one.workers);
    static_cast<void>(policy.sign_in({Verb::kPatch, 429, true, 5ms}, kStart));
    CHECK(policy.reduce(2, kStart));
    CHECK_FALSE(policy.grow(kStart + 500ms));

    int seconds = 0;
    while (policy.is_reduced()) CHECK(policy.grow(kStart + 1s * ++seconds));

    CHECK(seconds == one.seconds);
    CHECK(policy.limit() == one.workers);
    CHECK_FALSE(policy.grow(kStart + 100s));
  }
}
