// metav1.Condition: the state of one aspect of an object in its status, and the rules for changing it.
//
// A status has a list of conditions with unique types. Set `list_map({"type"})` on that field, so that several
// controllers can apply their own conditions. All functions change a vector in memory; nothing is sent.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/schema/describe.hpp"

namespace keelson::kube {

// The schema limits all texts: `type` 316 characters, `reason` 1 to 1024, `message` 32768.
struct Condition {
  std::string type;                                 // "Ready"
  std::string status;                               // "True", "False", "Unknown"
  std::optional<std::int64_t> observed_generation;  // metadata.generation of the object that was reconciled
  Time last_transition_time;                        // of the last change of `status`, in whole seconds
  std::string reason;                               // CamelCase, never empty
  std::string message;                              // for people; may be empty

  bool operator==(const Condition&) const = default;
};

// Descriptions and constraints are those of metav1.Condition, so that the schema equals controller-gen's.
void describe(Description& d, Condition& condition);

// meta.FindStatusCondition: null if there is no such condition. The pointer is valid until `conditions` changes.
[[nodiscard]] const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type);

// meta.SetStatusCondition: adds or replaces the condition of that type. lastTransitionTime becomes `now` only if the
// status changes or the type is new; reason, message and observedGeneration are always replaced. Returns whether
// anything changed.
bool set_condition(std::vector<Condition>& conditions, Condition wanted, Time now);

// meta.RemoveStatusCondition. Returns whether the condition existed.
bool remove_condition(std::vector<Condition>& conditions, std::string_view type);

// Removes all conditions except those of these types. Call it for a status that was read and will be applied: an apply
// that contains the condition of another controller would own it from then on, and could restore an older state of it.
void retain_conditions(std::vector<Condition>& conditions, std::initializer_list<std::string_view> own);

// The state of one aspect as a controller computes it, before it becomes a Condition.
struct ConditionState {
  bool holds = false;   // status "True" or "False"
  std::string reason;   // CamelCase, never empty: the API server rejects the status otherwise
  std::string message;  // truncated to the schema's 32768 characters, because error texts may be longer
};

// Sets the condition `type` to "True" or "False" by the rules above. Returns whether anything changed.
bool set_condition(std::vector<Condition>& conditions, std::string_view type, const ConditionState& state,
                   std::int64_t observed_generation, Time now);

// The three conditions from which kstatus (in Flux and Argo CD) and `kubectl wait` derive the state of an object.
// kReady: Ready is True. kReconciling: Ready is False, progress continues. kStalled: Ready is False until the object or
// its environment is corrected.
enum class Readiness { kReady, kReconciling, kStalled };

// Sets Ready, and Reconciling or Stalled if it applies, with this reason and message; removes those that do not apply,
// because in kstatus they are abnormal-true conditions. Other conditions are not changed.
void set_readiness(std::vector<Condition>& conditions, Readiness readiness, std::string reason, std::string message,
                   std::int64_t observed_generation, Time now);

}  // namespace keelson::kube
