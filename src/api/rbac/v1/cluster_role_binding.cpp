#include "keelson/api/rbac/v1/cluster_role_binding.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kClusterRoleBindingFields[] = {
    KEELSON_TABLE_FIELD(ClusterRoleBinding, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ClusterRoleBinding, subjects, "subjects", kOptional),
    KEELSON_TABLE_FIELD(ClusterRoleBinding, role_ref, "roleRef", kRequired),
};
constinit const kube::StructTable ClusterRoleBinding::kFields(kClusterRoleBindingFields);

}  // namespace keelson::rbac::v1
