// Deployment of apps/v1. Written by scripts/generate-api-types: do not edit.
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

struct RollingUpdateDeployment {
  std::optional<kube::IntOrString> max_unavailable;
  std::optional<kube::IntOrString> max_surge;

  static const kube::StructTable kFields;
  bool operator==(const RollingUpdateDeployment&) const = default;
};

struct DeploymentStrategy {
  std::string type;
  kube::Box<RollingUpdateDeployment> rolling_update;

  static const kube::StructTable kFields;
  bool operator==(const DeploymentStrategy&) const = default;
};

struct DeploymentSpec {
  std::optional<std::int32_t> replicas;
  meta::v1::LabelSelector selector;
  core::v1::PodTemplateSpec pod_template;
  DeploymentStrategy strategy;
  std::int32_t min_ready_seconds = 0;
  std::optional<std::int32_t> revision_history_limit;
  bool paused = false;
  std::optional<std::int32_t> progress_deadline_seconds;

  static const kube::StructTable kFields;
  bool operator==(const DeploymentSpec&) const = default;
};

struct DeploymentCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_update_time;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const DeploymentCondition&) const = default;
};

struct DeploymentStatus {
  std::int64_t observed_generation = 0;
  std::int32_t replicas = 0;
  std::int32_t updated_replicas = 0;
  std::int32_t ready_replicas = 0;
  std::int32_t available_replicas = 0;
  std::int32_t unavailable_replicas = 0;
  std::optional<std::int32_t> terminating_replicas;
  kube::ListOf<DeploymentCondition> conditions;
  std::optional<std::int32_t> collision_count;

  static const kube::StructTable kFields;
  bool operator==(const DeploymentStatus&) const = default;
};

struct Deployment {
  static constexpr kube::Identity kIdentity{"apps", "v1", "Deployment", "deployments"};

  meta::v1::ObjectMeta metadata;
  DeploymentSpec spec;
  DeploymentStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Deployment&) const = default;
};

}  // namespace keelson::apps::v1
