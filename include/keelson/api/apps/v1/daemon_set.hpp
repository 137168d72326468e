// DaemonSet of apps/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::apps::v1 {

// The type of DaemonSetUpdateStrategy.rollingUpdate.
struct RollingUpdateDaemonSet {
  std::optional<kube::IntOrString> max_unavailable;  // maxUnavailable
  std::optional<kube::IntOrString> max_surge;        // maxSurge

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateDaemonSet&) const = default;
};

// The type of DaemonSetSpec.updateStrategy.
struct DaemonSetUpdateStrategy {
  std::string type;
  kube::Box<RollingUpdateDaemonSet> rolling_update;  // rollingUpdate

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetUpdateStrategy&) const = default;
};

// The type of DaemonSet.spec.
struct DaemonSetSpec {
  meta::v1::LabelSelector selector;                    // required
  core::v1::PodTemplateSpec pod_template;              // template, required
  DaemonSetUpdateStrategy update_strategy;             // updateStrategy
  std::int32_t min_ready_seconds = 0;                  // minReadySeconds
  std::optional<std::int32_t> revision_history_limit;  // revisionHistoryLimit

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetSpec&) const = default;
};

// The type of DaemonSetStatus.conditions.
struct DaemonSetCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetCondition&) const = default;
};

// The type of DaemonSet.status.
struct DaemonSetStatus {
  std::int32_t current_number_scheduled = 0;    // currentNumberScheduled, required
  std::int32_t number_misscheduled = 0;         // numberMisscheduled, required
  std::int32_t desired_number_scheduled = 0;    // desiredNumberScheduled, required
  std::int32_t number_ready = 0;                // numberReady, required
  std::int64_t observed_generation = 0;         // observedGeneration
  std::int32_t updated_number_scheduled = 0;    // updatedNumberScheduled
  std::int32_t number_available = 0;            // numberAvailable
  std::int32_t number_unavailable = 0;          // numberUnavailable
  std::optional<std::int32_t> collision_count;  // collisionCount
  kube::ListOf<DaemonSetCondition> conditions;  // one for each type

  static const kube::StructTable kFields;
  bool operator==(const DaemonSetStatus&) const = default;
};

// DaemonSet, namespaced. `kubectl explain daemonset --recursive` shows what its fields mean.
struct DaemonSet {
  static constexpr kube::Identity kIdentity{"apps", "v1", "DaemonSet", "daemonsets"};

  meta::v1::ObjectMeta metadata;
  DaemonSetSpec spec;
  DaemonSetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const DaemonSet&) const = default;
};

}  // namespace keelson::apps::v1
