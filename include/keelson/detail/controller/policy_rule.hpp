// A resource rule of a Role or ClusterRole, as manager_rules.hpp computes them: rbac/v1's PolicyRule.
#pragma once

#include <string>
#include <vector>

namespace keelson::controller {

struct PolicyRule {
  std::vector<std::string> groups;     // apiGroups: "apps"; "" is the core group
  std::vector<std::string> resources;  // "deployments", "deployments/status"
  std::vector<std::string> verbs;      // "list", "watch"
  bool operator==(const PolicyRule&) const = default;
};

}  // namespace keelson::controller
