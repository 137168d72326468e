// The types that PodSpec and JobTemplateSpec consist of, as scripts/generate-schema wrote them: each once, by
// reference.
#pragma once

#include <cstddef>
#include <string_view>

namespace keelson::kube {

struct WorkloadType {
  std::string_view name;    // "PodSpec"
  std::string_view schema;  // JSON; {"$ref":"Container"} stands for the schema of another
};

// Sorted by name.
extern const WorkloadType kWorkloadTypes[];
extern const std::size_t kWorkloadTypeCount;

}  // namespace keelson::kube
