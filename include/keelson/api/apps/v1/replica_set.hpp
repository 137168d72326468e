// ReplicaSet of apps/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/pod_template_spec.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::apps::v1 {

// The type of ReplicaSet.spec.
struct ReplicaSetSpec {
  std::optional<std::int32_t> replicas;
  std::int32_t min_ready_seconds = 0;      // minReadySeconds
  meta::v1::LabelSelector selector;        // required
  core::v1::PodTemplateSpec pod_template;  // template

  static const kube::StructTable kFields;
  bool operator==(const ReplicaSetSpec&) const = default;
};

// The type of ReplicaSetStatus.conditions.
struct ReplicaSetCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const ReplicaSetCondition&) const = default;
};

// The type of ReplicaSet.status.
struct ReplicaSetStatus {
  std::int32_t replicas = 0;                         // required
  std::int32_t fully_labeled_replicas = 0;           // fullyLabeledReplicas
  std::int32_t ready_replicas = 0;                   // readyReplicas
  std::int32_t available_replicas = 0;               // availableReplicas
  std::optional<std::int32_t> terminating_replicas;  // terminatingReplicas
  std::int64_t observed_generation = 0;              // observedGeneration
  kube::ListOf<ReplicaSetCondition> conditions;      // one for each type

  static const kube::StructTable kFields;
  bool operator==(const ReplicaSetStatus&) const = default;
};

// ReplicaSet, namespaced. `kubectl explain replicaset --recursive` shows what its fields mean.
struct ReplicaSet {
  static constexpr kube::Identity kIdentity{"apps", "v1", "ReplicaSet", "replicasets"};

  meta::v1::ObjectMeta metadata;
  ReplicaSetSpec spec;
  ReplicaSetStatus status;

  static const kube::StructTable kFields;
  bool operator==(const ReplicaSet&) const = default;
};

}  // namespace keelson::apps::v1
