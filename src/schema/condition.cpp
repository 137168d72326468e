#include "keelson/schema/condition.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/utf8.hpp"

namespace keelson::kube {

namespace {

// The schema counts characters; a text has at most as many characters as bytes.
constexpr std::size_t kMessageLength = 32768;

std::string in_schema(const std::string& message) { return std::string(base::cut_utf8(message, kMessageLength)); }

}  // namespace

void describe(Description& d, Condition& condition) {
  d.document("Condition contains details for one aspect of the current state of this API Resource.");
  d.field("type", condition.type, "type of condition in CamelCase or in foo.example.com/CamelCase.")
      .required()
      .max_length(316)
      .pattern(
          R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)");
  d.field("status", condition.status, "status of the condition, one of True, False, Unknown.")
      .required()
      .one_of({"True", "False", "Unknown"});
  d.field("observedGeneration", condition.observed_generation,
          "observedGeneration represents the .metadata.generation that the condition was set based upon.\n"
          "For instance, if .metadata.generation is currently 12, but the .status.conditions[x].observedGeneration is "
          "9, the condition is out of date\n"
          "with respect to the current state of the instance.")
      .minimum(0);
  d.field("lastTransitionTime", condition.last_transition_time,
          "lastTransitionTime is the last time the condition transitioned from one status to another.\n"
          "This should be when the underlying condition changed.  If that is not known, then using the time when the "
          "API field changed is acceptable.")
      .required();
  d.field("reason", condition.reason,
          "reason contains a programmatic identifier indicating the reason for the condition's last transition.\n"
          "Producers of specific condition types may define expected values and meanings for this field,\n"
          "and whether the values are considered a guaranteed API.\n"
          "The value should be a CamelCase string.\n"
          "This field may not be empty.")
      .required()
      .min_length(1)
      .max_length(1024)
      .pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");
  d.field("message", condition.message,
          "message is a human readable message indicating details about the transition.\n"
          "This may be an empty string.")
      .required()
      .max_length(kMessageLength);
}

const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

bool set_condition(std::vector<Condition>& conditions, Condition wanted, Time now) {
  const auto found = std::ranges::find(conditions, wanted.type, &Condition::type);
  wanted.last_transition_time = std::chrono::floor<std::chrono::seconds>(now);
  if (found == conditions.end()) {
    conditions.push_back(std::move(wanted));
    return true;
  }
  if (found->status == wanted.status) wanted.last_transition_time = found->last_transition_time;
  if (*found == wanted) return false;
  *found = std::move(wanted);
  return true;
}

void retain_conditions(std::vector<Condition>& conditions, std::initializer_list<std::string_view> own) {
  std::erase_if(conditions,
                [&own](const Condition& condition) { return std::ranges::find(own, condition.type) == own.end(); });
}

bool remove_condition(std::vector<Condition>& conditions, std::string_view type) {
  return std::erase_if(conditions, [type](const Condition& condition) { return condition.type == type; }) != 0;
}

bool set_condition(std::vector<Condition>& conditions, std::string_view type, const ConditionState& state,
                   std::int64_t observed_generation, Time now) {
  Condition condition;
  condition.type = type;
  condition.status = state.holds ? "True" : "False";
  condition.reason = state.reason;
  condition.message = in_schema(state.message);
  condition.observed_generation = observed_generation;
  return set_condition(conditions, std::move(condition), now);
}

void set_readiness(std::vector<Condition>& conditions, Readiness readiness, std::string reason, std::string message,
                   std::int64_t observed_generation, Time now) {
  ConditionState state{readiness == Readiness::kReady, std::move(reason), std::move(message)};
  set_condition(conditions, "Ready", state, observed_generation, now);
  state.holds = true;
  auto set_while = [&](const char* type, bool holds) {
    if (holds) {
      set_condition(conditions, type, state, observed_generation, now);
    } else {
      remove_condition(conditions, type);
    }
  };
  set_while("Reconciling", readiness == Readiness::kReconciling);
  set_while("Stalled", readiness == Readiness::kStalled);
}

}  // namespace keelson::kube
