// LocalObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/kube/described_type.hpp"

namespace keelson::core::v1 {

struct LocalObjectReference {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const LocalObjectReference&) const = default;
};

}  // namespace keelson::core::v1
