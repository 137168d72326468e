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
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct PodCondition {
  std::string type;
  std::int64_t observed_generation = 0;
  std::string status;
  std::optional<kube::Time> last_probe_time;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const PodCondition&) const = default;
};

struct HostIP {
  std::string ip;

  static const kube::StructTable kFields;
  bool operator==(const HostIP&) const = default;
};

struct PodIP {
  std::string ip;

  static const kube::StructTable kFields;
  bool operator==(const PodIP&) const = default;
};

struct ContainerStateWaiting {
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateWaiting&) const = default;
};

struct ContainerStateRunning {
  std::optional<kube::Time> started_at;

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateRunning&) const = default;
};

struct ContainerStateTerminated {
  std::int32_t exit_code = 0;
  std::int32_t signal = 0;
  std::string reason;
  std::string message;
  std::optional<kube::Time> started_at;
  std::optional<kube::Time> finished_at;
  std::string container_id;

  static const kube::StructTable kFields;
  bool operator==(const ContainerStateTerminated&) const = default;
};

struct ContainerState {
  kube::Box<ContainerStateWaiting> waiting;
  kube::Box<ContainerStateRunning> running;
  kube::Box<ContainerStateTerminated> terminated;

  static const kube::StructTable kFields;
  bool operator==(const ContainerState&) const = default;
};

struct ImageVolumeStatus {
  std::string image_ref;

  static const kube::StructTable kFields;
  bool operator==(const ImageVolumeStatus&) const = default;
};

struct VolumeStatus {
  kube::Box<ImageVolumeStatus> image;

  static const kube::StructTable kFields;
  bool operator==(const VolumeStatus&) const = default;
};

struct VolumeMountStatus {
  std::string name;
  std::string mount_path;
  bool read_only = false;
  std::optional<std::string> recursive_read_only;
  kube::Box<VolumeStatus> volume_status;

  static const kube::StructTable kFields;
  bool operator==(const VolumeMountStatus&) const = default;
};

struct LinuxContainerUser {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
  std::vector<std::int64_t> supplemental_groups;

  static const kube::StructTable kFields;
  bool operator==(const LinuxContainerUser&) const = default;
};

struct ContainerUser {
  kube::Box<LinuxContainerUser> linux;

  static const kube::StructTable kFields;
  bool operator==(const ContainerUser&) const = default;
};

struct ResourceHealth {
  std::string resource_id;
  std::string health;
  std::optional<std::string> message;

  static const kube::StructTable kFields;
  bool operator==(const ResourceHealth&) const = default;
};

struct ResourceStatus {
  std::string name;
  kube::ListOf<ResourceHealth> resources;

  static const kube::StructTable kFields;
  bool operator==(const ResourceStatus&) const = default;
};

struct ContainerStatus {
  std::string name;
  ContainerState state;
  ContainerState last_state;
  bool ready = false;
  std::int32_t restart_count = 0;
  std::string image;
  std::string image_id;
  std::string container_id;
  std::optional<bool> started;
  std::map<std::string, kube::Quantity> allocated_resources;
  kube::Box<ResourceRequirements> resources;
  kube::ListOf<VolumeMountStatus> volume_mounts;
  kube::Box<ContainerUser> user;
  kube::ListOf<ResourceStatus> allocated_resources_status;
  std::optional<std::string> stop_signal;

  static const kube::StructTable kFields;
  bool operator==(const ContainerStatus&) const = default;
};

struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;

  static const kube::StructTable kFields;
  bool operator==(const PodResourceClaimStatus&) const = default;
};

struct ContainerExtendedResourceRequest {
  std::string container_name;
  std::string resource_name;
  std::string request_name;

  static const kube::StructTable kFields;
  bool operator==(const ContainerExtendedResourceRequest&) const = default;
};

struct PodExtendedResourceClaimStatus {
  kube::ListOf<ContainerExtendedResourceRequest> request_mappings;
  std::string resource_claim_name;

  static const kube::StructTable kFields;
  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
};

struct NodeAllocatableResourceClaimStatus {
  std::string resource_claim_name;
  std::vector<std::string> containers;
  std::map<std::string, kube::Quantity> resources;

  static const kube::StructTable kFields;
  bool operator==(const NodeAllocatableResourceClaimStatus&) const = default;
};

struct PodStatus {
  std::int64_t observed_generation = 0;
  std::string phase;
  kube::ListOf<PodCondition> conditions;
  std::string message;
  std::string reason;
  std::string nominated_node_name;
  std::string host_ip;
  kube::ListOf<HostIP> host_ips;
  std::string pod_ip;
  kube::ListOf<PodIP> pod_ips;
  std::optional<kube::Time> start_time;
  kube::ListOf<ContainerStatus> init_container_statuses;
  kube::ListOf<ContainerStatus> container_statuses;
  std::string qos_class;
  kube::ListOf<ContainerStatus> ephemeral_container_statuses;
  std::string resize;
  kube::ListOf<PodResourceClaimStatus> resource_claim_statuses;
  kube::Box<PodExtendedResourceClaimStatus> extended_resource_claim_status;
  std::map<std::string, kube::Quantity> allocated_resources;
  kube::Box<ResourceRequirements> resources;
  kube::ListOf<NodeAllocatableResourceClaimStatus> node_allocatable_resource_claim_statuses;

  static const kube::StructTable kFields;
  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod", "pods"};

  meta::v1::ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Pod&) const = default;
};

}  // namespace keelson::core::v1
