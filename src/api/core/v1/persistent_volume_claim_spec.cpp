#include "keelson/api/core/v1/persistent_volume_claim_spec.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kVolumeResourceRequirementsFields[] = {
    KEELSON_TABLE_FIELD(VolumeResourceRequirements, limits, "limits", kOptional),
    KEELSON_TABLE_FIELD(VolumeResourceRequirements, requests, "requests", kOptional),
};
constinit const kube::StructTable VolumeResourceRequirements::kFields(kVolumeResourceRequirementsFields);

constexpr kube::StructTable::Field kTypedObjectReferenceFields[] = {
    KEELSON_TABLE_FIELD(TypedObjectReference, api_group, "apiGroup", kOptional),
    KEELSON_TABLE_FIELD(TypedObjectReference, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(TypedObjectReference, name, "name", kRequired),
    KEELSON_TABLE_FIELD(TypedObjectReference, ns, "namespace", kOptional),
};
constinit const kube::StructTable TypedObjectReference::kFields(kTypedObjectReferenceFields);

constexpr kube::StructTable::Field kPersistentVolumeClaimSpecFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, access_modes, "accessModes", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, selector, "selector", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, volume_name, "volumeName", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, storage_class_name, "storageClassName", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, volume_mode, "volumeMode", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, data_source, "dataSource", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, data_source_ref, "dataSourceRef", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimSpec, volume_attributes_class_name, "volumeAttributesClassName", kOptional),
};
constinit const kube::StructTable PersistentVolumeClaimSpec::kFields(kPersistentVolumeClaimSpecFields);

}  // namespace keelson::core::v1
