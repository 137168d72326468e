#include "keelson/api/networking/v1/network_policy.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::networking::v1 {

constexpr kube::StructTable::Field kNetworkPolicyPortFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicyPort, protocol, "protocol", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyPort, port, "port", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyPort, end_port, "endPort", kOptional),
};
constinit const kube::StructTable NetworkPolicyPort::kFields(kNetworkPolicyPortFields);

constexpr kube::StructTable::Field kIPBlockFields[] = {
    KEELSON_TABLE_FIELD(IPBlock, cidr, "cidr", kRequired),
    KEELSON_TABLE_FIELD(IPBlock, except, "except", kOptional),
};
constinit const kube::StructTable IPBlock::kFields(kIPBlockFields);

constexpr kube::StructTable::Field kNetworkPolicyPeerFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicyPeer, pod_selector, "podSelector", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyPeer, namespace_selector, "namespaceSelector", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyPeer, ip_block, "ipBlock", kOptional),
};
constinit const kube::StructTable NetworkPolicyPeer::kFields(kNetworkPolicyPeerFields);

constexpr kube::StructTable::Field kNetworkPolicyIngressRuleFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicyIngressRule, ports, "ports", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyIngressRule, from, "from", kOptional),
};
constinit const kube::StructTable NetworkPolicyIngressRule::kFields(kNetworkPolicyIngressRuleFields);

constexpr kube::StructTable::Field kNetworkPolicyEgressRuleFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicyEgressRule, ports, "ports", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicyEgressRule, to, "to", kOptional),
};
constinit const kube::StructTable NetworkPolicyEgressRule::kFields(kNetworkPolicyEgressRuleFields);

constexpr kube::StructTable::Field kNetworkPolicySpecFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicySpec, pod_selector, "podSelector", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicySpec, ingress, "ingress", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicySpec, egress, "egress", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicySpec, policy_types, "policyTypes", kOptional),
};
constinit const kube::StructTable NetworkPolicySpec::kFields(kNetworkPolicySpecFields);

constexpr kube::StructTable::Field kNetworkPolicyFields[] = {
    KEELSON_TABLE_FIELD(NetworkPolicy, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(NetworkPolicy, spec, "spec", kOptional),
};
constinit const kube::StructTable NetworkPolicy::kFields(kNetworkPolicyFields);

}  // namespace keelson::networking::v1
