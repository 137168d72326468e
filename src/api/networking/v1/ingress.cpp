#include "keelson/api/networking/v1/ingress.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::networking::v1 {

constexpr kube::StructTable::Field kServiceBackendPortFields[] = {
    KEELSON_TABLE_FIELD(ServiceBackendPort, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ServiceBackendPort, number, "number", kOptional),
};
constinit const kube::StructTable ServiceBackendPort::kFields(kServiceBackendPortFields);

constexpr kube::StructTable::Field kIngressServiceBackendFields[] = {
    KEELSON_TABLE_FIELD(IngressServiceBackend, name, "name", kRequired),
    KEELSON_TABLE_FIELD(IngressServiceBackend, port, "port", kOptional),
};
constinit const kube::StructTable IngressServiceBackend::kFields(kIngressServiceBackendFields);

constexpr kube::StructTable::Field kIngressBackendFields[] = {
    KEELSON_TABLE_FIELD(IngressBackend, service, "service", kOptional),
    KEELSON_TABLE_FIELD(IngressBackend, resource, "resource", kOptional),
};
constinit const kube::StructTable IngressBackend::kFields(kIngressBackendFields);

constexpr kube::StructTable::Field kIngressTLSFields[] = {
    KEELSON_TABLE_FIELD(IngressTLS, hosts, "hosts", kOptional),
    KEELSON_TABLE_FIELD(IngressTLS, secret_name, "secretName", kOptional),
};
constinit const kube::StructTable IngressTLS::kFields(kIngressTLSFields);

constexpr kube::StructTable::Field kHTTPIngressPathFields[] = {
    KEELSON_TABLE_FIELD(HTTPIngressPath, path, "path", kOptional),
    KEELSON_TABLE_FIELD(HTTPIngressPath, path_type, "pathType", kRequired),
    KEELSON_TABLE_FIELD(HTTPIngressPath, backend, "backend", kRequired),
};
constinit const kube::StructTable HTTPIngressPath::kFields(kHTTPIngressPathFields);

constexpr kube::StructTable::Field kHTTPIngressRuleValueFields[] = {
    KEELSON_TABLE_FIELD(HTTPIngressRuleValue, paths, "paths", kRequired),
};
constinit const kube::StructTable HTTPIngressRuleValue::kFields(kHTTPIngressRuleValueFields);

constexpr kube::StructTable::Field kIngressRuleFields[] = {
    KEELSON_TABLE_FIELD(IngressRule, host, "host", kOptional),
    KEELSON_TABLE_FIELD(IngressRule, http, "http", kOptional),
};
constinit const kube::StructTable IngressRule::kFields(kIngressRuleFields);

constexpr kube::StructTable::Field kIngressSpecFields[] = {
    KEELSON_TABLE_FIELD(IngressSpec, ingress_class_name, "ingressClassName", kOptional),
    KEELSON_TABLE_FIELD(IngressSpec, default_backend, "defaultBackend", kOptional),
    KEELSON_TABLE_FIELD(IngressSpec, tls, "tls", kOptional),
    KEELSON_TABLE_FIELD(IngressSpec, rules, "rules", kOptional),
};
constinit const kube::StructTable IngressSpec::kFields(kIngressSpecFields);

constexpr kube::StructTable::Field kIngressPortStatusFields[] = {
    KEELSON_TABLE_FIELD(IngressPortStatus, port, "port", kRequired),
    KEELSON_TABLE_FIELD(IngressPortStatus, protocol, "protocol", kRequired),
    KEELSON_TABLE_FIELD(IngressPortStatus, error, "error", kOptional),
};
constinit const kube::StructTable IngressPortStatus::kFields(kIngressPortStatusFields);

constexpr kube::StructTable::Field kIngressLoadBalancerIngressFields[] = {
    KEELSON_TABLE_FIELD(IngressLoadBalancerIngress, ip, "ip", kOptional),
    KEELSON_TABLE_FIELD(IngressLoadBalancerIngress, hostname, "hostname", kOptional),
    KEELSON_TABLE_FIELD(IngressLoadBalancerIngress, ports, "ports", kOptional),
};
constinit const kube::StructTable IngressLoadBalancerIngress::kFields(kIngressLoadBalancerIngressFields);

constexpr kube::StructTable::Field kIngressLoadBalancerStatusFields[] = {
    KEELSON_TABLE_FIELD(IngressLoadBalancerStatus, ingress, "ingress", kOptional),
};
constinit const kube::StructTable IngressLoadBalancerStatus::kFields(kIngressLoadBalancerStatusFields);

constexpr kube::StructTable::Field kIngressStatusFields[] = {
    KEELSON_TABLE_FIELD(IngressStatus, load_balancer, "loadBalancer", kOptional),
};
constinit const kube::StructTable IngressStatus::kFields(kIngressStatusFields);

constexpr kube::StructTable::Field kIngressFields[] = {
    KEELSON_TABLE_FIELD(Ingress, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Ingress, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Ingress, status, "status", kOptional),
};
constinit const kube::StructTable Ingress::kFields(kIngressFields);

}  // namespace keelson::networking::v1
