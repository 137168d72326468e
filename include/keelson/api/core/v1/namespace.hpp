// Namespace of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::core::v1 {

// The type of Namespace.spec.
struct NamespaceSpec {
  std::vector<std::string> finalizers;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NamespaceSpec&) const = default;
};

// The type of NamespaceStatus.conditions.
struct NamespaceCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const NamespaceCondition&) const = default;
};

// The type of Namespace.status.
struct NamespaceStatus {
  std::string phase;
  kube::ListOf<NamespaceCondition> conditions;  // one for each type

  static const kube::StructTable kFields;
  bool operator==(const NamespaceStatus&) const = default;
};

// Namespace, cluster-scoped. `kubectl explain namespace --recursive` shows what its fields mean.
struct Namespace {
  static constexpr kube::Identity kIdentity{"", "v1", "Namespace", "namespaces", kube::Scope::kCluster};

  meta::v1::ObjectMeta metadata;
  NamespaceSpec spec;
  NamespaceStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Namespace&) const = default;
};

}  // namespace keelson::core::v1
