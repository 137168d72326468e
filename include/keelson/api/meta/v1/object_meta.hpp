// ObjectMeta of meta/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"

namespace keelson::meta::v1 {

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;

  static const kube::StructTable kFields;
  bool operator==(const OwnerReference&) const = default;
};

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string ns;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::optional<kube::Time> creation_timestamp;
  std::optional<kube::Time> deletion_timestamp;
  std::optional<std::int64_t> deletion_grace_period_seconds;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  kube::ListOf<OwnerReference> owner_references;
  std::vector<std::string> finalizers;

  static const kube::StructTable kFields;
  bool operator==(const ObjectMeta&) const = default;
};

}  // namespace keelson::meta::v1
