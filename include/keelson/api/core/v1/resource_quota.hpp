// ResourceQuota of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct ScopedResourceSelectorRequirement {
  std::string scope_name;
  std::string operator_;
  std::vector<std::string> values;

  static const kube::StructTable kFields;
  bool operator==(const ScopedResourceSelectorRequirement&) const = default;
};

struct ScopeSelector {
  kube::ListOf<ScopedResourceSelectorRequirement> match_expressions;

  static const kube::StructTable kFields;
  bool operator==(const ScopeSelector&) const = default;
};

struct ResourceQuotaSpec {
  std::map<std::string, kube::Quantity> hard;
  std::vector<std::string> scopes;
  kube::Box<ScopeSelector> scope_selector;

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuotaSpec&) const = default;
};

struct ResourceQuotaStatus {
  std::map<std::string, kube::Quantity> hard;
  std::map<std::string, kube::Quantity> used;

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuotaStatus&) const = default;
};

struct ResourceQuota {
  static constexpr kube::Identity kIdentity{"", "v1", "ResourceQuota", "resourcequotas"};

  meta::v1::ObjectMeta metadata;
  ResourceQuotaSpec spec;
  ResourceQuotaStatus status;

  static const kube::StructTable kFields;
  bool operator==(const ResourceQuota&) const = default;
};

}  // namespace keelson::core::v1
