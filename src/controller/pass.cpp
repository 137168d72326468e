#include "keelson/controller/pass.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/basic_pass.hpp"

namespace keelson::controller {

namespace {

bool is_true(const std::vector<kube::Condition>& conditions, std::string_view type) {
  const auto* condition = kube::find_condition(conditions, type);
  return condition != nullptr && condition->status == "True";
}

// The texts of an Error: a prune may fail for thousands of children.
constexpr std::size_t kMostTexts = 16;

int rank(const Error& error) {
  if (error.kind == Error::Kind::kChildDeleting) return 2;
  return error.kind == Error::Kind::kTerminal ? 1 : 0;
}

}  // namespace

Error joined(std::vector<Error> errors) {
  KEELSON_ASSERT(!errors.empty());
  std::ranges::stable_sort(errors, {}, rank);
  auto all = errors.front();
  // The others may disappear by a retry.
  if (rank(errors.back()) != rank(all) && all.kind == Error::Kind::kTerminal) all.kind = Error::Kind::kInvalid;
  auto& text = all.server_text.empty() ? all.text : all.server_text;
  for (std::size_t i = 1; i < errors.size(); ++i) {
    all.retry_after = std::max(all.retry_after, errors[i].retry_after);
    if (i < kMostTexts) text += "; and " + errors[i].message();
  }
  if (errors.size() > kMostTexts) text += "; and " + std::to_string(errors.size() - kMostTexts) + " more errors";
  return all;
}

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
