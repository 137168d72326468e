#include "keelson/api/core/v1/resource_requirements.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kResourceClaimFields[] = {
    KEELSON_TABLE_FIELD(ResourceClaim, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ResourceClaim, request, "request", kOptional),
};
constinit const kube::StructTable ResourceClaim::kFields(kResourceClaimFields);

constexpr kube::StructTable::Field kResourceRequirementsFields[] = {
    KEELSON_TABLE_FIELD(ResourceRequirements, limits, "limits", kOptional),
    KEELSON_TABLE_FIELD(ResourceRequirements, requests, "requests", kOptional),
    KEELSON_TABLE_FIELD(ResourceRequirements, claims, "claims", kOptional),
};
constinit const kube::StructTable ResourceRequirements::kFields(kResourceRequirementsFields);

}  // namespace keelson::core::v1
