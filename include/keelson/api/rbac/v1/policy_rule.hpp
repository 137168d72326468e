// PolicyRule of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>
#include <vector>

#include "keelson/kube/described_type.hpp"

namespace keelson::rbac::v1 {

struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> api_groups;
  std::vector<std::string> resources;
  std::vector<std::string> resource_names;
  std::vector<std::string> non_resource_urls;

  static const kube::StructTable kFields;
  bool operator==(const PolicyRule&) const = default;
};

}  // namespace keelson::rbac::v1
