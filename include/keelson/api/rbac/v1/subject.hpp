// Subject of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::rbac::v1 {

// The type of ClusterRoleBinding.subjects and RoleBinding.subjects.
struct Subject {
  std::string kind;       // required
  std::string api_group;  // apiGroup
  std::string name;       // required
  std::string ns;         // namespace

  static const kube::StructTable kFields;
  bool operator==(const Subject&) const = default;
};

}  // namespace keelson::rbac::v1
