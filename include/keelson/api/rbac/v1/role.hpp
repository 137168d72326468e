// Role of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/api/rbac/v1/policy_rule.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::rbac::v1 {

// Role, namespaced. `kubectl explain role --recursive` shows what its fields mean.
struct Role {
  static constexpr kube::Identity kIdentity{"rbac.authorization.k8s.io", "v1", "Role", "roles"};

  meta::v1::ObjectMeta metadata;
  kube::ListOf<PolicyRule> rules;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const Role&) const = default;
};

}  // namespace keelson::rbac::v1
