// RoleRef of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::rbac::v1 {

// The type of ClusterRoleBinding.roleRef and RoleBinding.roleRef.
struct RoleRef {
  std::optional<std::string> api_group;  // apiGroup
  std::string kind;                      // required
  std::string name;                      // required

  static const kube::StructTable kFields;
  bool operator==(const RoleRef&) const = default;
};

}  // namespace keelson::rbac::v1
