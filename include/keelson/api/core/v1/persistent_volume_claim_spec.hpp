// PersistentVolumeClaimSpec of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/typed_local_object_reference.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of PersistentVolumeClaimSpec.resources.
struct VolumeResourceRequirements {
  std::map<std::string, kube::Quantity> limits;
  std::map<std::string, kube::Quantity> requests;

  static const kube::StructTable kFields;
  bool operator==(const VolumeResourceRequirements&) const = default;
};

// The type of PersistentVolumeClaimSpec.dataSourceRef.
struct TypedObjectReference {
  std::optional<std::string> api_group;  // apiGroup
  std::string kind;                      // required
  std::string name;                      // required
  std::optional<std::string> ns;         // namespace

  static const kube::StructTable kFields;
  bool operator==(const TypedObjectReference&) const = default;
};

// The type of PersistentVolumeClaim.spec and PersistentVolumeClaimTemplate.spec.
struct PersistentVolumeClaimSpec {
  std::vector<std::string> access_modes;  // accessModes, applied as a whole
  kube::Box<meta::v1::LabelSelector> selector;
  VolumeResourceRequirements resources;
  std::string volume_name;                                  // volumeName
  std::optional<std::string> storage_class_name;            // storageClassName
  std::optional<std::string> volume_mode;                   // volumeMode
  kube::Box<TypedLocalObjectReference> data_source;         // dataSource
  kube::Box<TypedObjectReference> data_source_ref;          // dataSourceRef
  std::optional<std::string> volume_attributes_class_name;  // volumeAttributesClassName

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimSpec&) const = default;
};

}  // namespace keelson::core::v1
