// A rule of a Role or ClusterRole that is about resources.
#pragma once

#include <string>
#include <vector>

namespace keelson::controller {

struct PolicyRule {
  std::vector<std::string> groups;
  std::vector<std::string> resources;  // "deployments", "deployments/status"
  std::vector<std::string> verbs;
  bool operator==(const PolicyRule&) const = default;
};

}  // namespace keelson::controller
