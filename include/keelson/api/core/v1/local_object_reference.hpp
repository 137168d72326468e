// LocalObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::core::v1 {

// The type of CSIVolumeSource.nodePublishSecretRef, ISCSIVolumeSource.secretRef, PodSpec.imagePullSecrets and
// ServiceAccount.imagePullSecrets.
struct LocalObjectReference {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const LocalObjectReference&) const = default;
};

}  // namespace keelson::core::v1
