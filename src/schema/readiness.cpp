#include "keelson/schema/condition.hpp"

#include <utility>

namespace keelson::kube {

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
