#include "keelson/api/core/v1/persistent_volume_claim.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kPersistentVolumeClaimConditionFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, last_probe_time, "lastProbeTime", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimCondition, message, "message", kOptional),
};
constinit const kube::StructTable PersistentVolumeClaimCondition::kFields(kPersistentVolumeClaimConditionFields);

constexpr kube::StructTable::Field kModifyVolumeStatusFields[] = {
    KEELSON_TABLE_FIELD(ModifyVolumeStatus, target_volume_attributes_class_name, "targetVolumeAttributesClassName", kOptional),
    KEELSON_TABLE_FIELD(ModifyVolumeStatus, status, "status", kRequired),
};
constinit const kube::StructTable ModifyVolumeStatus::kFields(kModifyVolumeStatusFields);

constexpr kube::StructTable::Field kPersistentVolumeClaimStatusFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, phase, "phase", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, access_modes, "accessModes", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, capacity, "capacity", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, allocated_resources, "allocatedResources", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, allocated_resource_statuses, "allocatedResourceStatuses", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, current_volume_attributes_class_name, "currentVolumeAttributesClassName", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimStatus, modify_volume_status, "modifyVolumeStatus", kOptional),
};
constinit const kube::StructTable PersistentVolumeClaimStatus::kFields(kPersistentVolumeClaimStatusFields);

constexpr kube::StructTable::Field kPersistentVolumeClaimFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaim, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaim, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaim, status, "status", kOptional),
};
constinit const kube::StructTable PersistentVolumeClaim::kFields(kPersistentVolumeClaimFields);

}  // namespace keelson::core::v1
