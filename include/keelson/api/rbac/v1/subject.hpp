// Subject of rbac.authorization.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/kube/described_type.hpp"

namespace keelson::rbac::v1 {

struct Subject {
  std::string kind;
  std::string api_group;
  std::string name;
  std::string ns;

  static const kube::StructTable kFields;
  bool operator==(const Subject&) const = default;
};

}  // namespace keelson::rbac::v1
