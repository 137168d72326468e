// RoleBinding of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/api/rbac/v1/role_ref.hpp"
#include "keelson/api/rbac/v1/subject.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::rbac::v1 {

// RoleBinding, namespaced. `kubectl explain rolebinding --recursive` shows what its fields mean.
struct RoleBinding {
  static constexpr kube::Identity kIdentity{"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings"};

  meta::v1::ObjectMeta metadata;
  kube::ListOf<Subject> subjects;  // applied as a whole
  RoleRef role_ref;                // roleRef, required

  static const kube::StructTable kFields;
  bool operator==(const RoleBinding&) const = default;
};

}  // namespace keelson::rbac::v1
