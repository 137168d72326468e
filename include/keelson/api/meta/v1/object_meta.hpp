// ObjectMeta of meta/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"

namespace keelson::meta::v1 {

// The type of ObjectMeta.ownerReferences.
struct OwnerReference {
  std::string api_version;  // apiVersion, required
  std::string kind;         // required
  std::string name;         // required
  std::string uid;          // required
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;  // blockOwnerDeletion

  static const kube::StructTable kFields;
  bool operator==(const OwnerReference&) const = default;
};

// The type of ClusterRole.metadata, ClusterRoleBinding.metadata, ConfigMap.metadata, CronJob.metadata and 25 others.
struct ObjectMeta {
  std::string name;
  std::string generate_name;  // generateName
  std::string ns;             // namespace
  std::string uid;
  std::string resource_version;  // resourceVersion
  std::int64_t generation = 0;
  std::optional<kube::Time> creation_timestamp;               // creationTimestamp
  std::optional<kube::Time> deletion_timestamp;               // deletionTimestamp
  std::optional<std::int64_t> deletion_grace_period_seconds;  // deletionGracePeriodSeconds
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  kube::ListOf<OwnerReference> owner_references;  // ownerReferences, one for each uid
  std::vector<std::string> finalizers;

  static const kube::StructTable kFields;
  bool operator==(const ObjectMeta&) const = default;
};

}  // namespace keelson::meta::v1
