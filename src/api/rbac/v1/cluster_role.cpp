#include "keelson/api/rbac/v1/cluster_role.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kAggregationRuleFields[] = {
    KEELSON_TABLE_FIELD(AggregationRule, cluster_role_selectors, "clusterRoleSelectors", kOptional),
};
constinit const kube::StructTable AggregationRule::kFields(kAggregationRuleFields);

constexpr kube::StructTable::Field kClusterRoleFields[] = {
    KEELSON_TABLE_FIELD(ClusterRole, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ClusterRole, rules, "rules", kOptional),
    KEELSON_TABLE_FIELD(ClusterRole, aggregation_rule, "aggregationRule", kOptional),
};
constinit const kube::StructTable ClusterRole::kFields(kClusterRoleFields);

}  // namespace keelson::rbac::v1
