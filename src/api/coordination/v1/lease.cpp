#include "keelson/api/coordination/v1/lease.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::coordination::v1 {

constexpr kube::StructTable::Field kLeaseSpecFields[] = {
    KEELSON_TABLE_FIELD(LeaseSpec, holder_identity, "holderIdentity", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, lease_duration_seconds, "leaseDurationSeconds", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, acquire_time, "acquireTime", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, renew_time, "renewTime", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, lease_transitions, "leaseTransitions", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, strategy, "strategy", kOptional),
    KEELSON_TABLE_FIELD(LeaseSpec, preferred_holder, "preferredHolder", kOptional),
};
constinit const kube::StructTable LeaseSpec::kFields(kLeaseSpecFields);

constexpr kube::StructTable::Field kLeaseFields[] = {
    KEELSON_TABLE_FIELD(Lease, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Lease, spec, "spec", kOptional),
};
constinit const kube::StructTable Lease::kFields(kLeaseFields);

}  // namespace keelson::coordination::v1
