// LabelSelector of meta/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"

namespace keelson::meta::v1 {

// The type of LabelSelector.matchExpressions.
struct LabelSelectorRequirement {
  std::string key;                  // required
  std::string operator_;            // operator, required
  std::vector<std::string> values;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const LabelSelectorRequirement&) const = default;
};

// The type of AggregationRule.clusterRoleSelectors, ClusterTrustBundleProjection.labelSelector, DaemonSetSpec.selector,
// DeploymentSpec.selector and 12 others.
struct LabelSelector {
  std::map<std::string, std::string> match_labels;           // matchLabels
  kube::ListOf<LabelSelectorRequirement> match_expressions;  // matchExpressions, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const LabelSelector&) const = default;
};

}  // namespace keelson::meta::v1
