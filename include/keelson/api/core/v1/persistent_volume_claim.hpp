// PersistentVolumeClaim of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/persistent_volume_claim_spec.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct PersistentVolumeClaimCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_probe_time;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimCondition&) const = default;
};

struct ModifyVolumeStatus {
  std::string target_volume_attributes_class_name;
  std::string status;

  static const kube::StructTable kFields;
  bool operator==(const ModifyVolumeStatus&) const = default;
};

struct PersistentVolumeClaimStatus {
  std::string phase;
  std::vector<std::string> access_modes;
  std::map<std::string, kube::Quantity> capacity;
  kube::ListOf<PersistentVolumeClaimCondition> conditions;
  std::map<std::string, kube::Quantity> allocated_resources;
  std::map<std::string, std::string> allocated_resource_statuses;
  std::optional<std::string> current_volume_attributes_class_name;
  kube::Box<ModifyVolumeStatus> modify_volume_status;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimStatus&) const = default;
};

struct PersistentVolumeClaim {
  static constexpr kube::Identity kIdentity{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"};

  meta::v1::ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaim&) const = default;
};

}  // namespace keelson::core::v1
