#include "keelson/api/apps/v1/deployment.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::apps::v1 {

constexpr kube::StructTable::Field kRollingUpdateDeploymentFields[] = {
    KEELSON_TABLE_FIELD(RollingUpdateDeployment, max_unavailable, "maxUnavailable", kOptional),
    KEELSON_TABLE_FIELD(RollingUpdateDeployment, max_surge, "maxSurge", kOptional),
};
constinit const kube::StructTable RollingUpdateDeployment::kFields(kRollingUpdateDeploymentFields);

constexpr kube::StructTable::Field kDeploymentStrategyFields[] = {
    KEELSON_TABLE_FIELD(DeploymentStrategy, type, "type", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStrategy, rolling_update, "rollingUpdate", kOptional),
};
constinit const kube::StructTable DeploymentStrategy::kFields(kDeploymentStrategyFields);

constexpr kube::StructTable::Field kDeploymentSpecFields[] = {
    KEELSON_TABLE_FIELD(DeploymentSpec, replicas, "replicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentSpec, selector, "selector", kRequired),
    KEELSON_TABLE_FIELD(DeploymentSpec, pod_template, "template", kRequired),
    KEELSON_TABLE_FIELD(DeploymentSpec, strategy, "strategy", kOptional),
    KEELSON_TABLE_FIELD(DeploymentSpec, min_ready_seconds, "minReadySeconds", kOptional),
    KEELSON_TABLE_FIELD(DeploymentSpec, revision_history_limit, "revisionHistoryLimit", kOptional),
    KEELSON_TABLE_FIELD(DeploymentSpec, paused, "paused", kOptional),
    KEELSON_TABLE_FIELD(DeploymentSpec, progress_deadline_seconds, "progressDeadlineSeconds", kOptional),
};
constinit const kube::StructTable DeploymentSpec::kFields(kDeploymentSpecFields);

constexpr kube::StructTable::Field kDeploymentConditionFields[] = {
    KEELSON_TABLE_FIELD(DeploymentCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(DeploymentCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(DeploymentCondition, last_update_time, "lastUpdateTime", kOptional),
    KEELSON_TABLE_FIELD(DeploymentCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(DeploymentCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(DeploymentCondition, message, "message", kOptional),
};
constinit const kube::StructTable DeploymentCondition::kFields(kDeploymentConditionFields);

constexpr kube::StructTable::Field kDeploymentStatusFields[] = {
    KEELSON_TABLE_FIELD(DeploymentStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, replicas, "replicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, updated_replicas, "updatedReplicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, ready_replicas, "readyReplicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, available_replicas, "availableReplicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, unavailable_replicas, "unavailableReplicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, terminating_replicas, "terminatingReplicas", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(DeploymentStatus, collision_count, "collisionCount", kOptional),
};
constinit const kube::StructTable DeploymentStatus::kFields(kDeploymentStatusFields);

constexpr kube::StructTable::Field kDeploymentFields[] = {
    KEELSON_TABLE_FIELD(Deployment, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Deployment, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Deployment, status, "status", kOptional),
};
constinit const kube::StructTable Deployment::kFields(kDeploymentFields);

}  // namespace keelson::apps::v1
