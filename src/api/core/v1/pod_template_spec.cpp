#include "keelson/api/core/v1/pod_template_spec.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kPodTemplateSpecFields[] = {
    KEELSON_TABLE_FIELD(PodTemplateSpec, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(PodTemplateSpec, spec, "spec", kOptional),
};
constinit const kube::StructTable PodTemplateSpec::kFields(kPodTemplateSpecFields);

}  // namespace keelson::core::v1
