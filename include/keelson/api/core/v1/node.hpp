// Node of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  std::optional<kube::Time> time_added;

  static const kube::StructTable kFields;
  bool operator==(const Taint&) const = default;
};

struct ConfigMapNodeConfigSource {
  std::string ns;
  std::string name;
  std::string uid;
  std::string resource_version;
  std::string kubelet_config_key;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapNodeConfigSource&) const = default;
};

struct NodeConfigSource {
  kube::Box<ConfigMapNodeConfigSource> config_map;

  static const kube::StructTable kFields;
  bool operator==(const NodeConfigSource&) const = default;
};

struct NodeSpec {
  std::string pod_cidr;
  std::vector<std::string> pod_cidrs;
  std::string provider_id;
  bool unschedulable = false;
  kube::ListOf<Taint> taints;
  kube::Box<NodeConfigSource> config_source;
  std::string external_id;

  static const kube::StructTable kFields;
  bool operator==(const NodeSpec&) const = default;
};

struct NodeCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_heartbeat_time;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const NodeCondition&) const = default;
};

struct NodeAddress {
  std::string type;
  std::string address;

  static const kube::StructTable kFields;
  bool operator==(const NodeAddress&) const = default;
};

struct DaemonEndpoint {
  std::int32_t port = 0;

  static const kube::StructTable kFields;
  bool operator==(const DaemonEndpoint&) const = default;
};

struct NodeDaemonEndpoints {
  DaemonEndpoint kubelet_endpoint;

  static const kube::StructTable kFields;
  bool operator==(const NodeDaemonEndpoints&) const = default;
};

struct NodeSwapStatus {
  std::optional<std::int64_t> capacity;

  static const kube::StructTable kFields;
  bool operator==(const NodeSwapStatus&) const = default;
};

struct NodeSystemInfo {
  std::string machine_id;
  std::string system_uuid;
  std::string boot_id;
  std::string kernel_version;
  std::string os_image;
  std::string container_runtime_version;
  std::string kubelet_version;
  std::string kube_proxy_version;
  std::string operating_system;
  std::string architecture;
  kube::Box<NodeSwapStatus> swap;

  static const kube::StructTable kFields;
  bool operator==(const NodeSystemInfo&) const = default;
};

struct ContainerImage {
  std::vector<std::string> names;
  std::int64_t size_bytes = 0;

  static const kube::StructTable kFields;
  bool operator==(const ContainerImage&) const = default;
};

struct AttachedVolume {
  std::string name;
  std::string device_path;

  static const kube::StructTable kFields;
  bool operator==(const AttachedVolume&) const = default;
};

struct NodeConfigStatus {
  kube::Box<NodeConfigSource> assigned;
  kube::Box<NodeConfigSource> active;
  kube::Box<NodeConfigSource> last_known_good;
  std::string error;

  static const kube::StructTable kFields;
  bool operator==(const NodeConfigStatus&) const = default;
};

struct NodeRuntimeHandlerFeatures {
  std::optional<bool> recursive_read_only_mounts;
  std::optional<bool> user_namespaces;

  static const kube::StructTable kFields;
  bool operator==(const NodeRuntimeHandlerFeatures&) const = default;
};

struct NodeRuntimeHandler {
  std::optional<std::string> name;
  kube::Box<NodeRuntimeHandlerFeatures> features;

  static const kube::StructTable kFields;
  bool operator==(const NodeRuntimeHandler&) const = default;
};

struct NodeFeatures {
  std::optional<bool> supplemental_groups_policy;

  static const kube::StructTable kFields;
  bool operator==(const NodeFeatures&) const = default;
};

struct NodeStatus {
  std::map<std::string, kube::Quantity> capacity;
  std::map<std::string, kube::Quantity> allocatable;
  std::string phase;
  kube::ListOf<NodeCondition> conditions;
  kube::ListOf<NodeAddress> addresses;
  NodeDaemonEndpoints daemon_endpoints;
  NodeSystemInfo node_info;
  kube::ListOf<ContainerImage> images;
  std::vector<std::string> volumes_in_use;
  kube::ListOf<AttachedVolume> volumes_attached;
  kube::Box<NodeConfigStatus> config;
  kube::ListOf<NodeRuntimeHandler> runtime_handlers;
  kube::Box<NodeFeatures> features;
  std::vector<std::string> declared_features;

  static const kube::StructTable kFields;
  bool operator==(const NodeStatus&) const = default;
};

struct Node {
  static constexpr kube::Identity kIdentity{"", "v1", "Node", "nodes", kube::Scope::kCluster};

  meta::v1::ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Node&) const = default;
};

}  // namespace keelson::core::v1
