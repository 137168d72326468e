#include "keelson/api/policy/v1/pod_disruption_budget.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::policy::v1 {

constexpr kube::StructTable::Field kPodDisruptionBudgetSpecFields[] = {
    KEELSON_TABLE_FIELD(PodDisruptionBudgetSpec, min_available, "minAvailable", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetSpec, selector, "selector", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetSpec, max_unavailable, "maxUnavailable", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetSpec, unhealthy_pod_eviction_policy, "unhealthyPodEvictionPolicy", kOptional),
};
constinit const kube::StructTable PodDisruptionBudgetSpec::kFields(kPodDisruptionBudgetSpecFields);

constexpr kube::StructTable::Field kPodDisruptionBudgetStatusFields[] = {
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, disrupted_pods, "disruptedPods", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, disruptions_allowed, "disruptionsAllowed", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, current_healthy, "currentHealthy", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, desired_healthy, "desiredHealthy", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, expected_pods, "expectedPods", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudgetStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable PodDisruptionBudgetStatus::kFields(kPodDisruptionBudgetStatusFields);

constexpr kube::StructTable::Field kPodDisruptionBudgetFields[] = {
    KEELSON_TABLE_FIELD(PodDisruptionBudget, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudget, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(PodDisruptionBudget, status, "status", kOptional),
};
constinit const kube::StructTable PodDisruptionBudget::kFields(kPodDisruptionBudgetFields);

}  // namespace keelson::policy::v1
