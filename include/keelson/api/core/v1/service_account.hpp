// ServiceAccount of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <optional>

#include "keelson/api/core/v1/local_object_reference.hpp"
#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::core::v1 {

// ServiceAccount, namespaced. `kubectl explain serviceaccount --recursive` shows what its fields mean.
struct ServiceAccount {
  static constexpr kube::Identity kIdentity{"", "v1", "ServiceAccount", "serviceaccounts"};

  meta::v1::ObjectMeta metadata;
  kube::ListOf<ObjectReference> secrets;                  // one for each name
  kube::ListOf<LocalObjectReference> image_pull_secrets;  // imagePullSecrets, applied as a whole
  std::optional<bool> automount_service_account_token;    // automountServiceAccountToken

  static const kube::StructTable kFields;
  bool operator==(const ServiceAccount&) const = default;
};

}  // namespace keelson::core::v1
