// The three conditions by which kstatus, and with it `kubectl wait`, Argo CD and Flux, read an object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/kube/condition.hpp"

namespace keelson::kube {

enum class Readiness { kReady, kReconciling, kStalled };

// Ready, and beside it Reconciling or Stalled while they hold; all of them with this reason and message.
void set_readiness(std::vector<Condition>& conditions, Readiness readiness, std::string reason, std::string message,
                   std::int64_t observed_generation, Time now);

}  // namespace keelson::kube
