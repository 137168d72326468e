#include "keelson/api/meta/v1/object_meta.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::meta::v1 {

constexpr kube::StructTable::Field kOwnerReferenceFields[] = {
    KEELSON_TABLE_FIELD(OwnerReference, api_version, "apiVersion", kRequired),
    KEELSON_TABLE_FIELD(OwnerReference, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(OwnerReference, name, "name", kRequired),
    KEELSON_TABLE_FIELD(OwnerReference, uid, "uid", kRequired),
    KEELSON_TABLE_FIELD(OwnerReference, controller, "controller", kOptional),
    KEELSON_TABLE_FIELD(OwnerReference, block_owner_deletion, "blockOwnerDeletion", kOptional),
};
constinit const kube::StructTable OwnerReference::kFields(kOwnerReferenceFields);

constexpr kube::StructTable::Field kObjectMetaFields[] = {
    KEELSON_TABLE_FIELD(ObjectMeta, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, generate_name, "generateName", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, ns, "namespace", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, uid, "uid", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, resource_version, "resourceVersion", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, generation, "generation", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, creation_timestamp, "creationTimestamp", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, deletion_timestamp, "deletionTimestamp", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, deletion_grace_period_seconds, "deletionGracePeriodSeconds", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, labels, "labels", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, annotations, "annotations", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, owner_references, "ownerReferences", kOptional),
    KEELSON_TABLE_FIELD(ObjectMeta, finalizers, "finalizers", kOptional),
};
constinit const kube::StructTable ObjectMeta::kFields(kObjectMetaFields);

}  // namespace keelson::meta::v1
