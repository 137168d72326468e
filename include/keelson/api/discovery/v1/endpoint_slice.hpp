// EndpointSlice of discovery.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::discovery::v1 {

// The type of Endpoint.conditions.
struct EndpointConditions {
  std::optional<bool> ready;
  std::optional<bool> serving;
  std::optional<bool> terminating;

  static const kube::StructTable kFields;
  bool operator==(const EndpointConditions&) const = default;
};

// The type of EndpointHints.forZones.
struct ForZone {
  std::string name;  // required

  static const kube::StructTable kFields;
  bool operator==(const ForZone&) const = default;
};

// The type of EndpointHints.forNodes.
struct ForNode {
  std::string name;  // required

  static const kube::StructTable kFields;
  bool operator==(const ForNode&) const = default;
};

// The type of Endpoint.hints.
struct EndpointHints {
  kube::ListOf<ForZone> for_zones;  // forZones, applied as a whole
  kube::ListOf<ForNode> for_nodes;  // forNodes, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const EndpointHints&) const = default;
};

// The type of EndpointSlice.endpoints.
struct Endpoint {
  std::vector<std::string> addresses;  // required
  EndpointConditions conditions;
  std::optional<std::string> hostname;
  kube::Box<core::v1::ObjectReference> target_ref;         // targetRef
  std::map<std::string, std::string> deprecated_topology;  // deprecatedTopology
  std::optional<std::string> node_name;                    // nodeName
  std::optional<std::string> zone;
  kube::Box<EndpointHints> hints;

  static const kube::StructTable kFields;
  bool operator==(const Endpoint&) const = default;
};

// The type of EndpointSlice.ports.
struct EndpointPort {
  std::optional<std::string> name;
  std::optional<std::string> protocol;
  std::optional<std::int32_t> port;
  std::optional<std::string> app_protocol;  // appProtocol

  static const kube::StructTable kFields;
  bool operator==(const EndpointPort&) const = default;
};

// EndpointSlice, namespaced. `kubectl explain endpointslice --recursive` shows what its fields mean.
struct EndpointSlice {
  static constexpr kube::Identity kIdentity{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"};

  meta::v1::ObjectMeta metadata;
  std::string address_type;          // addressType, required
  kube::ListOf<Endpoint> endpoints;  // applied as a whole
  kube::ListOf<EndpointPort> ports;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const EndpointSlice&) const = default;
};

}  // namespace keelson::discovery::v1
