// Ingress of networking.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/typed_local_object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::networking::v1 {

// The type of IngressServiceBackend.port.
struct ServiceBackendPort {
  std::string name;
  std::int32_t number = 0;

  static const kube::StructTable kFields;
  bool operator==(const ServiceBackendPort&) const = default;
};

// The type of IngressBackend.service.
struct IngressServiceBackend {
  std::string name;  // required
  ServiceBackendPort port;

  static const kube::StructTable kFields;
  bool operator==(const IngressServiceBackend&) const = default;
};

// The type of HTTPIngressPath.backend and IngressSpec.defaultBackend.
struct IngressBackend {
  kube::Box<IngressServiceBackend> service;
  kube::Box<core::v1::TypedLocalObjectReference> resource;

  static const kube::StructTable kFields;
  bool operator==(const IngressBackend&) const = default;
};

// The type of IngressSpec.tls.
struct IngressTLS {
  std::vector<std::string> hosts;  // applied as a whole
  std::string secret_name;         // secretName

  static const kube::StructTable kFields;
  bool operator==(const IngressTLS&) const = default;
};

// The type of HTTPIngressRuleValue.paths.
struct HTTPIngressPath {
  std::string path;
  std::string path_type;   // pathType, required
  IngressBackend backend;  // required

  static const kube::StructTable kFields;
  bool operator==(const HTTPIngressPath&) const = default;
};

// The type of IngressRule.http.
struct HTTPIngressRuleValue {
  kube::ListOf<HTTPIngressPath> paths;  // required, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const HTTPIngressRuleValue&) const = default;
};

// The type of IngressSpec.rules.
struct IngressRule {
  std::string host;
  kube::Box<HTTPIngressRuleValue> http;

  static const kube::StructTable kFields;
  bool operator==(const IngressRule&) const = default;
};

// The type of Ingress.spec.
struct IngressSpec {
  std::optional<std::string> ingress_class_name;  // ingressClassName
  kube::Box<IngressBackend> default_backend;      // defaultBackend
  kube::ListOf<IngressTLS> tls;                   // applied as a whole
  kube::ListOf<IngressRule> rules;                // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const IngressSpec&) const = default;
};

// The type of IngressLoadBalancerIngress.ports.
struct IngressPortStatus {
  std::int32_t port = 0;  // required
  std::string protocol;   // required
  std::optional<std::string> error;

  static const kube::StructTable kFields;
  bool operator==(const IngressPortStatus&) const = default;
};

// The type of IngressLoadBalancerStatus.ingress.
struct IngressLoadBalancerIngress {
  std::string ip;
  std::string hostname;
  kube::ListOf<IngressPortStatus> ports;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const IngressLoadBalancerIngress&) const = default;
};

// The type of IngressStatus.loadBalancer.
struct IngressLoadBalancerStatus {
  kube::ListOf<IngressLoadBalancerIngress> ingress;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const IngressLoadBalancerStatus&) const = default;
};

// The type of Ingress.status.
struct IngressStatus {
  IngressLoadBalancerStatus load_balancer;  // loadBalancer

  static const kube::StructTable kFields;
  bool operator==(const IngressStatus&) const = default;
};

// Ingress, namespaced. `kubectl explain ingress --recursive` shows what its fields mean.
struct Ingress {
  static constexpr kube::Identity kIdentity{"networking.k8s.io", "v1", "Ingress", "ingresses"};

  meta::v1::ObjectMeta metadata;
  IngressSpec spec;
  IngressStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Ingress&) const = default;
};

}  // namespace keelson::networking::v1
