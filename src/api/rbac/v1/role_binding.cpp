#include "keelson/api/rbac/v1/role_binding.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kRoleBindingFields[] = {
    KEELSON_TABLE_FIELD(RoleBinding, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(RoleBinding, subjects, "subjects", kOptional),
    KEELSON_TABLE_FIELD(RoleBinding, role_ref, "roleRef", kRequired),
};
constinit const kube::StructTable RoleBinding::kFields(kRoleBindingFields);

}  // namespace keelson::rbac::v1
