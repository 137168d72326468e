// Secret of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/bytes.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::core::v1 {

// Secret, namespaced. `kubectl explain secret --recursive` shows what its fields mean.
struct Secret {
  static constexpr kube::Identity kIdentity{"", "v1", "Secret", "secrets"};

  meta::v1::ObjectMeta metadata;
  std::optional<bool> immutable;
  std::map<std::string, kube::Bytes> data;
  std::string type;

  static const kube::StructTable kFields;
  bool operator==(const Secret&) const = default;
};

}  // namespace keelson::core::v1
