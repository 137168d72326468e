#include "keelson/api/core/v1/local_object_reference.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kLocalObjectReferenceFields[] = {
    KEELSON_TABLE_FIELD(LocalObjectReference, name, "name", kOptional),
};
constinit const kube::StructTable LocalObjectReference::kFields(kLocalObjectReferenceFields);

}  // namespace keelson::core::v1
