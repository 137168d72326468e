// TypedLocalObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <optional>
#include <string>

#include "keelson/kube/described_type.hpp"

namespace keelson::core::v1 {

struct TypedLocalObjectReference {
  std::optional<std::string> api_group;
  std::string kind;
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const TypedLocalObjectReference&) const = default;
};

}  // namespace keelson::core::v1
