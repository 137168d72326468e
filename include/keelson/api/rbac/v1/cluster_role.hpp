// ClusterRole of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/api/rbac/v1/policy_rule.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::rbac::v1 {

// The type of ClusterRole.aggregationRule.
struct AggregationRule {
  kube::ListOf<meta::v1::LabelSelector> cluster_role_selectors;  // clusterRoleSelectors, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const AggregationRule&) const = default;
};

// ClusterRole, cluster-scoped. `kubectl explain clusterrole --recursive` shows what its fields mean.
struct ClusterRole {
  static constexpr kube::Identity kIdentity{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles",
                                            kube::Scope::kCluster};

  meta::v1::ObjectMeta metadata;
  kube::ListOf<PolicyRule> rules;               // applied as a whole
  kube::Box<AggregationRule> aggregation_rule;  // aggregationRule

  static const kube::StructTable kFields;
  bool operator==(const ClusterRole&) const = default;
};

}  // namespace keelson::rbac::v1
