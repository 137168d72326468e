// Deployment of apps/v1. Written by scripts/generate-api-types: do not edit.
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

// The type of DeploymentStrategy.rollingUpdate.
struct RollingUpdateDeployment {
  std::optional<kube::IntOrString> max_unavailable;  // maxUnavailable
  std::optional<kube::IntOrString> max_surge;        // maxSurge

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateDeployment&) const = default;
};

// The type of DeploymentSpec.strategy.
struct DeploymentStrategy {
  std::string type;
  kube::Box<RollingUpdateDeployment> rolling_update;  // rollingUpdate

  static const kube::StructTable kFields;
  bool operator==(const DeploymentStrategy&) const = default;
};

// The type of Deployment.spec.
struct DeploymentSpec {
  std::optional<std::int32_t> replicas;
  meta::v1::LabelSelector selector;        // required
  core::v1::PodTemplateSpec pod_template;  // template, required
  DeploymentStrategy strategy;
  std::int32_t min_ready_seconds = 0;                  // minReadySeconds
  std::optional<std::int32_t> revision_history_limit;  // revisionHistoryLimit
  bool paused = false;
  std::optional<std::int32_t> progress_deadline_seconds;  // progressDeadlineSeconds

  static const kube::StructTable kFields;
  bool operator==(const DeploymentSpec&) const = default;
};

// The type of DeploymentStatus.conditions.
struct DeploymentCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_update_time;      // lastUpdateTime
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const DeploymentCondition&) const = default;
};

// The type of Deployment.status.
struct DeploymentStatus {
  std::int64_t observed_generation = 0;  // observedGeneration
  std::int32_t replicas = 0;
  std::int32_t updated_replicas = 0;                 // updatedReplicas
  std::int32_t ready_replicas = 0;                   // readyReplicas
  std::int32_t available_replicas = 0;               // availableReplicas
  std::int32_t unavailable_replicas = 0;             // unavailableReplicas
  std::optional<std::int32_t> terminating_replicas;  // terminatingReplicas
  kube::ListOf<DeploymentCondition> conditions;      // one for each type
  std::optional<std::int32_t> collision_count;       // collisionCount

  static const kube::StructTable kFields;
  bool operator==(const DeploymentStatus&) const = default;
};

// Deployment, namespaced. `kubectl explain deployment --recursive` shows what its fields mean.
struct Deployment {
  static constexpr kube::Identity kIdentity{"apps", "v1", "Deployment", "deployments"};

  meta::v1::ObjectMeta metadata;
  DeploymentSpec spec;
  DeploymentStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Deployment&) const = default;
};

}  // namespace keelson::apps::v1
