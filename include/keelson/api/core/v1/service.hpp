// Service of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::core::v1 {

// The type of ServiceSpec.ports.
struct ServicePort {
  std::string name;
  std::string protocol;
  std::optional<std::string> app_protocol;       // appProtocol
  std::int32_t port = 0;                         // required
  std::optional<kube::IntOrString> target_port;  // targetPort
  std::int32_t node_port = 0;                    // nodePort

  static const kube::StructTable kFields;
  bool operator==(const ServicePort&) const = default;
};

// The type of SessionAffinityConfig.clientIP.
struct ClientIPConfig {
  std::optional<std::int32_t> timeout_seconds;  // timeoutSeconds

  static const kube::StructTable kFields;
  bool operator==(const ClientIPConfig&) const = default;
};

// The type of ServiceSpec.sessionAffinityConfig.
struct SessionAffinityConfig {
  kube::Box<ClientIPConfig> client_ip;  // clientIP

  static const kube::StructTable kFields;
  bool operator==(const SessionAffinityConfig&) const = default;
};

// The type of Service.spec.
struct ServiceSpec {
  kube::ListOf<ServicePort> ports;              // one for each port and protocol
  std::map<std::string, std::string> selector;  // applied as a whole
  std::string cluster_ip;                       // clusterIP
  std::vector<std::string> cluster_ips;         // clusterIPs, applied as a whole
  std::string type;
  std::vector<std::string> external_ips;                     // externalIPs, applied as a whole
  std::string session_affinity;                              // sessionAffinity
  std::string load_balancer_ip;                              // loadBalancerIP
  std::vector<std::string> load_balancer_source_ranges;      // loadBalancerSourceRanges, applied as a whole
  std::string external_name;                                 // externalName
  std::string external_traffic_policy;                       // externalTrafficPolicy
  std::int32_t health_check_node_port = 0;                   // healthCheckNodePort
  bool publish_not_ready_addresses = false;                  // publishNotReadyAddresses
  kube::Box<SessionAffinityConfig> session_affinity_config;  // sessionAffinityConfig
  std::vector<std::string> ip_families;                      // ipFamilies, applied as a whole
  std::optional<std::string> ip_family_policy;               // ipFamilyPolicy
  std::optional<bool> allocate_load_balancer_node_ports;     // allocateLoadBalancerNodePorts
  std::optional<std::string> load_balancer_class;            // loadBalancerClass
  std::optional<std::string> internal_traffic_policy;        // internalTrafficPolicy
  std::optional<std::string> traffic_distribution;           // trafficDistribution

  static const kube::StructTable kFields;
  bool operator==(const ServiceSpec&) const = default;
};

// The type of LoadBalancerIngress.ports.
struct PortStatus {
  std::int32_t port = 0;  // required
  std::string protocol;   // required
  std::optional<std::string> error;

  static const kube::StructTable kFields;
  bool operator==(const PortStatus&) const = default;
};

// The type of LoadBalancerStatus.ingress.
struct LoadBalancerIngress {
  std::string ip;
  std::string hostname;
  std::optional<std::string> ip_mode;  // ipMode
  kube::ListOf<PortStatus> ports;      // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const LoadBalancerIngress&) const = default;
};

// The type of ServiceStatus.loadBalancer.
struct LoadBalancerStatus {
  kube::ListOf<LoadBalancerIngress> ingress;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const LoadBalancerStatus&) const = default;
};

// The type of Service.status.
struct ServiceStatus {
  LoadBalancerStatus load_balancer;         // loadBalancer
  std::vector<kube::Condition> conditions;  // one for each type

  static const kube::StructTable kFields;
  bool operator==(const ServiceStatus&) const = default;
};

// Service, namespaced. `kubectl explain service --recursive` shows what its fields mean.
struct Service {
  static constexpr kube::Identity kIdentity{"", "v1", "Service", "services"};

  meta::v1::ObjectMeta metadata;
  ServiceSpec spec;
  ServiceStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Service&) const = default;
};

}  // namespace keelson::core::v1
