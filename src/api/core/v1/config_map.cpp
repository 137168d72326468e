#include "keelson/api/core/v1/config_map.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kConfigMapFields[] = {
    KEELSON_TABLE_FIELD(ConfigMap, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ConfigMap, immutable, "immutable", kOptional),
    KEELSON_TABLE_FIELD(ConfigMap, data, "data", kOptional),
    KEELSON_TABLE_FIELD(ConfigMap, binary_data, "binaryData", kOptional),
};
constinit const kube::StructTable ConfigMap::kFields(kConfigMapFields);

}  // namespace keelson::core::v1
