// NetworkPolicy of networking.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::networking::v1 {

// The type of NetworkPolicyEgressRule.ports and NetworkPolicyIngressRule.ports.
struct NetworkPolicyPort {
  std::optional<std::string> protocol;
  std::optional<kube::IntOrString> port;
  std::optional<std::int32_t> end_port;  // endPort

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyPort&) const = default;
};

// The type of NetworkPolicyPeer.ipBlock.
struct IPBlock {
  std::string cidr;                 // required
  std::vector<std::string> except;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const IPBlock&) const = default;
};

// The type of NetworkPolicyEgressRule.to and NetworkPolicyIngressRule.from.
struct NetworkPolicyPeer {
  kube::Box<meta::v1::LabelSelector> pod_selector;        // podSelector
  kube::Box<meta::v1::LabelSelector> namespace_selector;  // namespaceSelector
  kube::Box<IPBlock> ip_block;                            // ipBlock

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyPeer&) const = default;
};

// The type of NetworkPolicySpec.ingress.
struct NetworkPolicyIngressRule {
  kube::ListOf<NetworkPolicyPort> ports;  // applied as a whole
  kube::ListOf<NetworkPolicyPeer> from;   // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyIngressRule&) const = default;
};

// The type of NetworkPolicySpec.egress.
struct NetworkPolicyEgressRule {
  kube::ListOf<NetworkPolicyPort> ports;  // applied as a whole
  kube::ListOf<NetworkPolicyPeer> to;     // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyEgressRule&) const = default;
};

// The type of NetworkPolicy.spec.
struct NetworkPolicySpec {
  kube::Box<meta::v1::LabelSelector> pod_selector;  // podSelector
  kube::ListOf<NetworkPolicyIngressRule> ingress;   // applied as a whole
  kube::ListOf<NetworkPolicyEgressRule> egress;     // applied as a whole
  std::vector<std::string> policy_types;            // policyTypes, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicySpec&) const = default;
};

// NetworkPolicy, namespaced. `kubectl explain networkpolicy --recursive` shows what its fields mean.
struct NetworkPolicy {
  static constexpr kube::Identity kIdentity{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"};

  meta::v1::ObjectMeta metadata;
  NetworkPolicySpec spec;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicy&) const = default;
};

}  // namespace keelson::networking::v1
