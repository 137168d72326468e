// The OpenAPI schemas of what Kubernetes runs, complete and inlined, for kinds that embed it.
//
//   d.field("jobTemplate", spec.job_template, "What to run.").schema(kube::job_template_schema());
//
// As the API server of the newest supported Kubernetes describes them, without texts. Of an embedded metadata the
// labels, annotations and what else makes sense in a template are declared: what is not would be pruned. Made when
// first asked for, and kept for the life of the process: Constraints hold texts by reference.
#pragma once

#include <string_view>

namespace keelson::kube {

[[nodiscard]] std::string_view pod_spec_schema();      // core/v1 PodSpec
[[nodiscard]] std::string_view job_template_schema();  // batch/v1 JobTemplateSpec

}  // namespace keelson::kube
