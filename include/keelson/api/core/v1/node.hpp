// Node of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of NodeSpec.taints.
struct Taint {
  std::string key;  // required
  std::string value;
  std::string effect;                    // required
  std::optional<kube::Time> time_added;  // timeAdded

  static const kube::StructTable kFields;
  bool operator==(const Taint&) const = default;
};

// The type of NodeConfigSource.configMap.
struct ConfigMapNodeConfigSource {
  std::string ns;    // namespace, required
  std::string name;  // required
  std::string uid;
  std::string resource_version;    // resourceVersion
  std::string kubelet_config_key;  // kubeletConfigKey, required

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapNodeConfigSource&) const = default;
};

// The type of NodeConfigStatus.active, NodeConfigStatus.assigned, NodeConfigStatus.lastKnownGood and
// NodeSpec.configSource.
struct NodeConfigSource {
  kube::Box<ConfigMapNodeConfigSource> config_map;  // configMap

  static const kube::StructTable kFields;
  bool operator==(const NodeConfigSource&) const = default;
};

// The type of Node.spec.
struct NodeSpec {
  std::string pod_cidr;                // podCIDR
  std::vector<std::string> pod_cidrs;  // podCIDRs
  std::string provider_id;             // providerID
  bool unschedulable = false;
  kube::ListOf<Taint> taints;                 // applied as a whole
  kube::Box<NodeConfigSource> config_source;  // configSource
  std::string external_id;                    // externalID

  static const kube::StructTable kFields;
  bool operator==(const NodeSpec&) const = default;
};

// The type of NodeStatus.conditions.
struct NodeCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_heartbeat_time;   // lastHeartbeatTime
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const NodeCondition&) const = default;
};

// The type of NodeStatus.addresses.
struct NodeAddress {
  std::string type;     // required
  std::string address;  // required

  static const kube::StructTable kFields;
  bool operator==(const NodeAddress&) const = default;
};

// The type of NodeDaemonEndpoints.kubeletEndpoint.
struct DaemonEndpoint {
  std::int32_t port = 0;  // Port, required

  static const kube::StructTable kFields;
  bool operator==(const DaemonEndpoint&) const = default;
};

// The type of NodeStatus.daemonEndpoints.
struct NodeDaemonEndpoints {
  DaemonEndpoint kubelet_endpoint;  // kubeletEndpoint

  static const kube::StructTable kFields;
  bool operator==(const NodeDaemonEndpoints&) const = default;
};

// The type of NodeSystemInfo.swap.
struct NodeSwapStatus {
  std::optional<std::int64_t> capacity;

  static const kube::StructTable kFields;
  bool operator==(const NodeSwapStatus&) const = default;
};

// The type of NodeStatus.nodeInfo.
struct NodeSystemInfo {
  std::string machine_id;                 // machineID, required
  std::string system_uuid;                // systemUUID, required
  std::string boot_id;                    // bootID, required
  std::string kernel_version;             // kernelVersion, required
  std::string os_image;                   // osImage, required
  std::string container_runtime_version;  // containerRuntimeVersion, required
  std::string kubelet_version;            // kubeletVersion, required
  std::string kube_proxy_version;         // kubeProxyVersion, required
  std::string operating_system;           // operatingSystem, required
  std::string architecture;               // required
  kube::Box<NodeSwapStatus> swap;

  static const kube::StructTable kFields;
  bool operator==(const NodeSystemInfo&) const = default;
};

// The type of NodeStatus.images.
struct ContainerImage {
  std::vector<std::string> names;  // applied as a whole
  std::int64_t size_bytes = 0;     // sizeBytes

  static const kube::StructTable kFields;
  bool operator==(const ContainerImage&) const = default;
};

// The type of NodeStatus.volumesAttached.
struct AttachedVolume {
  std::string name;         // required
  std::string device_path;  // devicePath, required

  static const kube::StructTable kFields;
  bool operator==(const AttachedVolume&) const = default;
};

// The type of NodeStatus.config.
struct NodeConfigStatus {
  kube::Box<NodeConfigSource> assigned;
  kube::Box<NodeConfigSource> active;
  kube::Box<NodeConfigSource> last_known_good;  // lastKnownGood
  std::string error;

  static const kube::StructTable kFields;
  bool operator==(const NodeConfigStatus&) const = default;
};

// The type of NodeRuntimeHandler.features.
struct NodeRuntimeHandlerFeatures {
  std::optional<bool> recursive_read_only_mounts;  // recursiveReadOnlyMounts
  std::optional<bool> user_namespaces;             // userNamespaces

  static const kube::StructTable kFields;
  bool operator==(const NodeRuntimeHandlerFeatures&) const = default;
};

// The type of NodeStatus.runtimeHandlers.
struct NodeRuntimeHandler {
  std::optional<std::string> name;
  kube::Box<NodeRuntimeHandlerFeatures> features;

  static const kube::StructTable kFields;
  bool operator==(const NodeRuntimeHandler&) const = default;
};

// The type of NodeStatus.features.
struct NodeFeatures {
  std::optional<bool> supplemental_groups_policy;  // supplementalGroupsPolicy

  static const kube::StructTable kFields;
  bool operator==(const NodeFeatures&) const = default;
};

// The type of Node.status.
struct NodeStatus {
  std::map<std::string, kube::Quantity> capacity;
  std::map<std::string, kube::Quantity> allocatable;
  std::string phase;
  kube::ListOf<NodeCondition> conditions;         // one for each type
  kube::ListOf<NodeAddress> addresses;            // one for each type
  NodeDaemonEndpoints daemon_endpoints;           // daemonEndpoints
  NodeSystemInfo node_info;                       // nodeInfo
  kube::ListOf<ContainerImage> images;            // applied as a whole
  std::vector<std::string> volumes_in_use;        // volumesInUse, applied as a whole
  kube::ListOf<AttachedVolume> volumes_attached;  // volumesAttached, applied as a whole
  kube::Box<NodeConfigStatus> config;
  kube::ListOf<NodeRuntimeHandler> runtime_handlers;  // runtimeHandlers, applied as a whole
  kube::Box<NodeFeatures> features;
  std::vector<std::string> declared_features;  // declaredFeatures, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NodeStatus&) const = default;
};

// Node, cluster-scoped. `kubectl explain node --recursive` shows what its fields mean.
struct Node {
  static constexpr kube::Identity kIdentity{"", "v1", "Node", "nodes", kube::Scope::kCluster};

  meta::v1::ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Node&) const = default;
};

}  // namespace keelson::core::v1
