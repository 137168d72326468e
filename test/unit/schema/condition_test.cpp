#include "keelson/schema/condition.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace keelson;
using std::chrono::seconds;

kube::Condition ready(std::string status, std::string reason) {
  kube::Condition condition;
  condition.type = "Ready";
  condition.status = std::move(status);
  condition.reason = std::move(reason);
  return condition;
}

// "Ready=False Reconciling=True"
std::string conditions_text(const std::vector<kube::Condition>& conditions) {
  std::string text;
  for (const auto& condition : conditions) {
    text += (text.empty() ? "" : " ") + condition.type + "=" + condition.status;
  }
  return text;
}

constexpr kube::Time at(int second) { return kube::Time(seconds(second)); }

}  // namespace

TEST_CASE("a new condition gets the time of now in whole seconds") {
  std::vector<kube::Condition> conditions;

  const bool changed = kube::set_condition(conditions, ready("True", "Done"), at(7) + std::chrono::milliseconds(999));

  CHECK(changed);
  REQUIRE(kube::find_condition(conditions, "Ready") != nullptr);
  CHECK(kube::find_condition(conditions, "Ready")->last_transition_time == at(7));
  CHECK(kube::find_condition(conditions, "Stalled") == nullptr);
}

TEST_CASE("the transition time stays the same while the status does, and other members are replaced") {
  std::vector<kube::Condition> conditions;
  kube::set_condition(conditions, ready("False", "Starting"), at(1));

  const bool changed = kube::set_condition(conditions, ready("False", "Waiting"), at(5));
  const bool changed_again = kube::set_condition(conditions, ready("False", "Waiting"), at(6));

  CHECK(changed);
  CHECK_FALSE(changed_again);
  REQUIRE(conditions.size() == 1);
  CHECK(conditions[0].reason == "Waiting");
  CHECK(conditions[0].last_transition_time == at(1));
}

TEST_CASE("the transition time changes with the status") {
  std::vector<kube::Condition> conditions;
  kube::set_condition(conditions, ready("False", "Starting"), at(1));

  kube::set_condition(conditions, ready("True", "Done"), at(5));

  CHECK(conditions[0].last_transition_time == at(5));
}

TEST_CASE("a condition is written as metav1.Condition") {
  kube::Condition condition = ready("True", "Done");
  condition.observed_generation = 4;

  CHECK(kube::encode(condition) == R"({"type":"Ready","status":"True","observedGeneration":4,)"
                                   R"("lastTransitionTime":"1970-01-01T00:00:00Z","reason":"Done","message":""})");
}

TEST_CASE("a condition without a reason is rejected") {
  const auto errors = kube::validate(ready("Maybe", ""), "status.conditions[0]");

  REQUIRE(errors.size() == 3);
  CHECK(errors[0].message() ==
        "status.conditions[0].status: Unsupported value: \"Maybe\": supported values: \"True\", \"False\", "
        "\"Unknown\"");
  CHECK(errors[1].path == "status.conditions[0].reason");
}

TEST_CASE("the conditions of other controllers are not retained") {
  std::vector<kube::Condition> conditions;
  for (const auto* type : {"Audited", "Ready", "Stalled"}) {
    kube::set_condition(conditions, type, {true, "R", ""}, 1, at(1));
  }

  kube::retain_conditions(conditions, {"Ready", "Stalled", "Reconciling"});

  CHECK(conditions.size() == 2);
  CHECK(kube::find_condition(conditions, "Audited") == nullptr);
}

TEST_CASE("set_readiness sets Ready, and adds Reconciling or Stalled only while they are True") {
  std::vector<kube::Condition> conditions;
  auto set = [&conditions](kube::Readiness readiness, int second) {
    kube::set_readiness(conditions, readiness, "Why", "Because.", 7, at(second));
    return conditions_text(conditions);
  };

  CHECK(set(kube::Readiness::kReconciling, 1) == "Ready=False Reconciling=True");
  CHECK(set(kube::Readiness::kStalled, 2) == "Ready=False Stalled=True");
  CHECK(conditions[0].last_transition_time == at(1));
  CHECK(set(kube::Readiness::kReady, 3) == "Ready=True");
  CHECK(conditions[0].last_transition_time == at(3));
  CHECK(conditions[0].observed_generation == 7);
  CHECK(conditions[0].reason == "Why");
  CHECK(conditions[0].message == "Because.");
}
