#include "keelson/api/core/v1/resource_quota.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kScopedResourceSelectorRequirementFields[] = {
    KEELSON_TABLE_FIELD(ScopedResourceSelectorRequirement, scope_name, "scopeName", kRequired),
    KEELSON_TABLE_FIELD(ScopedResourceSelectorRequirement, operator_, "operator", kRequired),
    KEELSON_TABLE_FIELD(ScopedResourceSelectorRequirement, values, "values", kOptional),
};
constinit const kube::StructTable ScopedResourceSelectorRequirement::kFields(kScopedResourceSelectorRequirementFields);

constexpr kube::StructTable::Field kScopeSelectorFields[] = {
    KEELSON_TABLE_FIELD(ScopeSelector, match_expressions, "matchExpressions", kOptional),
};
constinit const kube::StructTable ScopeSelector::kFields(kScopeSelectorFields);

constexpr kube::StructTable::Field kResourceQuotaSpecFields[] = {
    KEELSON_TABLE_FIELD(ResourceQuotaSpec, hard, "hard", kOptional),
    KEELSON_TABLE_FIELD(ResourceQuotaSpec, scopes, "scopes", kOptional),
    KEELSON_TABLE_FIELD(ResourceQuotaSpec, scope_selector, "scopeSelector", kOptional),
};
constinit const kube::StructTable ResourceQuotaSpec::kFields(kResourceQuotaSpecFields);

constexpr kube::StructTable::Field kResourceQuotaStatusFields[] = {
    KEELSON_TABLE_FIELD(ResourceQuotaStatus, hard, "hard", kOptional),
    KEELSON_TABLE_FIELD(ResourceQuotaStatus, used, "used", kOptional),
};
constinit const kube::StructTable ResourceQuotaStatus::kFields(kResourceQuotaStatusFields);

constexpr kube::StructTable::Field kResourceQuotaFields[] = {
    KEELSON_TABLE_FIELD(ResourceQuota, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ResourceQuota, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(ResourceQuota, status, "status", kOptional),
};
constinit const kube::StructTable ResourceQuota::kFields(kResourceQuotaFields);

}  // namespace keelson::core::v1
