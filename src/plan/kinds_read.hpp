// The kinds that a plan copies.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::plan {

// A kind. If only a permission names it, its group and plural are known, and `resource` has no version.
struct KindRead {
  kube::Resource resource;
  bool is_own = false;     // a controller defines it, so its CRD is known
  bool is_needed = false;  // our controllers need it; false: only the simulated controllers of the cluster do
};

// The kinds that the controllers watch, own, also define or have permissions for, each once, except Events and Leases.
// If Pods or workloads are among them: also all workloads, their revisions, Pods and Nodes.
[[nodiscard]] std::vector<KindRead> kinds_read(const std::vector<controller::Definition>& controllers);

// True if Kubernetes itself serves the group; CustomResourceDefinitions and aggregated API servers have the others.
[[nodiscard]] bool is_built_in_group(const std::string& group);

}  // namespace keelson::plan
