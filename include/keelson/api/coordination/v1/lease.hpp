// Lease of coordination.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/time.hpp"

namespace keelson::coordination::v1 {

struct LeaseSpec {
  std::optional<std::string> holder_identity;
  std::optional<std::int32_t> lease_duration_seconds;
  std::optional<kube::MicroTime> acquire_time;
  std::optional<kube::MicroTime> renew_time;
  std::optional<std::int32_t> lease_transitions;
  std::optional<std::string> strategy;
  std::optional<std::string> preferred_holder;

  static const kube::StructTable kFields;
  bool operator==(const LeaseSpec&) const = default;
};

struct Lease {
  static constexpr kube::Identity kIdentity{"coordination.k8s.io", "v1", "Lease", "leases"};

  meta::v1::ObjectMeta metadata;
  LeaseSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const Lease&) const = default;
};

}  // namespace keelson::coordination::v1
