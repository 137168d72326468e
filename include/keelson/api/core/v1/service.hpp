// Service of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/condition.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/int_or_string.hpp"

namespace keelson::core::v1 {

struct ServicePort {
  std::string name;
  std::string protocol;
  std::optional<std::string> app_protocol;
  std::int32_t port = 0;
  std::optional<kube::IntOrString> target_port;
  std::int32_t node_port = 0;

  static const kube::StructTable kFields;
  bool operator==(const ServicePort&) const = default;
};

struct ClientIPConfig {
  std::optional<std::int32_t> timeout_seconds;

  static const kube::StructTable kFields;
  bool operator==(const ClientIPConfig&) const = default;
};

struct SessionAffinityConfig {
  kube::Box<ClientIPConfig> client_ip;

  static const kube::StructTable kFields;
  bool operator==(const SessionAffinityConfig&) const = default;
};

struct ServiceSpec {
  kube::ListOf<ServicePort> ports;
  std::map<std::string, std::string> selector;
  std::string cluster_ip;
  std::vector<std::string> cluster_ips;
  std::string type;
  std::vector<std::string> external_ips;
  std::string session_affinity;
  std::string load_balancer_ip;
  std::vector<std::string> load_balancer_source_ranges;
  std::string external_name;
  std::string external_traffic_policy;
  std::int32_t health_check_node_port = 0;
  bool publish_not_ready_addresses = false;
  kube::Box<SessionAffinityConfig> session_affinity_config;
  std::vector<std::string> ip_families;
  std::optional<std::string> ip_family_policy;
  std::optional<bool> allocate_load_balancer_node_ports;
  std::optional<std::string> load_balancer_class;
  std::optional<std::string> internal_traffic_policy;
  std::optional<std::string> traffic_distribution;

  static const kube::StructTable kFields;
  bool operator==(const ServiceSpec&) const = default;
};

struct PortStatus {
  std::int32_t port = 0;
  std::string protocol;
  std::optional<std::string> error;

  static const kube::StructTable kFields;
  bool operator==(const PortStatus&) const = default;
};

struct LoadBalancerIngress {
  std::string ip;
  std::string hostname;
  std::optional<std::string> ip_mode;
  kube::ListOf<PortStatus> ports;

  static const kube::StructTable kFields;
  bool operator==(const LoadBalancerIngress&) const = default;
};

struct LoadBalancerStatus {
  kube::ListOf<LoadBalancerIngress> ingress;

  static const kube::StructTable kFields;
  bool operator==(const LoadBalancerStatus&) const = default;
};

struct ServiceStatus {
  LoadBalancerStatus load_balancer;
  std::vector<kube::Condition> conditions;

  static const kube::StructTable kFields;
  bool operator==(const ServiceStatus&) const = default;
};

struct Service {
  static constexpr kube::Identity kIdentity{"", "v1", "Service", "services"};

  meta::v1::ObjectMeta metadata;
  ServiceSpec spec;
  ServiceStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Service&) const = default;
};

}  // namespace keelson::core::v1
