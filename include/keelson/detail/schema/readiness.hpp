// The three conditions from which kstatus (in Flux and Argo CD) and `kubectl wait` derive the state of an object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/schema/condition.hpp"

namespace keelson::kube {

// kReady: Ready is True. kReconciling: Ready is False, progress continues. kStalled: Ready is False until the object or
// its environment is corrected.
enum class Readiness { kReady, kReconciling, kStalled };

// Sets Ready, and Reconciling or Stalled if it applies, with this reason and message; removes those that do not apply,
// because in kstatus they are abnormal-true conditions. Other conditions are not changed.
void set_readiness(std::vector<Condition>& conditions, Readiness readiness, std::string reason, std::string message,
                   std::int64_t observed_generation, Time now);

}  // namespace keelson::kube
