// Lease of coordination.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::coordination::v1 {

// The type of Lease.spec.
struct LeaseSpec {
  std::optional<std::string> holder_identity;          // holderIdentity
  std::optional<std::int32_t> lease_duration_seconds;  // leaseDurationSeconds
  std::optional<kube::MicroTime> acquire_time;         // acquireTime
  std::optional<kube::MicroTime> renew_time;           // renewTime
  std::optional<std::int32_t> lease_transitions;       // leaseTransitions
  std::optional<std::string> strategy;
  std::optional<std::string> preferred_holder;  // preferredHolder

  static const kube::StructTable kFields;
  bool operator==(const LeaseSpec&) const = default;
};

// Lease, namespaced. `kubectl explain lease --recursive` shows what its fields mean.
struct Lease {
  static constexpr kube::Identity kIdentity{"coordination.k8s.io", "v1", "Lease", "leases"};

  meta::v1::ObjectMeta metadata;
  LeaseSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const Lease&) const = default;
};

}  // namespace keelson::coordination::v1
