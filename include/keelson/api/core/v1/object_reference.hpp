// ObjectReference of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::core::v1 {

// The type of CronJobStatus.active, Endpoint.targetRef, Event.regarding, Event.related and ServiceAccount.secrets.
struct ObjectReference {
  std::string kind;
  std::string ns;  // namespace
  std::string name;
  std::string uid;
  std::string api_version;       // apiVersion
  std::string resource_version;  // resourceVersion
  std::string field_path;        // fieldPath

  static const kube::StructTable kFields;
  bool operator==(const ObjectReference&) const = default;
};

}  // namespace keelson::core::v1
