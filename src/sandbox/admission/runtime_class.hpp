// The RuntimeClass of a new pod: its overhead, node selector and tolerations.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// Adds the fields of the class that the spec of a pod names; the reason why the pod is rejected, or empty.
[[nodiscard]] std::string admit_runtime_class(const World& world, Tree& spec);

// Both lists, without tolerations that another one includes; of equal ones the first stays.
[[nodiscard]] Tree merged_tolerations(const std::vector<Tree>& first, const std::vector<Tree>& second);

}  // namespace keelson::sandbox
