#include "keelson/api/batch/v1/job_spec.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::batch::v1 {

constexpr kube::StructTable::Field kPodFailurePolicyOnExitCodesRequirementFields[] = {
    KEELSON_TABLE_FIELD(PodFailurePolicyOnExitCodesRequirement, container_name, "containerName", kOptional),
    KEELSON_TABLE_FIELD(PodFailurePolicyOnExitCodesRequirement, operator_, "operator", kRequired),
    KEELSON_TABLE_FIELD(PodFailurePolicyOnExitCodesRequirement, values, "values", kRequired),
};
constinit const kube::StructTable PodFailurePolicyOnExitCodesRequirement::kFields(kPodFailurePolicyOnExitCodesRequirementFields);

constexpr kube::StructTable::Field kPodFailurePolicyOnPodConditionsPatternFields[] = {
    KEELSON_TABLE_FIELD(PodFailurePolicyOnPodConditionsPattern, type, "type", kRequired),
    KEELSON_TABLE_FIELD(PodFailurePolicyOnPodConditionsPattern, status, "status", kOptional),
};
constinit const kube::StructTable PodFailurePolicyOnPodConditionsPattern::kFields(kPodFailurePolicyOnPodConditionsPatternFields);

constexpr kube::StructTable::Field kPodFailurePolicyRuleFields[] = {
    KEELSON_TABLE_FIELD(PodFailurePolicyRule, action, "action", kRequired),
    KEELSON_TABLE_FIELD(PodFailurePolicyRule, on_exit_codes, "onExitCodes", kOptional),
    KEELSON_TABLE_FIELD(PodFailurePolicyRule, on_pod_conditions, "onPodConditions", kOptional),
};
constinit const kube::StructTable PodFailurePolicyRule::kFields(kPodFailurePolicyRuleFields);

constexpr kube::StructTable::Field kPodFailurePolicyFields[] = {
    KEELSON_TABLE_FIELD(PodFailurePolicy, rules, "rules", kRequired),
};
constinit const kube::StructTable PodFailurePolicy::kFields(kPodFailurePolicyFields);

constexpr kube::StructTable::Field kSuccessPolicyRuleFields[] = {
    KEELSON_TABLE_FIELD(SuccessPolicyRule, succeeded_indexes, "succeededIndexes", kOptional),
    KEELSON_TABLE_FIELD(SuccessPolicyRule, succeeded_count, "succeededCount", kOptional),
};
constinit const kube::StructTable SuccessPolicyRule::kFields(kSuccessPolicyRuleFields);

constexpr kube::StructTable::Field kSuccessPolicyFields[] = {
    KEELSON_TABLE_FIELD(SuccessPolicy, rules, "rules", kRequired),
};
constinit const kube::StructTable SuccessPolicy::kFields(kSuccessPolicyFields);

constexpr kube::StructTable::Field kJobSpecFields[] = {
    KEELSON_TABLE_FIELD(JobSpec, parallelism, "parallelism", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, completions, "completions", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, active_deadline_seconds, "activeDeadlineSeconds", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, pod_failure_policy, "podFailurePolicy", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, success_policy, "successPolicy", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, backoff_limit, "backoffLimit", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, backoff_limit_per_index, "backoffLimitPerIndex", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, max_failed_indexes, "maxFailedIndexes", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, selector, "selector", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, manual_selector, "manualSelector", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, pod_template, "template", kRequired),
    KEELSON_TABLE_FIELD(JobSpec, ttl_seconds_after_finished, "ttlSecondsAfterFinished", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, completion_mode, "completionMode", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, suspend, "suspend", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, pod_replacement_policy, "podReplacementPolicy", kOptional),
    KEELSON_TABLE_FIELD(JobSpec, managed_by, "managedBy", kOptional),
};
constinit const kube::StructTable JobSpec::kFields(kJobSpecFields);

}  // namespace keelson::batch::v1
