// Which kinds a plan copies.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::plan {

// A kind of which only the group and the plural are known, as permissions name it: `resource` has no version.
struct KindRead {
  kube::Resource resource;
  bool is_own = false;     // of one of the controllers: its definition comes with them
  bool is_needed = false;  // otherwise the cluster's controllers need it, not ours
};

// Each once: what the controllers watch, own, bring and have permissions for, but not Events and Leases; and, if pods
// or workloads are among them, all workloads, their revisions, pods and nodes.
[[nodiscard]] std::vector<KindRead> kinds_read(const std::vector<controller::Definition>& controllers);

// Whether Kubernetes itself serves the group; a CustomResourceDefinition or an aggregated server has the others.
[[nodiscard]] bool is_built_in_group(const std::string& group);

}  // namespace keelson::plan
