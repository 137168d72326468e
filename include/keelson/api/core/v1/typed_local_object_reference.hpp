// TypedLocalObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::core::v1 {

// The type of IngressBackend.resource and PersistentVolumeClaimSpec.dataSource.
struct TypedLocalObjectReference {
  std::optional<std::string> api_group;  // apiGroup
  std::string kind;                      // required
  std::string name;                      // required

  static const kube::StructTable kFields;
  bool operator==(const TypedLocalObjectReference&) const = default;
};

}  // namespace keelson::core::v1
