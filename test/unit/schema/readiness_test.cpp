#include "keelson/schema/condition.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/async/clock.hpp"

namespace {

using namespace keelson;
using kube::Readiness;

// "Ready=False Reconciling=True"
std::string conditions_text(const std::vector<kube::Condition>& conditions) {
  std::string text;
  for (const auto& condition : conditions) {
    text += (text.empty() ? "" : " ") + condition.type + "=" + condition.status;
  }
  return text;
}

}  // namespace

TEST_CASE("set_readiness sets Ready, and adds Reconciling or Stalled only while they are True") {
  std::vector<kube::Condition> conditions;
  auto set = [&conditions](Readiness readiness, int second) {
    kube::set_readiness(conditions, readiness, "Why", "Because.", 7, async::WallTime(std::chrono::seconds(second)));
    return conditions_text(conditions);
  };

  CHECK(set(Readiness::kReconciling, 1) == "Ready=False Reconciling=True");
  CHECK(set(Readiness::kStalled, 2) == "Ready=False Stalled=True");
  CHECK(conditions[0].last_transition_time == async::WallTime(std::chrono::seconds(1)));
  CHECK(set(Readiness::kReady, 3) == "Ready=True");
  CHECK(conditions[0].last_transition_time == async::WallTime(std::chrono::seconds(3)));
  CHECK(conditions[0].observed_generation == 7);
  CHECK(conditions[0].reason == "Why");
  CHECK(conditions[0].message == "Because.");
}
