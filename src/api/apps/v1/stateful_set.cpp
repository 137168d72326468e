#include "keelson/api/apps/v1/stateful_set.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::apps::v1 {

constexpr kube::StructTable::Field kRollingUpdateStatefulSetStrategyFields[] = {
    KEELSON_TABLE_FIELD(RollingUpdateStatefulSetStrategy, partition, "partition", kOptional),
    KEELSON_TABLE_FIELD(RollingUpdateStatefulSetStrategy, max_unavailable, "maxUnavailable", kOptional),
};
constinit const kube::StructTable RollingUpdateStatefulSetStrategy::kFields(kRollingUpdateStatefulSetStrategyFields);

constexpr kube::StructTable::Field kStatefulSetUpdateStrategyFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetUpdateStrategy, type, "type", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetUpdateStrategy, rolling_update, "rollingUpdate", kOptional),
};
constinit const kube::StructTable StatefulSetUpdateStrategy::kFields(kStatefulSetUpdateStrategyFields);

constexpr kube::StructTable::Field kStatefulSetPersistentVolumeClaimRetentionPolicyFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetPersistentVolumeClaimRetentionPolicy, when_deleted, "whenDeleted", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetPersistentVolumeClaimRetentionPolicy, when_scaled, "whenScaled", kOptional),
};
constinit const kube::StructTable StatefulSetPersistentVolumeClaimRetentionPolicy::kFields(kStatefulSetPersistentVolumeClaimRetentionPolicyFields);

constexpr kube::StructTable::Field kStatefulSetOrdinalsFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetOrdinals, start, "start", kOptional),
};
constinit const kube::StructTable StatefulSetOrdinals::kFields(kStatefulSetOrdinalsFields);

constexpr kube::StructTable::Field kStatefulSetSpecFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetSpec, replicas, "replicas", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, selector, "selector", kRequired),
    KEELSON_TABLE_FIELD(StatefulSetSpec, pod_template, "template", kRequired),
    KEELSON_TABLE_FIELD(StatefulSetSpec, volume_claim_templates, "volumeClaimTemplates", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, service_name, "serviceName", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, pod_management_policy, "podManagementPolicy", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, update_strategy, "updateStrategy", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, revision_history_limit, "revisionHistoryLimit", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, min_ready_seconds, "minReadySeconds", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, persistent_volume_claim_retention_policy, "persistentVolumeClaimRetentionPolicy", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetSpec, ordinals, "ordinals", kOptional),
};
constinit const kube::StructTable StatefulSetSpec::kFields(kStatefulSetSpecFields);

constexpr kube::StructTable::Field kStatefulSetConditionFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(StatefulSetCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(StatefulSetCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetCondition, message, "message", kOptional),
};
constinit const kube::StructTable StatefulSetCondition::kFields(kStatefulSetConditionFields);

constexpr kube::StructTable::Field kStatefulSetStatusFields[] = {
    KEELSON_TABLE_FIELD(StatefulSetStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, replicas, "replicas", kRequired),
    KEELSON_TABLE_FIELD(StatefulSetStatus, ready_replicas, "readyReplicas", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, current_replicas, "currentReplicas", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, updated_replicas, "updatedReplicas", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, current_revision, "currentRevision", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, update_revision, "updateRevision", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, collision_count, "collisionCount", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(StatefulSetStatus, available_replicas, "availableReplicas", kOptional),
};
constinit const kube::StructTable StatefulSetStatus::kFields(kStatefulSetStatusFields);

constexpr kube::StructTable::Field kStatefulSetFields[] = {
    KEELSON_TABLE_FIELD(StatefulSet, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(StatefulSet, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(StatefulSet, status, "status", kOptional),
};
constinit const kube::StructTable StatefulSet::kFields(kStatefulSetFields);

}  // namespace keelson::apps::v1
