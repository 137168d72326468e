// EndpointSlice of discovery.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"

namespace keelson::discovery::v1 {

struct EndpointConditions {
  std::optional<bool> ready;
  std::optional<bool> serving;
  std::optional<bool> terminating;

  static const kube::StructTable kFields;
  bool operator==(const EndpointConditions&) const = default;
};

struct ForZone {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const ForZone&) const = default;
};

struct ForNode {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const ForNode&) const = default;
};

struct EndpointHints {
  kube::ListOf<ForZone> for_zones;
  kube::ListOf<ForNode> for_nodes;

  static const kube::StructTable kFields;
  bool operator==(const EndpointHints&) const = default;
};

struct Endpoint {
  std::vector<std::string> addresses;
  EndpointConditions conditions;
  std::optional<std::string> hostname;
  kube::Box<core::v1::ObjectReference> target_ref;
  std::map<std::string, std::string> deprecated_topology;
  std::optional<std::string> node_name;
  std::optional<std::string> zone;
  kube::Box<EndpointHints> hints;

  static const kube::StructTable kFields;
  bool operator==(const Endpoint&) const = default;
};

struct EndpointPort {
  std::optional<std::string> name;
  std::optional<std::string> protocol;
  std::optional<std::int32_t> port;
  std::optional<std::string> app_protocol;

  static const kube::StructTable kFields;
  bool operator==(const EndpointPort&) const = default;
};

struct EndpointSlice {
  static constexpr kube::Identity kIdentity{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"};

  meta::v1::ObjectMeta metadata;
  std::string address_type;
  kube::ListOf<Endpoint> endpoints;
  kube::ListOf<EndpointPort> ports;

  static const kube::StructTable kFields;
  bool operator==(const EndpointSlice&) const = default;
};

}  // namespace keelson::discovery::v1
