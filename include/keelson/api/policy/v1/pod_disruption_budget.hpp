// PodDisruptionBudget of policy/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::policy::v1 {

// The type of PodDisruptionBudget.spec.
struct PodDisruptionBudgetSpec {
  std::optional<kube::IntOrString> min_available;  // minAvailable
  kube::Box<meta::v1::LabelSelector> selector;
  std::optional<kube::IntOrString> max_unavailable;          // maxUnavailable
  std::optional<std::string> unhealthy_pod_eviction_policy;  // unhealthyPodEvictionPolicy

  static const kube::StructTable kFields;
  bool operator==(const PodDisruptionBudgetSpec&) const = default;
};

// The type of PodDisruptionBudget.status.
struct PodDisruptionBudgetStatus {
  std::int64_t observed_generation = 0;              // observedGeneration
  std::map<std::string, kube::Time> disrupted_pods;  // disruptedPods
  std::optional<std::int32_t> disruptions_allowed;   // disruptionsAllowed
  std::optional<std::int32_t> current_healthy;       // currentHealthy
  std::optional<std::int32_t> desired_healthy;       // desiredHealthy
  std::optional<std::int32_t> expected_pods;         // expectedPods
  std::vector<kube::Condition> conditions;           // one for each type

  static const kube::StructTable kFields;
  bool operator==(const PodDisruptionBudgetStatus&) const = default;
};

// PodDisruptionBudget, namespaced. `kubectl explain poddisruptionbudget --recursive` shows what its fields mean.
struct PodDisruptionBudget {
  static constexpr kube::Identity kIdentity{"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets"};

  meta::v1::ObjectMeta metadata;
  PodDisruptionBudgetSpec spec;
  PodDisruptionBudgetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const PodDisruptionBudget&) const = default;
};

}  // namespace keelson::policy::v1
