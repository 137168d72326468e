// PersistentVolumeClaimSpec of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/typed_local_object_reference.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct VolumeResourceRequirements {
  std::map<std::string, kube::Quantity> limits;
  std::map<std::string, kube::Quantity> requests;

  static const kube::StructTable kFields;
  bool operator==(const VolumeResourceRequirements&) const = default;
};

struct TypedObjectReference {
  std::optional<std::string> api_group;
  std::string kind;
  std::string name;
  std::optional<std::string> ns;

  static const kube::StructTable kFields;
  bool operator==(const TypedObjectReference&) const = default;
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string> access_modes;
  kube::Box<meta::v1::LabelSelector> selector;
  VolumeResourceRequirements resources;
  std::string volume_name;
  std::optional<std::string> storage_class_name;
  std::optional<std::string> volume_mode;
  kube::Box<TypedLocalObjectReference> data_source;
  kube::Box<TypedObjectReference> data_source_ref;
  std::optional<std::string> volume_attributes_class_name;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimSpec&) const = default;
};

}  // namespace keelson::core::v1
