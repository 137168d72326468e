// PolicyRule of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::rbac::v1 {

// The type of ClusterRole.rules and Role.rules.
struct PolicyRule {
  std::vector<std::string> verbs;              // required, applied as a whole
  std::vector<std::string> api_groups;         // apiGroups, applied as a whole
  std::vector<std::string> resources;          // applied as a whole
  std::vector<std::string> resource_names;     // resourceNames, applied as a whole
  std::vector<std::string> non_resource_urls;  // nonResourceURLs, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PolicyRule&) const = default;
};

}  // namespace keelson::rbac::v1
