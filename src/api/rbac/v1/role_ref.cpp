#include "keelson/api/rbac/v1/role_ref.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kRoleRefFields[] = {
    KEELSON_TABLE_FIELD(RoleRef, api_group, "apiGroup", kOptional),
    KEELSON_TABLE_FIELD(RoleRef, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(RoleRef, name, "name", kRequired),
};
constinit const kube::StructTable RoleRef::kFields(kRoleRefFields);

}  // namespace keelson::rbac::v1
