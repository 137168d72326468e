#include "keelson/api/core/v1/typed_local_object_reference.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kTypedLocalObjectReferenceFields[] = {
    KEELSON_TABLE_FIELD(TypedLocalObjectReference, api_group, "apiGroup", kOptional),
    KEELSON_TABLE_FIELD(TypedLocalObjectReference, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(TypedLocalObjectReference, name, "name", kRequired),
};
constinit const kube::StructTable TypedLocalObjectReference::kFields(kTypedLocalObjectReferenceFields);

}  // namespace keelson::core::v1
