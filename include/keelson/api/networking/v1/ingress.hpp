// Ingress of networking.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/typed_local_object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"

namespace keelson::networking::v1 {

struct ServiceBackendPort {
  std::string name;
  std::int32_t number = 0;

  static const kube::StructTable kFields;
  bool operator==(const ServiceBackendPort&) const = default;
};

struct IngressServiceBackend {
  std::string name;
  ServiceBackendPort port;

  static const kube::StructTable kFields;
  bool operator==(const IngressServiceBackend&) const = default;
};

struct IngressBackend {
  kube::Box<IngressServiceBackend> service;
  kube::Box<core::v1::TypedLocalObjectReference> resource;

  static const kube::StructTable kFields;
  bool operator==(const IngressBackend&) const = default;
};

struct IngressTLS {
  std::vector<std::string> hosts;
  std::string secret_name;

  static const kube::StructTable kFields;
  bool operator==(const IngressTLS&) const = default;
};

struct HTTPIngressPath {
  std::string path;
  std::string path_type;
  IngressBackend backend;

  static const kube::StructTable kFields;
  bool operator==(const HTTPIngressPath&) const = default;
};

struct HTTPIngressRuleValue {
  kube::ListOf<HTTPIngressPath> paths;

  static const kube::StructTable kFields;
  bool operator==(const HTTPIngressRuleValue&) const = default;
};

struct IngressRule {
  std::string host;
  kube::Box<HTTPIngressRuleValue> http;

  static const kube::StructTable kFields;
  bool operator==(const IngressRule&) const = default;
};

struct IngressSpec {
  std::optional<std::string> ingress_class_name;
  kube::Box<IngressBackend> default_backend;
  kube::ListOf<IngressTLS> tls;
  kube::ListOf<IngressRule> rules;

  static const kube::StructTable kFields;
  bool operator==(const IngressSpec&) const = default;
};

struct IngressPortStatus {
  std::int32_t port = 0;
  std::string protocol;
  std::optional<std::string> error;

  static const kube::StructTable kFields;
  bool operator==(const IngressPortStatus&) const = default;
};

struct IngressLoadBalancerIngress {
  std::string ip;
  std::string hostname;
  kube::ListOf<IngressPortStatus> ports;

  static const kube::StructTable kFields;
  bool operator==(const IngressLoadBalancerIngress&) const = default;
};

struct IngressLoadBalancerStatus {
  kube::ListOf<IngressLoadBalancerIngress> ingress;

  static const kube::StructTable kFields;
  bool operator==(const IngressLoadBalancerStatus&) const = default;
};

struct IngressStatus {
  IngressLoadBalancerStatus load_balancer;

  static const kube::StructTable kFields;
  bool operator==(const IngressStatus&) const = default;
};

struct Ingress {
  static constexpr kube::Identity kIdentity{"networking.k8s.io", "v1", "Ingress", "ingresses"};

  meta::v1::ObjectMeta metadata;
  IngressSpec spec;
  IngressStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Ingress&) const = default;
};

}  // namespace keelson::networking::v1
