#include "keelson/api/rbac/v1/role.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kRoleFields[] = {
    KEELSON_TABLE_FIELD(Role, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Role, rules, "rules", kOptional),
};
constinit const kube::StructTable Role::kFields(kRoleFields);

}  // namespace keelson::rbac::v1
