// ResourceRequirements of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <string>

#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of ResourceRequirements.claims.
struct ResourceClaim {
  std::string name;  // required
  std::string request;

  static const kube::StructTable kFields;
  bool operator==(const ResourceClaim&) const = default;
};

// The type of Container.resources, ContainerStatus.resources, EphemeralContainer.resources, PodSpec.resources and
// PodStatus.resources.
struct ResourceRequirements {
  std::map<std::string, kube::Quantity> limits;
  std::map<std::string, kube::Quantity> requests;
  kube::ListOf<ResourceClaim> claims;  // one for each name

  static const kube::StructTable kFields;
  bool operator==(const ResourceRequirements&) const = default;
};

}  // namespace keelson::core::v1
