// NetworkPolicy of networking.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/int_or_string.hpp"

namespace keelson::networking::v1 {

struct NetworkPolicyPort {
  std::optional<std::string> protocol;
  std::optional<kube::IntOrString> port;
  std::optional<std::int32_t> end_port;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyPort&) const = default;
};

struct IPBlock {
  std::string cidr;
  std::vector<std::string> except;

  static const kube::StructTable kFields;
  bool operator==(const IPBlock&) const = default;
};

struct NetworkPolicyPeer {
  kube::Box<meta::v1::LabelSelector> pod_selector;
  kube::Box<meta::v1::LabelSelector> namespace_selector;
  kube::Box<IPBlock> ip_block;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyPeer&) const = default;
};

struct NetworkPolicyIngressRule {
  kube::ListOf<NetworkPolicyPort> ports;
  kube::ListOf<NetworkPolicyPeer> from;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyIngressRule&) const = default;
};

struct NetworkPolicyEgressRule {
  kube::ListOf<NetworkPolicyPort> ports;
  kube::ListOf<NetworkPolicyPeer> to;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicyEgressRule&) const = default;
};

struct NetworkPolicySpec {
  kube::Box<meta::v1::LabelSelector> pod_selector;
  kube::ListOf<NetworkPolicyIngressRule> ingress;
  kube::ListOf<NetworkPolicyEgressRule> egress;
  std::vector<std::string> policy_types;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicySpec&) const = default;
};

struct NetworkPolicy {
  static constexpr kube::Identity kIdentity{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"};

  meta::v1::ObjectMeta metadata;
  NetworkPolicySpec spec;

  static const kube::StructTable kFields;
  bool operator==(const NetworkPolicy&) const = default;
};

}  // namespace keelson::networking::v1
