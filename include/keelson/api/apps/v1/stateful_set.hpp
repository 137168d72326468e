// StatefulSet of apps/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/int_or_string.hpp"

namespace keelson::apps::v1 {

struct RollingUpdateStatefulSetStrategy {
  std::optional<std::int32_t> partition;
  std::optional<kube::IntOrString> max_unavailable;

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateStatefulSetStrategy&) const = default;
};

struct StatefulSetUpdateStrategy {
  std::string type;
  kube::Box<RollingUpdateStatefulSetStrategy> rolling_update;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetUpdateStrategy&) const = default;
};

struct StatefulSetPersistentVolumeClaimRetentionPolicy {
  std::string when_deleted;
  std::string when_scaled;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetPersistentVolumeClaimRetentionPolicy&) const = default;
};

struct StatefulSetOrdinals {
  std::optional<std::int32_t> start;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetOrdinals&) const = default;
};

struct StatefulSetSpec {
  std::optional<std::int32_t> replicas;
  meta::v1::LabelSelector selector;
  core::v1::PodTemplateSpec pod_template;
  kube::ListOf<core::v1::PersistentVolumeClaim> volume_claim_templates;
  std::optional<std::string> service_name;
  std::string pod_management_policy;
  StatefulSetUpdateStrategy update_strategy;
  std::optional<std::int32_t> revision_history_limit;
  std::int32_t min_ready_seconds = 0;
  kube::Box<StatefulSetPersistentVolumeClaimRetentionPolicy> persistent_volume_claim_retention_policy;
  kube::Box<StatefulSetOrdinals> ordinals;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetSpec&) const = default;
};

struct StatefulSetCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetCondition&) const = default;
};

struct StatefulSetStatus {
  std::int64_t observed_generation = 0;
  std::int32_t replicas = 0;
  std::int32_t ready_replicas = 0;
  std::int32_t current_replicas = 0;
  std::int32_t updated_replicas = 0;
  std::string current_revision;
  std::string update_revision;
  std::optional<std::int32_t> collision_count;
  kube::ListOf<StatefulSetCondition> conditions;
  std::optional<std::int32_t> available_replicas;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSetStatus&) const = default;
};

struct StatefulSet {
  static constexpr kube::Identity kIdentity{"apps", "v1", "StatefulSet", "statefulsets"};

  meta::v1::ObjectMeta metadata;
  StatefulSetSpec spec;
  StatefulSetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const StatefulSet&) const = default;
};

}  // namespace keelson::apps::v1
