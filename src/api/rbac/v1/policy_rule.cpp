#include "keelson/api/rbac/v1/policy_rule.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kPolicyRuleFields[] = {
    KEELSON_TABLE_FIELD(PolicyRule, verbs, "verbs", kRequired),
    KEELSON_TABLE_FIELD(PolicyRule, api_groups, "apiGroups", kOptional),
    KEELSON_TABLE_FIELD(PolicyRule, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(PolicyRule, resource_names, "resourceNames", kOptional),
    KEELSON_TABLE_FIELD(PolicyRule, non_resource_urls, "nonResourceURLs", kOptional),
};
constinit const kube::StructTable PolicyRule::kFields(kPolicyRuleFields);

}  // namespace keelson::rbac::v1
