#include "keelson/api/rbac/v1/subject.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::rbac::v1 {

constexpr kube::StructTable::Field kSubjectFields[] = {
    KEELSON_TABLE_FIELD(Subject, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(Subject, api_group, "apiGroup", kOptional),
    KEELSON_TABLE_FIELD(Subject, name, "name", kRequired),
    KEELSON_TABLE_FIELD(Subject, ns, "namespace", kOptional),
};
constinit const kube::StructTable Subject::kFields(kSubjectFields);

}  // namespace keelson::rbac::v1
