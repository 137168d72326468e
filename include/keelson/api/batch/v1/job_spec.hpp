// JobSpec of batch/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"

namespace keelson::batch::v1 {

struct PodFailurePolicyOnExitCodesRequirement {
  std::optional<std::string> container_name;
  std::string operator_;
  std::vector<std::int32_t> values;

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyOnExitCodesRequirement&) const = default;
};

struct PodFailurePolicyOnPodConditionsPattern {
  std::string type;
  std::optional<std::string> status;

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyOnPodConditionsPattern&) const = default;
};

struct PodFailurePolicyRule {
  std::string action;
  kube::Box<PodFailurePolicyOnExitCodesRequirement> on_exit_codes;
  kube::ListOf<PodFailurePolicyOnPodConditionsPattern> on_pod_conditions;

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicyRule&) const = default;
};

struct PodFailurePolicy {
  kube::ListOf<PodFailurePolicyRule> rules;

  static const kube::StructTable kFields;
  bool operator==(const PodFailurePolicy&) const = default;
};

struct SuccessPolicyRule {
  std::optional<std::string> succeeded_indexes;
  std::optional<std::int32_t> succeeded_count;

  static const kube::StructTable kFields;
  bool operator==(const SuccessPolicyRule&) const = default;
};

struct SuccessPolicy {
  kube::ListOf<SuccessPolicyRule> rules;

  static const kube::StructTable kFields;
  bool operator==(const SuccessPolicy&) const = default;
};

struct JobSpec {
  std::optional<std::int32_t> parallelism;
  std::optional<std::int32_t> completions;
  std::optional<std::int64_t> active_deadline_seconds;
  kube::Box<PodFailurePolicy> pod_failure_policy;
  kube::Box<SuccessPolicy> success_policy;
  std::optional<std::int32_t> backoff_limit;
  std::optional<std::int32_t> backoff_limit_per_index;
  std::optional<std::int32_t> max_failed_indexes;
  kube::Box<meta::v1::LabelSelector> selector;
  std::optional<bool> manual_selector;
  core::v1::PodTemplateSpec pod_template;
  std::optional<std::int32_t> ttl_seconds_after_finished;
  std::optional<std::string> completion_mode;
  std::optional<bool> suspend;
  std::optional<std::string> pod_replacement_policy;
  std::optional<std::string> managed_by;

  static const kube::StructTable kFields;
  bool operator==(const JobSpec&) const = default;
};

}  // namespace keelson::batch::v1
