// ResourceQuota of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of ScopeSelector.matchExpressions.
struct ScopedResourceSelectorRequirement {
  std::string scope_name;           // scopeName, required
  std::string operator_;            // operator, required
  std::vector<std::string> values;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const ScopedResourceSelectorRequirement&) const = default;
};

// The type of ResourceQuotaSpec.scopeSelector.
struct ScopeSelector {
  kube::ListOf<ScopedResourceSelectorRequirement> match_expressions;  // matchExpressions, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const ScopeSelector&) const = default;
};

// The type of ResourceQuota.spec.
struct ResourceQuotaSpec {
  std::map<std::string, kube::Quantity> hard;
  std::vector<std::string> scopes;          // applied as a whole
  kube::Box<ScopeSelector> scope_selector;  // scopeSelector

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuotaSpec&) const = default;
};

// The type of ResourceQuota.status.
struct ResourceQuotaStatus {
  std::map<std::string, kube::Quantity> hard;
  std::map<std::string, kube::Quantity> used;

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuotaStatus&) const = default;
};

// ResourceQuota, namespaced. `kubectl explain resourcequota --recursive` shows what its fields mean.
struct ResourceQuota {
  static constexpr kube::Identity kIdentity{"", "v1", "ResourceQuota", "resourcequotas"};

  meta::v1::ObjectMeta metadata;
  ResourceQuotaSpec spec;
  ResourceQuotaStatus status;

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuota&) const = default;
};

}  // namespace keelson::core::v1
