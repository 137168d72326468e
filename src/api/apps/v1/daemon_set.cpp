#include "keelson/api/apps/v1/daemon_set.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::apps::v1 {

constexpr kube::StructTable::Field kRollingUpdateDaemonSetFields[] = {
    KEELSON_TABLE_FIELD(RollingUpdateDaemonSet, max_unavailable, "maxUnavailable", kOptional),
    KEELSON_TABLE_FIELD(RollingUpdateDaemonSet, max_surge, "maxSurge", kOptional),
};
constinit const kube::StructTable RollingUpdateDaemonSet::kFields(kRollingUpdateDaemonSetFields);

constexpr kube::StructTable::Field kDaemonSetUpdateStrategyFields[] = {
    KEELSON_TABLE_FIELD(DaemonSetUpdateStrategy, type, "type", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetUpdateStrategy, rolling_update, "rollingUpdate", kOptional),
};
constinit const kube::StructTable DaemonSetUpdateStrategy::kFields(kDaemonSetUpdateStrategyFields);

constexpr kube::StructTable::Field kDaemonSetSpecFields[] = {
    KEELSON_TABLE_FIELD(DaemonSetSpec, selector, "selector", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetSpec, pod_template, "template", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetSpec, update_strategy, "updateStrategy", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetSpec, min_ready_seconds, "minReadySeconds", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetSpec, revision_history_limit, "revisionHistoryLimit", kOptional),
};
constinit const kube::StructTable DaemonSetSpec::kFields(kDaemonSetSpecFields);

constexpr kube::StructTable::Field kDaemonSetConditionFields[] = {
    KEELSON_TABLE_FIELD(DaemonSetCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetCondition, message, "message", kOptional),
};
constinit const kube::StructTable DaemonSetCondition::kFields(kDaemonSetConditionFields);

constexpr kube::StructTable::Field kDaemonSetStatusFields[] = {
    KEELSON_TABLE_FIELD(DaemonSetStatus, current_number_scheduled, "currentNumberScheduled", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetStatus, number_misscheduled, "numberMisscheduled", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetStatus, desired_number_scheduled, "desiredNumberScheduled", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetStatus, number_ready, "numberReady", kRequired),
    KEELSON_TABLE_FIELD(DaemonSetStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetStatus, updated_number_scheduled, "updatedNumberScheduled", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetStatus, number_available, "numberAvailable", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetStatus, number_unavailable, "numberUnavailable", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetStatus, collision_count, "collisionCount", kOptional),
    KEELSON_TABLE_FIELD(DaemonSetStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable DaemonSetStatus::kFields(kDaemonSetStatusFields);

constexpr kube::StructTable::Field kDaemonSetFields[] = {
    KEELSON_TABLE_FIELD(DaemonSet, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(DaemonSet, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(DaemonSet, status, "status", kOptional),
};
constinit const kube::StructTable DaemonSet::kFields(kDaemonSetFields);

}  // namespace keelson::apps::v1
