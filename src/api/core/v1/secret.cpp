#include "keelson/api/core/v1/secret.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kSecretFields[] = {
    KEELSON_TABLE_FIELD(Secret, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Secret, immutable, "immutable", kOptional),
    KEELSON_TABLE_FIELD(Secret, data, "data", kOptional),
    KEELSON_TABLE_FIELD(Secret, type, "type", kOptional),
};
constinit const kube::StructTable Secret::kFields(kSecretFields);

}  // namespace keelson::core::v1
