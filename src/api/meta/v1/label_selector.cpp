#include "keelson/api/meta/v1/label_selector.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::meta::v1 {

constexpr kube::StructTable::Field kLabelSelectorRequirementFields[] = {
    KEELSON_TABLE_FIELD(LabelSelectorRequirement, key, "key", kRequired),
    KEELSON_TABLE_FIELD(LabelSelectorRequirement, operator_, "operator", kRequired),
    KEELSON_TABLE_FIELD(LabelSelectorRequirement, values, "values", kOptional),
};
constinit const kube::StructTable LabelSelectorRequirement::kFields(kLabelSelectorRequirementFields);

constexpr kube::StructTable::Field kLabelSelectorFields[] = {
    KEELSON_TABLE_FIELD(LabelSelector, match_labels, "matchLabels", kOptional),
    KEELSON_TABLE_FIELD(LabelSelector, match_expressions, "matchExpressions", kOptional),
};
constinit const kube::StructTable LabelSelector::kFields(kLabelSelectorFields);

}  // namespace keelson::meta::v1
