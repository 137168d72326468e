#include "keelson/api/core/v1/object_reference.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kObjectReferenceFields[] = {
    KEELSON_TABLE_FIELD(ObjectReference, kind, "kind", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, ns, "namespace", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, uid, "uid", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, api_version, "apiVersion", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, resource_version, "resourceVersion", kOptional),
    KEELSON_TABLE_FIELD(ObjectReference, field_path, "fieldPath", kOptional),
};
constinit const kube::StructTable ObjectReference::kFields(kObjectReferenceFields);

}  // namespace keelson::core::v1
