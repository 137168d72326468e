// DaemonSet of apps/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/int_or_string.hpp"

namespace keelson::apps::v1 {

struct RollingUpdateDaemonSet {
  std::optional<kube::IntOrString> max_unavailable;
  std::optional<kube::IntOrString> max_surge;

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateDaemonSet&) const = default;
};

struct DaemonSetUpdateStrategy {
  std::string type;
  kube::Box<RollingUpdateDaemonSet> rolling_update;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetUpdateStrategy&) const = default;
};

struct DaemonSetSpec {
  meta::v1::LabelSelector selector;
  core::v1::PodTemplateSpec pod_template;
  DaemonSetUpdateStrategy update_strategy;
  std::int32_t min_ready_seconds = 0;
  std::optional<std::int32_t> revision_history_limit;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetSpec&) const = default;
};

struct DaemonSetCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetCondition&) const = default;
};

struct DaemonSetStatus {
  std::int32_t current_number_scheduled = 0;
  std::int32_t number_misscheduled = 0;
  std::int32_t desired_number_scheduled = 0;
  std::int32_t number_ready = 0;
  std::int64_t observed_generation = 0;
  std::int32_t updated_number_scheduled = 0;
  std::int32_t number_available = 0;
  std::int32_t number_unavailable = 0;
  std::optional<std::int32_t> collision_count;
  kube::ListOf<DaemonSetCondition> conditions;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetStatus&) const = default;
};

struct DaemonSet {
  static constexpr kube::Identity kIdentity{"apps", "v1", "DaemonSet", "daemonsets"};

  meta::v1::ObjectMeta metadata;
  DaemonSetSpec spec;
  DaemonSetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSet&) const = default;
};

}  // namespace keelson::apps::v1
