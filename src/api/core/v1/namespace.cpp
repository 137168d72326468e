#include "keelson/api/core/v1/namespace.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kNamespaceSpecFields[] = {
    KEELSON_TABLE_FIELD(NamespaceSpec, finalizers, "finalizers", kOptional),
};
constinit const kube::StructTable NamespaceSpec::kFields(kNamespaceSpecFields);

constexpr kube::StructTable::Field kNamespaceConditionFields[] = {
    KEELSON_TABLE_FIELD(NamespaceCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(NamespaceCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(NamespaceCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(NamespaceCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(NamespaceCondition, message, "message", kOptional),
};
constinit const kube::StructTable NamespaceCondition::kFields(kNamespaceConditionFields);

constexpr kube::StructTable::Field kNamespaceStatusFields[] = {
    KEELSON_TABLE_FIELD(NamespaceStatus, phase, "phase", kOptional),
    KEELSON_TABLE_FIELD(NamespaceStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable NamespaceStatus::kFields(kNamespaceStatusFields);

constexpr kube::StructTable::Field kNamespaceFields[] = {
    KEELSON_TABLE_FIELD(Namespace, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Namespace, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Namespace, status, "status", kOptional),
};
constinit const kube::StructTable Namespace::kFields(kNamespaceFields);

}  // namespace keelson::core::v1
