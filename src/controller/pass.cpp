#include "keelson/controller/pass.hpp"

#include "keelson/detail/base/misuse.hpp"

namespace keelson::controller {

namespace {

bool is_true(const std::vector<kube::Condition>& conditions, std::string_view type) {
  const auto* condition = kube::find_condition(conditions, type);
  return condition != nullptr && condition->status == "True";
}

}  // namespace

bool is_settled(const std::vector<kube::Condition>& before, const std::vector<kube::Condition>& after) {
  if (is_true(after, "Reconciling")) return false;
  return is_true(after, "Ready") || (is_true(after, "Stalled") && !is_true(before, "Stalled"));
}

void misuse_condition(const kube::Object& object, const std::string& type) {
  if (is_reserved_condition(type)) {
    throw base::Misuse("the status of " + object.key().text() + " has the condition " + type +
                       ", which the framework sets");
  }
  throw base::Misuse("the status of " + object.key().text() + " has the condition " + type +
                     ", which kConditions of its kind does not list: add it there");
}

void align_conditions(std::vector<kube::Condition>& conditions, const std::vector<kube::Condition>& before) {
  const auto place_in_before = [&](const kube::Condition& condition) {
    return std::ranges::find(before, condition.type, &kube::Condition::type) - before.begin();
  };
  for (auto& condition : conditions) {
    const auto* former = kube::find_condition(before, condition.type);
    if (former != nullptr && former->status == condition.status) {
      condition.last_transition_time = former->last_transition_time;
    }
  }
  std::ranges::stable_sort(conditions, {}, place_in_before);
}

}  // namespace keelson::controller
