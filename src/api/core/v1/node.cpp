#include "keelson/api/core/v1/node.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kTaintFields[] = {
    KEELSON_TABLE_FIELD(Taint, key, "key", kRequired),
    KEELSON_TABLE_FIELD(Taint, value, "value", kOptional),
    KEELSON_TABLE_FIELD(Taint, effect, "effect", kRequired),
    KEELSON_TABLE_FIELD(Taint, time_added, "timeAdded", kOptional),
};
constinit const kube::StructTable Taint::kFields(kTaintFields);

constexpr kube::StructTable::Field kConfigMapNodeConfigSourceFields[] = {
    KEELSON_TABLE_FIELD(ConfigMapNodeConfigSource, ns, "namespace", kRequired),
    KEELSON_TABLE_FIELD(ConfigMapNodeConfigSource, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ConfigMapNodeConfigSource, uid, "uid", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapNodeConfigSource, resource_version, "resourceVersion", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapNodeConfigSource, kubelet_config_key, "kubeletConfigKey", kRequired),
};
constinit const kube::StructTable ConfigMapNodeConfigSource::kFields(kConfigMapNodeConfigSourceFields);

constexpr kube::StructTable::Field kNodeConfigSourceFields[] = {
    KEELSON_TABLE_FIELD(NodeConfigSource, config_map, "configMap", kOptional),
};
constinit const kube::StructTable NodeConfigSource::kFields(kNodeConfigSourceFields);

constexpr kube::StructTable::Field kNodeSpecFields[] = {
    KEELSON_TABLE_FIELD(NodeSpec, pod_cidr, "podCIDR", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, pod_cidrs, "podCIDRs", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, provider_id, "providerID", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, unschedulable, "unschedulable", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, taints, "taints", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, config_source, "configSource", kOptional),
    KEELSON_TABLE_FIELD(NodeSpec, external_id, "externalID", kOptional),
};
constinit const kube::StructTable NodeSpec::kFields(kNodeSpecFields);

constexpr kube::StructTable::Field kNodeConditionFields[] = {
    KEELSON_TABLE_FIELD(NodeCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(NodeCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(NodeCondition, last_heartbeat_time, "lastHeartbeatTime", kOptional),
    KEELSON_TABLE_FIELD(NodeCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(NodeCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(NodeCondition, message, "message", kOptional),
};
constinit const kube::StructTable NodeCondition::kFields(kNodeConditionFields);

constexpr kube::StructTable::Field kNodeAddressFields[] = {
    KEELSON_TABLE_FIELD(NodeAddress, type, "type", kRequired),
    KEELSON_TABLE_FIELD(NodeAddress, address, "address", kRequired),
};
constinit const kube::StructTable NodeAddress::kFields(kNodeAddressFields);

constexpr kube::StructTable::Field kDaemonEndpointFields[] = {
    KEELSON_TABLE_FIELD(DaemonEndpoint, port, "Port", kRequired),
};
constinit const kube::StructTable DaemonEndpoint::kFields(kDaemonEndpointFields);

constexpr kube::StructTable::Field kNodeDaemonEndpointsFields[] = {
    KEELSON_TABLE_FIELD(NodeDaemonEndpoints, kubelet_endpoint, "kubeletEndpoint", kOptional),
};
constinit const kube::StructTable NodeDaemonEndpoints::kFields(kNodeDaemonEndpointsFields);

constexpr kube::StructTable::Field kNodeSwapStatusFields[] = {
    KEELSON_TABLE_FIELD(NodeSwapStatus, capacity, "capacity", kOptional),
};
constinit const kube::StructTable NodeSwapStatus::kFields(kNodeSwapStatusFields);

constexpr kube::StructTable::Field kNodeSystemInfoFields[] = {
    KEELSON_TABLE_FIELD(NodeSystemInfo, machine_id, "machineID", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, system_uuid, "systemUUID", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, boot_id, "bootID", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, kernel_version, "kernelVersion", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, os_image, "osImage", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, container_runtime_version, "containerRuntimeVersion", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, kubelet_version, "kubeletVersion", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, kube_proxy_version, "kubeProxyVersion", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, operating_system, "operatingSystem", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, architecture, "architecture", kRequired),
    KEELSON_TABLE_FIELD(NodeSystemInfo, swap, "swap", kOptional),
};
constinit const kube::StructTable NodeSystemInfo::kFields(kNodeSystemInfoFields);

constexpr kube::StructTable::Field kContainerImageFields[] = {
    KEELSON_TABLE_FIELD(ContainerImage, names, "names", kOptional),
    KEELSON_TABLE_FIELD(ContainerImage, size_bytes, "sizeBytes", kOptional),
};
constinit const kube::StructTable ContainerImage::kFields(kContainerImageFields);

constexpr kube::StructTable::Field kAttachedVolumeFields[] = {
    KEELSON_TABLE_FIELD(AttachedVolume, name, "name", kRequired),
    KEELSON_TABLE_FIELD(AttachedVolume, device_path, "devicePath", kRequired),
};
constinit const kube::StructTable AttachedVolume::kFields(kAttachedVolumeFields);

constexpr kube::StructTable::Field kNodeConfigStatusFields[] = {
    KEELSON_TABLE_FIELD(NodeConfigStatus, assigned, "assigned", kOptional),
    KEELSON_TABLE_FIELD(NodeConfigStatus, active, "active", kOptional),
    KEELSON_TABLE_FIELD(NodeConfigStatus, last_known_good, "lastKnownGood", kOptional),
    KEELSON_TABLE_FIELD(NodeConfigStatus, error, "error", kOptional),
};
constinit const kube::StructTable NodeConfigStatus::kFields(kNodeConfigStatusFields);

constexpr kube::StructTable::Field kNodeRuntimeHandlerFeaturesFields[] = {
    KEELSON_TABLE_FIELD(NodeRuntimeHandlerFeatures, recursive_read_only_mounts, "recursiveReadOnlyMounts", kOptional),
    KEELSON_TABLE_FIELD(NodeRuntimeHandlerFeatures, user_namespaces, "userNamespaces", kOptional),
};
constinit const kube::StructTable NodeRuntimeHandlerFeatures::kFields(kNodeRuntimeHandlerFeaturesFields);

constexpr kube::StructTable::Field kNodeRuntimeHandlerFields[] = {
    KEELSON_TABLE_FIELD(NodeRuntimeHandler, name, "name", kOptional),
    KEELSON_TABLE_FIELD(NodeRuntimeHandler, features, "features", kOptional),
};
constinit const kube::StructTable NodeRuntimeHandler::kFields(kNodeRuntimeHandlerFields);

constexpr kube::StructTable::Field kNodeFeaturesFields[] = {
    KEELSON_TABLE_FIELD(NodeFeatures, supplemental_groups_policy, "supplementalGroupsPolicy", kOptional),
};
constinit const kube::StructTable NodeFeatures::kFields(kNodeFeaturesFields);

constexpr kube::StructTable::Field kNodeStatusFields[] = {
    KEELSON_TABLE_FIELD(NodeStatus, capacity, "capacity", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, allocatable, "allocatable", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, phase, "phase", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, addresses, "addresses", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, daemon_endpoints, "daemonEndpoints", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, node_info, "nodeInfo", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, images, "images", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, volumes_in_use, "volumesInUse", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, volumes_attached, "volumesAttached", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, config, "config", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, runtime_handlers, "runtimeHandlers", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, features, "features", kOptional),
    KEELSON_TABLE_FIELD(NodeStatus, declared_features, "declaredFeatures", kOptional),
};
constinit const kube::StructTable NodeStatus::kFields(kNodeStatusFields);

constexpr kube::StructTable::Field kNodeFields[] = {
    KEELSON_TABLE_FIELD(Node, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Node, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Node, status, "status", kOptional),
};
constinit const kube::StructTable Node::kFields(kNodeFields);

}  // namespace keelson::core::v1
