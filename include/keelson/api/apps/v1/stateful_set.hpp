// StatefulSet of apps/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::apps::v1 {

// The type of StatefulSetUpdateStrategy.rollingUpdate.
struct RollingUpdateStatefulSetStrategy {
  std::optional<std::int32_t> partition;
  std::optional<kube::IntOrString> max_unavailable;  // maxUnavailable

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateStatefulSetStrategy&) const = default;
};

// The type of StatefulSetSpec.updateStrategy.
struct StatefulSetUpdateStrategy {
  std::string type;
  kube::Box<RollingUpdateStatefulSetStrategy> rolling_update;  // rollingUpdate

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetUpdateStrategy&) const = default;
};

// The type of StatefulSetSpec.persistentVolumeClaimRetentionPolicy.
struct StatefulSetPersistentVolumeClaimRetentionPolicy {
  std::string when_deleted;  // whenDeleted
  std::string when_scaled;   // whenScaled

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetPersistentVolumeClaimRetentionPolicy&) const = default;
};

// The type of StatefulSetSpec.ordinals.
struct StatefulSetOrdinals {
  std::optional<std::int32_t> start;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetOrdinals&) const = default;
};

// The type of StatefulSet.spec.
struct StatefulSetSpec {
  std::optional<std::int32_t> replicas;
  meta::v1::LabelSelector selector;                                      // required
  core::v1::PodTemplateSpec pod_template;                                // template, required
  kube::ListOf<core::v1::PersistentVolumeClaim> volume_claim_templates;  // volumeClaimTemplates, applied as a whole
  std::optional<std::string> service_name;                               // serviceName
  std::string pod_management_policy;                                     // podManagementPolicy
  StatefulSetUpdateStrategy update_strategy;                             // updateStrategy
  std::optional<std::int32_t> revision_history_limit;                    // revisionHistoryLimit
  std::int32_t min_ready_seconds = 0;                                    // minReadySeconds
  kube::Box<StatefulSetPersistentVolumeClaimRetentionPolicy>
      persistent_volume_claim_retention_policy;  // persistentVolumeClaimRetentionPolicy
  kube::Box<StatefulSetOrdinals> ordinals;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetSpec&) const = default;
};

// The type of StatefulSetStatus.conditions.
struct StatefulSetCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetCondition&) const = default;
};

// The type of StatefulSet.status.
struct StatefulSetStatus {
  std::int64_t observed_generation = 0;            // observedGeneration
  std::int32_t replicas = 0;                       // required
  std::int32_t ready_replicas = 0;                 // readyReplicas
  std::int32_t current_replicas = 0;               // currentReplicas
  std::int32_t updated_replicas = 0;               // updatedReplicas
  std::string current_revision;                    // currentRevision
  std::string update_revision;                     // updateRevision
  std::optional<std::int32_t> collision_count;     // collisionCount
  kube::ListOf<StatefulSetCondition> conditions;   // one for each type
  std::optional<std::int32_t> available_replicas;  // availableReplicas

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetStatus&) const = default;
};

// StatefulSet, namespaced. `kubectl explain statefulset --recursive` shows what its fields mean.
struct StatefulSet {
  static constexpr kube::Identity kIdentity{"apps", "v1", "StatefulSet", "statefulsets"};

  meta::v1::ObjectMeta metadata;
  StatefulSetSpec spec;
  StatefulSetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSet&) const = default;
};

}  // namespace keelson::apps::v1
