// Pod of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/pod_spec.hpp"
#include "keelson/api/core/v1/resource_requirements.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of PodStatus.conditions.
struct PodCondition {
  std::string type;                                // required
  std::int64_t observed_generation = 0;            // observedGeneration
  std::string status;                              // required
  std::optional<kube::Time> last_probe_time;       // lastProbeTime
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const PodCondition&) const = default;
};

// The type of PodStatus.hostIPs.
struct HostIP {
  std::string ip;  // required

  static const kube::StructTable kFields;
  bool operator==(const HostIP&) const = default;
};

// The type of PodStatus.podIPs.
struct PodIP {
  std::string ip;  // required

  static const kube::StructTable kFields;
  bool operator==(const PodIP&) const = default;
};

// The type of ContainerState.waiting.
struct ContainerStateWaiting {
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateWaiting&) const = default;
};

// The type of ContainerState.running.
struct ContainerStateRunning {
  std::optional<kube::Time> started_at;  // startedAt

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateRunning&) const = default;
};

// The type of ContainerState.terminated.
struct ContainerStateTerminated {
  std::int32_t exit_code = 0;  // exitCode, required
  std::int32_t signal = 0;
  std::string reason;
  std::string message;
  std::optional<kube::Time> started_at;   // startedAt
  std::optional<kube::Time> finished_at;  // finishedAt
  std::string container_id;               // containerID

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateTerminated&) const = default;
};

// The type of ContainerStatus.lastState and ContainerStatus.state.
struct ContainerState {
  kube::Box<ContainerStateWaiting> waiting;
  kube::Box<ContainerStateRunning> running;
  kube::Box<ContainerStateTerminated> terminated;

  static const kube::StructTable kFields;
  bool operator==(const ContainerState&) const = default;
};

// The type of VolumeStatus.image.
struct ImageVolumeStatus {
  std::string image_ref;  // imageRef, required

  static const kube::StructTable kFields;
  bool operator==(const ImageVolumeStatus&) const = default;
};

// The type of VolumeMountStatus.volumeStatus.
struct VolumeStatus {
  kube::Box<ImageVolumeStatus> image;

  static const kube::StructTable kFields;
  bool operator==(const VolumeStatus&) const = default;
};

// The type of ContainerStatus.volumeMounts.
struct VolumeMountStatus {
  std::string name;                                // required
  std::string mount_path;                          // mountPath, required
  bool read_only = false;                          // readOnly
  std::optional<std::string> recursive_read_only;  // recursiveReadOnly
  kube::Box<VolumeStatus> volume_status;           // volumeStatus

  static const kube::StructTable kFields;
  bool operator==(const VolumeMountStatus&) const = default;
};

// The type of ContainerUser.linux.
struct LinuxContainerUser {
  std::int64_t uid = 0;                           // required
  std::int64_t gid = 0;                           // required
  std::vector<std::int64_t> supplemental_groups;  // supplementalGroups, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const LinuxContainerUser&) const = default;
};

// The type of ContainerStatus.user.
struct ContainerUser {
  kube::Box<LinuxContainerUser> linux_;  // linux

  static const kube::StructTable kFields;
  bool operator==(const ContainerUser&) const = default;
};

// The type of ResourceStatus.resources.
struct ResourceHealth {
  std::string resource_id;  // resourceID, required
  std::string health;
  std::optional<std::string> message;

  static const kube::StructTable kFields;
  bool operator==(const ResourceHealth&) const = default;
};

// The type of ContainerStatus.allocatedResourcesStatus.
struct ResourceStatus {
  std::string name;                        // required
  kube::ListOf<ResourceHealth> resources;  // one for each resourceID

  static const kube::StructTable kFields;
  bool operator==(const ResourceStatus&) const = default;
};

// The type of PodStatus.containerStatuses, PodStatus.ephemeralContainerStatuses and PodStatus.initContainerStatuses.
struct ContainerStatus {
  std::string name;  // required
  ContainerState state;
  ContainerState last_state;       // lastState
  bool ready = false;              // required
  std::int32_t restart_count = 0;  // restartCount, required
  std::string image;               // required
  std::string image_id;            // imageID, required
  std::string container_id;        // containerID
  std::optional<bool> started;
  std::map<std::string, kube::Quantity> allocated_resources;  // allocatedResources
  kube::Box<ResourceRequirements> resources;
  kube::ListOf<VolumeMountStatus> volume_mounts;  // volumeMounts, one for each mountPath
  kube::Box<ContainerUser> user;
  kube::ListOf<ResourceStatus> allocated_resources_status;  // allocatedResourcesStatus, one for each name
  std::optional<std::string> stop_signal;                   // stopSignal

  static const kube::StructTable kFields;
  bool operator==(const ContainerStatus&) const = default;
};

// The type of PodStatus.resourceClaimStatuses.
struct PodResourceClaimStatus {
  std::string name;                                // required
  std::optional<std::string> resource_claim_name;  // resourceClaimName

  static const kube::StructTable kFields;
  bool operator==(const PodResourceClaimStatus&) const = default;
};

// The type of PodExtendedResourceClaimStatus.requestMappings.
struct ContainerExtendedResourceRequest {
  std::string container_name;  // containerName, required
  std::string resource_name;   // resourceName, required
  std::string request_name;    // requestName, required

  static const kube::StructTable kFields;
  bool operator==(const ContainerExtendedResourceRequest&) const = default;
};

// The type of PodStatus.extendedResourceClaimStatus.
struct PodExtendedResourceClaimStatus {
  kube::ListOf<ContainerExtendedResourceRequest> request_mappings;  // requestMappings, required, applied as a whole
  std::string resource_claim_name;                                  // resourceClaimName, required

  static const kube::StructTable kFields;
  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
};

// The type of PodStatus.nodeAllocatableResourceClaimStatuses.
struct NodeAllocatableResourceClaimStatus {
  std::string resource_claim_name;  // resourceClaimName, required
  std::vector<std::string> containers;
  std::map<std::string, kube::Quantity> resources;  // required

  static const kube::StructTable kFields;
  bool operator==(const NodeAllocatableResourceClaimStatus&) const = default;
};

// The type of Pod.status.
struct PodStatus {
  std::int64_t observed_generation = 0;  // observedGeneration
  std::string phase;
  kube::ListOf<PodCondition> conditions;  // one for each type
  std::string message;
  std::string reason;
  std::string nominated_node_name;                             // nominatedNodeName
  std::string host_ip;                                         // hostIP
  kube::ListOf<HostIP> host_ips;                               // hostIPs, applied as a whole
  std::string pod_ip;                                          // podIP
  kube::ListOf<PodIP> pod_ips;                                 // podIPs, one for each ip
  std::optional<kube::Time> start_time;                        // startTime
  kube::ListOf<ContainerStatus> init_container_statuses;       // initContainerStatuses, applied as a whole
  kube::ListOf<ContainerStatus> container_statuses;            // containerStatuses, applied as a whole
  std::string qos_class;                                       // qosClass
  kube::ListOf<ContainerStatus> ephemeral_container_statuses;  // ephemeralContainerStatuses, applied as a whole
  std::string resize;
  kube::ListOf<PodResourceClaimStatus> resource_claim_statuses;              // resourceClaimStatuses, one for each name
  kube::Box<PodExtendedResourceClaimStatus> extended_resource_claim_status;  // extendedResourceClaimStatus
  std::map<std::string, kube::Quantity> allocated_resources;                 // allocatedResources
  kube::Box<ResourceRequirements> resources;
  kube::ListOf<NodeAllocatableResourceClaimStatus>
      node_allocatable_resource_claim_statuses;  // nodeAllocatableResourceClaimStatuses, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodStatus&) const = default;
};

// Pod, namespaced. `kubectl explain pod --recursive` shows what its fields mean.
struct Pod {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod", "pods"};

  meta::v1::ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Pod&) const = default;
};

}  // namespace keelson::core::v1
