#include "keelson/api/core/v1/pod.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kPodConditionFields[] = {
    KEELSON_TABLE_FIELD(PodCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(PodCondition, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(PodCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(PodCondition, last_probe_time, "lastProbeTime", kOptional),
    KEELSON_TABLE_FIELD(PodCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(PodCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(PodCondition, message, "message", kOptional),
};
constinit const kube::StructTable PodCondition::kFields(kPodConditionFields);

constexpr kube::StructTable::Field kHostIPFields[] = {
    KEELSON_TABLE_FIELD(HostIP, ip, "ip", kRequired),
};
constinit const kube::StructTable HostIP::kFields(kHostIPFields);

constexpr kube::StructTable::Field kPodIPFields[] = {
    KEELSON_TABLE_FIELD(PodIP, ip, "ip", kRequired),
};
constinit const kube::StructTable PodIP::kFields(kPodIPFields);

constexpr kube::StructTable::Field kContainerStateWaitingFields[] = {
    KEELSON_TABLE_FIELD(ContainerStateWaiting, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateWaiting, message, "message", kOptional),
};
constinit const kube::StructTable ContainerStateWaiting::kFields(kContainerStateWaitingFields);

constexpr kube::StructTable::Field kContainerStateRunningFields[] = {
    KEELSON_TABLE_FIELD(ContainerStateRunning, started_at, "startedAt", kOptional),
};
constinit const kube::StructTable ContainerStateRunning::kFields(kContainerStateRunningFields);

constexpr kube::StructTable::Field kContainerStateTerminatedFields[] = {
    KEELSON_TABLE_FIELD(ContainerStateTerminated, exit_code, "exitCode", kRequired),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, signal, "signal", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, message, "message", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, started_at, "startedAt", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, finished_at, "finishedAt", kOptional),
    KEELSON_TABLE_FIELD(ContainerStateTerminated, container_id, "containerID", kOptional),
};
constinit const kube::StructTable ContainerStateTerminated::kFields(kContainerStateTerminatedFields);

constexpr kube::StructTable::Field kContainerStateFields[] = {
    KEELSON_TABLE_FIELD(ContainerState, waiting, "waiting", kOptional),
    KEELSON_TABLE_FIELD(ContainerState, running, "running", kOptional),
    KEELSON_TABLE_FIELD(ContainerState, terminated, "terminated", kOptional),
};
constinit const kube::StructTable ContainerState::kFields(kContainerStateFields);

constexpr kube::StructTable::Field kImageVolumeStatusFields[] = {
    KEELSON_TABLE_FIELD(ImageVolumeStatus, image_ref, "imageRef", kRequired),
};
constinit const kube::StructTable ImageVolumeStatus::kFields(kImageVolumeStatusFields);

constexpr kube::StructTable::Field kVolumeStatusFields[] = {
    KEELSON_TABLE_FIELD(VolumeStatus, image, "image", kOptional),
};
constinit const kube::StructTable VolumeStatus::kFields(kVolumeStatusFields);

constexpr kube::StructTable::Field kVolumeMountStatusFields[] = {
    KEELSON_TABLE_FIELD(VolumeMountStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(VolumeMountStatus, mount_path, "mountPath", kRequired),
    KEELSON_TABLE_FIELD(VolumeMountStatus, read_only, "readOnly", kOptional),
    KEELSON_TABLE_FIELD(VolumeMountStatus, recursive_read_only, "recursiveReadOnly", kOptional),
    KEELSON_TABLE_FIELD(VolumeMountStatus, volume_status, "volumeStatus", kOptional),
};
constinit const kube::StructTable VolumeMountStatus::kFields(kVolumeMountStatusFields);

constexpr kube::StructTable::Field kLinuxContainerUserFields[] = {
    KEELSON_TABLE_FIELD(LinuxContainerUser, uid, "uid", kRequired),
    KEELSON_TABLE_FIELD(LinuxContainerUser, gid, "gid", kRequired),
    KEELSON_TABLE_FIELD(LinuxContainerUser, supplemental_groups, "supplementalGroups", kOptional),
};
constinit const kube::StructTable LinuxContainerUser::kFields(kLinuxContainerUserFields);

constexpr kube::StructTable::Field kContainerUserFields[] = {
    KEELSON_TABLE_FIELD(ContainerUser, linux_, "linux", kOptional),
};
constinit const kube::StructTable ContainerUser::kFields(kContainerUserFields);

constexpr kube::StructTable::Field kResourceHealthFields[] = {
    KEELSON_TABLE_FIELD(ResourceHealth, resource_id, "resourceID", kRequired),
    KEELSON_TABLE_FIELD(ResourceHealth, health, "health", kOptional),
    KEELSON_TABLE_FIELD(ResourceHealth, message, "message", kOptional),
};
constinit const kube::StructTable ResourceHealth::kFields(kResourceHealthFields);

constexpr kube::StructTable::Field kResourceStatusFields[] = {
    KEELSON_TABLE_FIELD(ResourceStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ResourceStatus, resources, "resources", kOptional),
};
constinit const kube::StructTable ResourceStatus::kFields(kResourceStatusFields);

constexpr kube::StructTable::Field kContainerStatusFields[] = {
    KEELSON_TABLE_FIELD(ContainerStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ContainerStatus, state, "state", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, last_state, "lastState", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, ready, "ready", kRequired),
    KEELSON_TABLE_FIELD(ContainerStatus, restart_count, "restartCount", kRequired),
    KEELSON_TABLE_FIELD(ContainerStatus, image, "image", kRequired),
    KEELSON_TABLE_FIELD(ContainerStatus, image_id, "imageID", kRequired),
    KEELSON_TABLE_FIELD(ContainerStatus, container_id, "containerID", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, started, "started", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, allocated_resources, "allocatedResources", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, volume_mounts, "volumeMounts", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, user, "user", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, allocated_resources_status, "allocatedResourcesStatus", kOptional),
    KEELSON_TABLE_FIELD(ContainerStatus, stop_signal, "stopSignal", kOptional),
};
constinit const kube::StructTable ContainerStatus::kFields(kContainerStatusFields);

constexpr kube::StructTable::Field kPodResourceClaimStatusFields[] = {
    KEELSON_TABLE_FIELD(PodResourceClaimStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(PodResourceClaimStatus, resource_claim_name, "resourceClaimName", kOptional),
};
constinit const kube::StructTable PodResourceClaimStatus::kFields(kPodResourceClaimStatusFields);

constexpr kube::StructTable::Field kContainerExtendedResourceRequestFields[] = {
    KEELSON_TABLE_FIELD(ContainerExtendedResourceRequest, container_name, "containerName", kRequired),
    KEELSON_TABLE_FIELD(ContainerExtendedResourceRequest, resource_name, "resourceName", kRequired),
    KEELSON_TABLE_FIELD(ContainerExtendedResourceRequest, request_name, "requestName", kRequired),
};
constinit const kube::StructTable ContainerExtendedResourceRequest::kFields(kContainerExtendedResourceRequestFields);

constexpr kube::StructTable::Field kPodExtendedResourceClaimStatusFields[] = {
    KEELSON_TABLE_FIELD(PodExtendedResourceClaimStatus, request_mappings, "requestMappings", kRequired),
    KEELSON_TABLE_FIELD(PodExtendedResourceClaimStatus, resource_claim_name, "resourceClaimName", kRequired),
};
constinit const kube::StructTable PodExtendedResourceClaimStatus::kFields(kPodExtendedResourceClaimStatusFields);

constexpr kube::StructTable::Field kNodeAllocatableResourceClaimStatusFields[] = {
    KEELSON_TABLE_FIELD(NodeAllocatableResourceClaimStatus, resource_claim_name, "resourceClaimName", kRequired),
    KEELSON_TABLE_FIELD(NodeAllocatableResourceClaimStatus, containers, "containers", kOptional),
    KEELSON_TABLE_FIELD(NodeAllocatableResourceClaimStatus, resources, "resources", kRequired),
};
constinit const kube::StructTable NodeAllocatableResourceClaimStatus::kFields(kNodeAllocatableResourceClaimStatusFields);

constexpr kube::StructTable::Field kPodStatusFields[] = {
    KEELSON_TABLE_FIELD(PodStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, phase, "phase", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, message, "message", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, nominated_node_name, "nominatedNodeName", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, host_ip, "hostIP", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, host_ips, "hostIPs", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, pod_ip, "podIP", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, pod_ips, "podIPs", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, start_time, "startTime", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, init_container_statuses, "initContainerStatuses", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, container_statuses, "containerStatuses", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, qos_class, "qosClass", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, ephemeral_container_statuses, "ephemeralContainerStatuses", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, resize, "resize", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, resource_claim_statuses, "resourceClaimStatuses", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, extended_resource_claim_status, "extendedResourceClaimStatus", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, allocated_resources, "allocatedResources", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(PodStatus, node_allocatable_resource_claim_statuses, "nodeAllocatableResourceClaimStatuses", kOptional),
};
constinit const kube::StructTable PodStatus::kFields(kPodStatusFields);

constexpr kube::StructTable::Field kPodFields[] = {
    KEELSON_TABLE_FIELD(Pod, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Pod, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Pod, status, "status", kOptional),
};
constinit const kube::StructTable Pod::kFields(kPodFields);

}  // namespace keelson::core::v1
