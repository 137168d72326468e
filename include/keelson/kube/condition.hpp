// metav1.Condition: what a status says about one aspect of an object, and the rules for changing it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"

namespace keelson::kube {

struct Condition {
  std::string type;    // "Ready"
  std::string status;  // "True", "False", "Unknown"
  std::optional<std::int64_t> observed_generation;
  Time last_transition_time;  // async::WallTime; in whole seconds
  std::string reason;         // CamelCase, never empty
  std::string message;

  bool operator==(const Condition&) const = default;
};

void describe(Description& d, Condition& condition);

[[nodiscard]] const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type);

// meta.SetStatusCondition: the time is `now` only when the status changes (and for a new type); reason, message and
// observedGeneration always become the new ones. Returns whether anything changed.
bool set_condition(std::vector<Condition>& conditions, Condition wanted, Time now);

// meta.RemoveStatusCondition. Returns whether it was there.
bool remove_condition(std::vector<Condition>& conditions, std::string_view type);

// Leaves the conditions of these types, in a status that was read and will be changed and applied: an apply that
// repeats the condition of another controller owns it from then on, and may put back an older one.
void retain_conditions(std::vector<Condition>& conditions, std::initializer_list<std::string_view> own);

// What a controller reports about one aspect, before it becomes a Condition.
struct ConditionState {
  bool holds = false;
  std::string reason;
  std::string message;  // cut to the schema's length: an error's text may be longer
};

// "True" or "False", by set_condition's rules. Returns whether anything changed.
bool set_condition(std::vector<Condition>& conditions, std::string_view type, const ConditionState& state,
                   std::int64_t observed_generation, Time now);

}  // namespace keelson::kube
