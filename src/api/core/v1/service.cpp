#include "keelson/api/core/v1/service.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kServicePortFields[] = {
    KEELSON_TABLE_FIELD(ServicePort, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ServicePort, protocol, "protocol", kOptional),
    KEELSON_TABLE_FIELD(ServicePort, app_protocol, "appProtocol", kOptional),
    KEELSON_TABLE_FIELD(ServicePort, port, "port", kRequired),
    KEELSON_TABLE_FIELD(ServicePort, target_port, "targetPort", kOptional),
    KEELSON_TABLE_FIELD(ServicePort, node_port, "nodePort", kOptional),
};
constinit const kube::StructTable ServicePort::kFields(kServicePortFields);

constexpr kube::StructTable::Field kClientIPConfigFields[] = {
    KEELSON_TABLE_FIELD(ClientIPConfig, timeout_seconds, "timeoutSeconds", kOptional),
};
constinit const kube::StructTable ClientIPConfig::kFields(kClientIPConfigFields);

constexpr kube::StructTable::Field kSessionAffinityConfigFields[] = {
    KEELSON_TABLE_FIELD(SessionAffinityConfig, client_ip, "clientIP", kOptional),
};
constinit const kube::StructTable SessionAffinityConfig::kFields(kSessionAffinityConfigFields);

constexpr kube::StructTable::Field kServiceSpecFields[] = {
    KEELSON_TABLE_FIELD(ServiceSpec, ports, "ports", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, selector, "selector", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, cluster_ip, "clusterIP", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, cluster_ips, "clusterIPs", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, type, "type", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, external_ips, "externalIPs", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, session_affinity, "sessionAffinity", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, load_balancer_ip, "loadBalancerIP", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, load_balancer_source_ranges, "loadBalancerSourceRanges", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, external_name, "externalName", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, external_traffic_policy, "externalTrafficPolicy", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, health_check_node_port, "healthCheckNodePort", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, publish_not_ready_addresses, "publishNotReadyAddresses", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, session_affinity_config, "sessionAffinityConfig", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, ip_families, "ipFamilies", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, ip_family_policy, "ipFamilyPolicy", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, allocate_load_balancer_node_ports, "allocateLoadBalancerNodePorts", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, load_balancer_class, "loadBalancerClass", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, internal_traffic_policy, "internalTrafficPolicy", kOptional),
    KEELSON_TABLE_FIELD(ServiceSpec, traffic_distribution, "trafficDistribution", kOptional),
};
constinit const kube::StructTable ServiceSpec::kFields(kServiceSpecFields);

constexpr kube::StructTable::Field kPortStatusFields[] = {
    KEELSON_TABLE_FIELD(PortStatus, port, "port", kRequired),
    KEELSON_TABLE_FIELD(PortStatus, protocol, "protocol", kRequired),
    KEELSON_TABLE_FIELD(PortStatus, error, "error", kOptional),
};
constinit const kube::StructTable PortStatus::kFields(kPortStatusFields);

constexpr kube::StructTable::Field kLoadBalancerIngressFields[] = {
    KEELSON_TABLE_FIELD(LoadBalancerIngress, ip, "ip", kOptional),
    KEELSON_TABLE_FIELD(LoadBalancerIngress, hostname, "hostname", kOptional),
    KEELSON_TABLE_FIELD(LoadBalancerIngress, ip_mode, "ipMode", kOptional),
    KEELSON_TABLE_FIELD(LoadBalancerIngress, ports, "ports", kOptional),
};
constinit const kube::StructTable LoadBalancerIngress::kFields(kLoadBalancerIngressFields);

constexpr kube::StructTable::Field kLoadBalancerStatusFields[] = {
    KEELSON_TABLE_FIELD(LoadBalancerStatus, ingress, "ingress", kOptional),
};
constinit const kube::StructTable LoadBalancerStatus::kFields(kLoadBalancerStatusFields);

constexpr kube::StructTable::Field kServiceStatusFields[] = {
    KEELSON_TABLE_FIELD(ServiceStatus, load_balancer, "loadBalancer", kOptional),
    KEELSON_TABLE_FIELD(ServiceStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable ServiceStatus::kFields(kServiceStatusFields);

constexpr kube::StructTable::Field kServiceFields[] = {
    KEELSON_TABLE_FIELD(Service, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Service, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Service, status, "status", kOptional),
};
constinit const kube::StructTable Service::kFields(kServiceFields);

}  // namespace keelson::core::v1
