// PersistentVolumeClaim of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/persistent_volume_claim_spec.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of PersistentVolumeClaimStatus.conditions.
struct PersistentVolumeClaimCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_probe_time;       // lastProbeTime
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimCondition&) const = default;
};

// The type of PersistentVolumeClaimStatus.modifyVolumeStatus.
struct ModifyVolumeStatus {
  std::string target_volume_attributes_class_name;  // targetVolumeAttributesClassName
  std::string status;                               // required

  static const kube::StructTable kFields;
  bool operator==(const ModifyVolumeStatus&) const = default;
};

// The type of PersistentVolumeClaim.status.
struct PersistentVolumeClaimStatus {
  std::string phase;
  std::vector<std::string> access_modes;  // accessModes, applied as a whole
  std::map<std::string, kube::Quantity> capacity;
  kube::ListOf<PersistentVolumeClaimCondition> conditions;          // one for each type
  std::map<std::string, kube::Quantity> allocated_resources;        // allocatedResources
  std::map<std::string, std::string> allocated_resource_statuses;   // allocatedResourceStatuses
  std::optional<std::string> current_volume_attributes_class_name;  // currentVolumeAttributesClassName
  kube::Box<ModifyVolumeStatus> modify_volume_status;               // modifyVolumeStatus

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimStatus&) const = default;
};

// PersistentVolumeClaim, namespaced. `kubectl explain persistentvolumeclaim --recursive` shows what its fields mean.
struct PersistentVolumeClaim {
  static constexpr kube::Identity kIdentity{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"};

  meta::v1::ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaim&) const = default;
};

}  // namespace keelson::core::v1
