#include "keelson/api/core/v1/service_account.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kServiceAccountFields[] = {
    KEELSON_TABLE_FIELD(ServiceAccount, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(ServiceAccount, secrets, "secrets", kOptional),
    KEELSON_TABLE_FIELD(ServiceAccount, image_pull_secrets, "imagePullSecrets", kOptional),
    KEELSON_TABLE_FIELD(ServiceAccount, automount_service_account_token, "automountServiceAccountToken", kOptional),
};
constinit const kube::StructTable ServiceAccount::kFields(kServiceAccountFields);

}  // namespace keelson::core::v1
