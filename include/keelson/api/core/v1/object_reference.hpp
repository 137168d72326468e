// ObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/kube/described_type.hpp"

namespace keelson::core::v1 {

struct ObjectReference {
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
  std::string api_version;
  std::string resource_version;
  std::string field_path;

  static const kube::StructTable kFields;
  bool operator==(const ObjectReference&) const = default;
};

}  // namespace keelson::core::v1
