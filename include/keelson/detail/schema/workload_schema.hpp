// The OpenAPI schemas of PodSpec and JobTemplateSpec, complete and inlined, for kinds that embed them.
//
// Example (test/examples/schema.cpp#workload_schema):
//   d.field("jobTemplate", spec.job_template, "What to run.").schema(kube::job_template_schema());
//
// They are those of the newest supported Kubernetes, without descriptions, which would double their size. An embedded
// metadata declares labels, annotations and the other fields that make sense in a template; the API server prunes
// fields that are not declared. The first call makes the text, which lives as long as the process, because Constraints
// refer to it.
#pragma once

#include <string_view>

namespace keelson::kube {

[[nodiscard]] std::string_view pod_spec_schema();      // core/v1 PodSpec
[[nodiscard]] std::string_view job_template_schema();  // batch/v1 JobTemplateSpec

}  // namespace keelson::kube
