#include "keelson/api/apps/v1/replica_set.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::apps::v1 {

constexpr kube::StructTable::Field kReplicaSetSpecFields[] = {
    KEELSON_TABLE_FIELD(ReplicaSetSpec, replicas, "replicas", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetSpec, min_ready_seconds, "minReadySeconds", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetSpec, selector, "selector", kRequired),
    KEELSON_TABLE_FIELD(ReplicaSetSpec, pod_template, "template", kOptional),
};
constinit const kube::StructTable ReplicaSetSpec::kFields(kReplicaSetSpecFields);

constexpr kube::StructTable::Field kReplicaSetConditionFields[] = {
    KEELSON_TABLE_FIELD(ReplicaSetCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(ReplicaSetCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(ReplicaSetCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetCondition, message, "message", kOptional),
};
constinit const kube::StructTable ReplicaSetCondition::kFields(kReplicaSetConditionFields);

constexpr kube::StructTable::Field kReplicaSetStatusFields[] = {
    KEELSON_TABLE_FIELD(ReplicaSetStatus, replicas, "replicas", kRequired),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, fully_labeled_replicas, "fullyLabeledReplicas", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, ready_replicas, "readyReplicas", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, available_replicas, "availableReplicas", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, terminating_replicas, "terminatingReplicas", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSetStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable ReplicaSetStatus::kFields(kReplicaSetStatusFields);

constexpr kube::StructTable::Field kReplicaSetFields[] = {
    KEELSON_TABLE_FIELD(ReplicaSet, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSet, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(ReplicaSet, status, "status", kOptional),
};
constinit const kube::StructTable ReplicaSet::kFields(kReplicaSetFields);

}  // namespace keelson::apps::v1
