// JobSpec of batch/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"

namespace keelson::batch::v1 {

// The type of PodFailurePolicyRule.onExitCodes.
struct PodFailurePolicyOnExitCodesRequirement {
  std::optional<std::string> container_name;  // containerName
  std::string operator_;                      // operator, required
  std::vector<std::int32_t> values;           // required

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyOnExitCodesRequirement&) const = default;
};

// The type of PodFailurePolicyRule.onPodConditions.
struct PodFailurePolicyOnPodConditionsPattern {
  std::string type;  // required
  std::optional<std::string> status;

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyOnPodConditionsPattern&) const = default;
};

// The type of PodFailurePolicy.rules.
struct PodFailurePolicyRule {
  std::string action;                                                      // required
  kube::Box<PodFailurePolicyOnExitCodesRequirement> on_exit_codes;         // onExitCodes
  kube::ListOf<PodFailurePolicyOnPodConditionsPattern> on_pod_conditions;  // onPodConditions, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyRule&) const = default;
};

// The type of JobSpec.podFailurePolicy.
struct PodFailurePolicy {
  kube::ListOf<PodFailurePolicyRule> rules;  // required, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicy&) const = default;
};

// The type of SuccessPolicy.rules.
struct SuccessPolicyRule {
  std::optional<std::string> succeeded_indexes;  // succeededIndexes
  std::optional<std::int32_t> succeeded_count;   // succeededCount

  static const kube::StructTable kFields;
  bool operator==(const SuccessPolicyRule&) const = default;
};

// The type of JobSpec.successPolicy.
struct SuccessPolicy {
  kube::ListOf<SuccessPolicyRule> rules;  // required, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const SuccessPolicy&) const = default;
};

// The type of Job.spec and JobTemplateSpec.spec.
struct JobSpec {
  std::optional<std::int32_t> parallelism;
  std::optional<std::int32_t> completions;
  std::optional<std::int64_t> active_deadline_seconds;  // activeDeadlineSeconds
  kube::Box<PodFailurePolicy> pod_failure_policy;       // podFailurePolicy
  kube::Box<SuccessPolicy> success_policy;              // successPolicy
  std::optional<std::int32_t> backoff_limit;            // backoffLimit
  std::optional<std::int32_t> backoff_limit_per_index;  // backoffLimitPerIndex
  std::optional<std::int32_t> max_failed_indexes;       // maxFailedIndexes
  kube::Box<meta::v1::LabelSelector> selector;
  std::optional<bool> manual_selector;                     // manualSelector
  core::v1::PodTemplateSpec pod_template;                  // template, required
  std::optional<std::int32_t> ttl_seconds_after_finished;  // ttlSecondsAfterFinished
  std::optional<std::string> completion_mode;              // completionMode
  std::optional<bool> suspend;
  std::optional<std::string> pod_replacement_policy;  // podReplacementPolicy
  std::optional<std::string> managed_by;              // managedBy

  static const kube::StructTable kFields;
  bool operator==(const JobSpec&) const = default;
};

}  // namespace keelson::batch::v1
