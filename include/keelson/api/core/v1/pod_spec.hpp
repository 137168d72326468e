// PodSpec of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/local_object_reference.hpp"
#include "keelson/api/core/v1/persistent_volume_claim_spec.hpp"
#include "keelson/api/core/v1/resource_requirements.hpp"
#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/int_or_string.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::core::v1 {

struct HostPathVolumeSource {
  std::string path;
  std::optional<std::string> type;

  static const kube::StructTable kFields;
  bool operator==(const HostPathVolumeSource&) const = default;
};

struct EmptyDirVolumeSource {
  std::string medium;
  std::optional<kube::Quantity> size_limit;

  static const kube::StructTable kFields;
  bool operator==(const EmptyDirVolumeSource&) const = default;
};

struct KeyToPath {
  std::string key;
  std::string path;
  std::optional<std::int32_t> mode;

  static const kube::StructTable kFields;
  bool operator==(const KeyToPath&) const = default;
};

struct SecretVolumeSource {
  std::string secret_name;
  kube::ListOf<KeyToPath> items;
  std::optional<std::int32_t> default_mode;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretVolumeSource&) const = default;
};

struct NFSVolumeSource {
  std::string server;
  std::string path;
  bool read_only = false;

  static const kube::StructTable kFields;
  bool operator==(const NFSVolumeSource&) const = default;
};

struct ISCSIVolumeSource {
  std::string target_portal;
  std::string iqn;
  std::int32_t lun = 0;
  std::string iscsi_interface;
  std::string fs_type;
  bool read_only = false;
  std::vector<std::string> portals;
  bool chap_auth_discovery = false;
  bool chap_auth_session = false;
  kube::Box<LocalObjectReference> secret_ref;
  std::optional<std::string> initiator_name;

  static const kube::StructTable kFields;
  bool operator==(const ISCSIVolumeSource&) const = default;
};

struct PersistentVolumeClaimVolumeSource {
  std::string claim_name;
  bool read_only = false;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimVolumeSource&) const = default;
};

struct ObjectFieldSelector {
  std::string api_version;
  std::string field_path;

  static const kube::StructTable kFields;
  bool operator==(const ObjectFieldSelector&) const = default;
};

struct ResourceFieldSelector {
  std::string container_name;
  std::string resource;
  std::optional<kube::Quantity> divisor;

  static const kube::StructTable kFields;
  bool operator==(const ResourceFieldSelector&) const = default;
};

struct DownwardAPIVolumeFile {
  std::string path;
  kube::Box<ObjectFieldSelector> field_ref;
  kube::Box<ResourceFieldSelector> resource_field_ref;
  std::optional<std::int32_t> mode;

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIVolumeFile&) const = default;
};

struct DownwardAPIVolumeSource {
  kube::ListOf<DownwardAPIVolumeFile> items;
  std::optional<std::int32_t> default_mode;

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIVolumeSource&) const = default;
};

struct FCVolumeSource {
  std::vector<std::string> target_wwns;
  std::optional<std::int32_t> lun;
  std::string fs_type;
  bool read_only = false;
  std::vector<std::string> wwids;

  static const kube::StructTable kFields;
  bool operator==(const FCVolumeSource&) const = default;
};

struct ConfigMapVolumeSource {
  std::string name;
  kube::ListOf<KeyToPath> items;
  std::optional<std::int32_t> default_mode;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapVolumeSource&) const = default;
};

struct SecretProjection {
  std::string name;
  kube::ListOf<KeyToPath> items;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretProjection&) const = default;
};

struct DownwardAPIProjection {
  kube::ListOf<DownwardAPIVolumeFile> items;

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIProjection&) const = default;
};

struct ConfigMapProjection {
  std::string name;
  kube::ListOf<KeyToPath> items;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapProjection&) const = default;
};

struct ServiceAccountTokenProjection {
  std::string audience;
  std::optional<std::int64_t> expiration_seconds;
  std::string path;

  static const kube::StructTable kFields;
  bool operator==(const ServiceAccountTokenProjection&) const = default;
};

struct ClusterTrustBundleProjection {
  std::optional<std::string> name;
  std::optional<std::string> signer_name;
  kube::Box<meta::v1::LabelSelector> label_selector;
  std::optional<bool> optional;
  std::string path;

  static const kube::StructTable kFields;
  bool operator==(const ClusterTrustBundleProjection&) const = default;
};

struct PodCertificateProjection {
  std::string signer_name;
  std::string key_type;
  std::optional<std::int32_t> max_expiration_seconds;
  std::string credential_bundle_path;
  std::string key_path;
  std::string certificate_chain_path;
  std::map<std::string, std::string> user_annotations;

  static const kube::StructTable kFields;
  bool operator==(const PodCertificateProjection&) const = default;
};

struct VolumeProjection {
  kube::Box<SecretProjection> secret;
  kube::Box<DownwardAPIProjection> downward_api;
  kube::Box<ConfigMapProjection> config_map;
  kube::Box<ServiceAccountTokenProjection> service_account_token;
  kube::Box<ClusterTrustBundleProjection> cluster_trust_bundle;
  kube::Box<PodCertificateProjection> pod_certificate;

  static const kube::StructTable kFields;
  bool operator==(const VolumeProjection&) const = default;
};

struct ProjectedVolumeSource {
  kube::ListOf<VolumeProjection> sources;
  std::optional<std::int32_t> default_mode;

  static const kube::StructTable kFields;
  bool operator==(const ProjectedVolumeSource&) const = default;
};

struct CSIVolumeSource {
  std::string driver;
  std::optional<bool> read_only;
  std::optional<std::string> fs_type;
  std::map<std::string, std::string> volume_attributes;
  kube::Box<LocalObjectReference> node_publish_secret_ref;

  static const kube::StructTable kFields;
  bool operator==(const CSIVolumeSource&) const = default;
};

struct PersistentVolumeClaimTemplate {
  meta::v1::ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimTemplate&) const = default;
};

struct EphemeralVolumeSource {
  kube::Box<PersistentVolumeClaimTemplate> volume_claim_template;

  static const kube::StructTable kFields;
  bool operator==(const EphemeralVolumeSource&) const = default;
};

struct ImageVolumeSource {
  std::string reference;
  std::string pull_policy;

  static const kube::StructTable kFields;
  bool operator==(const ImageVolumeSource&) const = default;
};

struct Volume {
  std::string name;
  kube::Box<HostPathVolumeSource> host_path;
  kube::Box<EmptyDirVolumeSource> empty_dir;
  kube::Box<SecretVolumeSource> secret;
  kube::Box<NFSVolumeSource> nfs;
  kube::Box<ISCSIVolumeSource> iscsi;
  kube::Box<PersistentVolumeClaimVolumeSource> persistent_volume_claim;
  kube::Box<DownwardAPIVolumeSource> downward_api;
  kube::Box<FCVolumeSource> fc;
  kube::Box<ConfigMapVolumeSource> config_map;
  kube::Box<ProjectedVolumeSource> projected;
  kube::Box<CSIVolumeSource> csi;
  kube::Box<EphemeralVolumeSource> ephemeral;
  kube::Box<ImageVolumeSource> image;

  static const kube::StructTable kFields;
  bool operator==(const Volume&) const = default;
};

struct ContainerPort {
  std::string name;
  std::int32_t host_port = 0;
  std::int32_t container_port = 0;
  std::string protocol;
  std::string host_ip;

  static const kube::StructTable kFields;
  bool operator==(const ContainerPort&) const = default;
};

struct ConfigMapEnvSource {
  std::string name;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapEnvSource&) const = default;
};

struct SecretEnvSource {
  std::string name;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretEnvSource&) const = default;
};

struct EnvFromSource {
  std::string prefix;
  kube::Box<ConfigMapEnvSource> config_map_ref;
  kube::Box<SecretEnvSource> secret_ref;

  static const kube::StructTable kFields;
  bool operator==(const EnvFromSource&) const = default;
};

struct ConfigMapKeySelector {
  std::string name;
  std::string key;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapKeySelector&) const = default;
};

struct SecretKeySelector {
  std::string name;
  std::string key;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretKeySelector&) const = default;
};

struct FileKeySelector {
  std::string volume_name;
  std::string path;
  std::string key;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const FileKeySelector&) const = default;
};

struct EnvVarSource {
  kube::Box<ObjectFieldSelector> field_ref;
  kube::Box<ResourceFieldSelector> resource_field_ref;
  kube::Box<ConfigMapKeySelector> config_map_key_ref;
  kube::Box<SecretKeySelector> secret_key_ref;
  kube::Box<FileKeySelector> file_key_ref;

  static const kube::StructTable kFields;
  bool operator==(const EnvVarSource&) const = default;
};

struct EnvVar {
  std::string name;
  std::string value;
  kube::Box<EnvVarSource> value_from;

  static const kube::StructTable kFields;
  bool operator==(const EnvVar&) const = default;
};

struct ContainerResizePolicy {
  std::string resource_name;
  std::string restart_policy;

  static const kube::StructTable kFields;
  bool operator==(const ContainerResizePolicy&) const = default;
};

struct ContainerRestartRuleOnExitCodes {
  std::string operator_;
  std::vector<std::int32_t> values;

  static const kube::StructTable kFields;
  bool operator==(const ContainerRestartRuleOnExitCodes&) const = default;
};

struct ContainerRestartRule {
  std::string action;
  kube::Box<ContainerRestartRuleOnExitCodes> exit_codes;

  static const kube::StructTable kFields;
  bool operator==(const ContainerRestartRule&) const = default;
};

struct VolumeMount {
  std::string name;
  bool read_only = false;
  std::optional<std::string> recursive_read_only;
  std::string mount_path;
  std::string sub_path;
  std::optional<std::string> mount_propagation;
  std::string sub_path_expr;

  static const kube::StructTable kFields;
  bool operator==(const VolumeMount&) const = default;
};

struct VolumeDevice {
  std::string name;
  std::string device_path;

  static const kube::StructTable kFields;
  bool operator==(const VolumeDevice&) const = default;
};

struct ExecAction {
  std::vector<std::string> command;

  static const kube::StructTable kFields;
  bool operator==(const ExecAction&) const = default;
};

struct HTTPHeader {
  std::string name;
  std::string value;

  static const kube::StructTable kFields;
  bool operator==(const HTTPHeader&) const = default;
};

struct HTTPGetAction {
  std::string path;
  kube::IntOrString port;
  std::string host;
  std::string scheme;
  kube::ListOf<HTTPHeader> http_headers;

  static const kube::StructTable kFields;
  bool operator==(const HTTPGetAction&) const = default;
};

struct TCPSocketAction {
  kube::IntOrString port;
  std::string host;

  static const kube::StructTable kFields;
  bool operator==(const TCPSocketAction&) const = default;
};

struct GRPCAction {
  std::int32_t port = 0;
  std::optional<std::string> service;

  static const kube::StructTable kFields;
  bool operator==(const GRPCAction&) const = default;
};

struct Probe {
  kube::Box<ExecAction> exec;
  kube::Box<HTTPGetAction> http_get;
  kube::Box<TCPSocketAction> tcp_socket;
  kube::Box<GRPCAction> grpc;
  std::int32_t initial_delay_seconds = 0;
  std::int32_t timeout_seconds = 0;
  std::int32_t period_seconds = 0;
  std::int32_t success_threshold = 0;
  std::int32_t failure_threshold = 0;
  std::optional<std::int64_t> termination_grace_period_seconds;

  static const kube::StructTable kFields;
  bool operator==(const Probe&) const = default;
};

struct SleepAction {
  std::int64_t seconds = 0;

  static const kube::StructTable kFields;
  bool operator==(const SleepAction&) const = default;
};

struct LifecycleHandler {
  kube::Box<ExecAction> exec;
  kube::Box<HTTPGetAction> http_get;
  kube::Box<TCPSocketAction> tcp_socket;
  kube::Box<SleepAction> sleep;

  static const kube::StructTable kFields;
  bool operator==(const LifecycleHandler&) const = default;
};

struct Lifecycle {
  kube::Box<LifecycleHandler> post_start;
  kube::Box<LifecycleHandler> pre_stop;
  std::optional<std::string> stop_signal;

  static const kube::StructTable kFields;
  bool operator==(const Lifecycle&) const = default;
};

struct Capabilities {
  std::vector<std::string> add;
  std::vector<std::string> drop;

  static const kube::StructTable kFields;
  bool operator==(const Capabilities&) const = default;
};

struct SELinuxOptions {
  std::string user;
  std::string role;
  std::string type;
  std::string level;

  static const kube::StructTable kFields;
  bool operator==(const SELinuxOptions&) const = default;
};

struct WindowsSecurityContextOptions {
  std::optional<std::string> gmsa_credential_spec_name;
  std::optional<std::string> gmsa_credential_spec;
  std::optional<std::string> run_as_user_name;
  std::optional<bool> host_process;

  static const kube::StructTable kFields;
  bool operator==(const WindowsSecurityContextOptions&) const = default;
};

struct SeccompProfile {
  std::string type;
  std::optional<std::string> localhost_profile;

  static const kube::StructTable kFields;
  bool operator==(const SeccompProfile&) const = default;
};

struct AppArmorProfile {
  std::string type;
  std::optional<std::string> localhost_profile;

  static const kube::StructTable kFields;
  bool operator==(const AppArmorProfile&) const = default;
};

struct SecurityContext {
  kube::Box<Capabilities> capabilities;
  std::optional<bool> privileged;
  kube::Box<SELinuxOptions> se_linux_options;
  kube::Box<WindowsSecurityContextOptions> windows_options;
  std::optional<std::int64_t> run_as_user;
  std::optional<std::int64_t> run_as_group;
  std::optional<bool> run_as_non_root;
  std::optional<bool> read_only_root_filesystem;
  std::optional<bool> allow_privilege_escalation;
  std::optional<std::string> proc_mount;
  kube::Box<SeccompProfile> seccomp_profile;
  kube::Box<AppArmorProfile> app_armor_profile;

  static const kube::StructTable kFields;
  bool operator==(const SecurityContext&) const = default;
};

struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::string working_dir;
  kube::ListOf<ContainerPort> ports;
  kube::ListOf<EnvFromSource> env_from;
  kube::ListOf<EnvVar> env;
  ResourceRequirements resources;
  kube::ListOf<ContainerResizePolicy> resize_policy;
  std::optional<std::string> restart_policy;
  kube::ListOf<ContainerRestartRule> restart_policy_rules;
  kube::ListOf<VolumeMount> volume_mounts;
  kube::ListOf<VolumeDevice> volume_devices;
  kube::Box<Probe> liveness_probe;
  kube::Box<Probe> readiness_probe;
  kube::Box<Probe> startup_probe;
  kube::Box<Lifecycle> lifecycle;
  std::string termination_message_path;
  std::string termination_message_policy;
  std::string image_pull_policy;
  kube::Box<SecurityContext> security_context;
  bool stdin = false;
  bool stdin_once = false;
  bool tty = false;

  static const kube::StructTable kFields;
  bool operator==(const Container&) const = default;
};

struct EphemeralContainer {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::string working_dir;
  kube::ListOf<ContainerPort> ports;
  kube::ListOf<EnvFromSource> env_from;
  kube::ListOf<EnvVar> env;
  ResourceRequirements resources;
  kube::ListOf<ContainerResizePolicy> resize_policy;
  std::optional<std::string> restart_policy;
  kube::ListOf<ContainerRestartRule> restart_policy_rules;
  kube::ListOf<VolumeMount> volume_mounts;
  kube::ListOf<VolumeDevice> volume_devices;
  kube::Box<Probe> liveness_probe;
  kube::Box<Probe> readiness_probe;
  kube::Box<Probe> startup_probe;
  kube::Box<Lifecycle> lifecycle;
  std::string termination_message_path;
  std::string termination_message_policy;
  std::string image_pull_policy;
  kube::Box<SecurityContext> security_context;
  bool stdin = false;
  bool stdin_once = false;
  bool tty = false;
  std::string target_container_name;

  static const kube::StructTable kFields;
  bool operator==(const EphemeralContainer&) const = default;
};

struct Sysctl {
  std::string name;
  std::string value;

  static const kube::StructTable kFields;
  bool operator==(const Sysctl&) const = default;
};

struct PodSecurityContext {
  kube::Box<SELinuxOptions> se_linux_options;
  kube::Box<WindowsSecurityContextOptions> windows_options;
  std::optional<std::int64_t> run_as_user;
  std::optional<std::int64_t> run_as_group;
  std::optional<bool> run_as_non_root;
  std::vector<std::int64_t> supplemental_groups;
  std::optional<std::string> supplemental_groups_policy;
  std::optional<std::int64_t> fs_group;
  kube::ListOf<Sysctl> sysctls;
  std::optional<std::string> fs_group_change_policy;
  kube::Box<SeccompProfile> seccomp_profile;
  kube::Box<AppArmorProfile> app_armor_profile;
  std::optional<std::string> se_linux_change_policy;

  static const kube::StructTable kFields;
  bool operator==(const PodSecurityContext&) const = default;
};

struct NodeSelectorRequirement {
  std::string key;
  std::string operator_;
  std::vector<std::string> values;

  static const kube::StructTable kFields;
  bool operator==(const NodeSelectorRequirement&) const = default;
};

struct NodeSelectorTerm {
  kube::ListOf<NodeSelectorRequirement> match_expressions;
  kube::ListOf<NodeSelectorRequirement> match_fields;

  static const kube::StructTable kFields;
  bool operator==(const NodeSelectorTerm&) const = default;
};

struct NodeSelector {
  kube::ListOf<NodeSelectorTerm> node_selector_terms;

  static const kube::StructTable kFields;
  bool operator==(const NodeSelector&) const = default;
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference;

  static const kube::StructTable kFields;
  bool operator==(const PreferredSchedulingTerm&) const = default;
};

struct NodeAffinity {
  kube::Box<NodeSelector> required_during_scheduling_ignored_during_execution;
  kube::ListOf<PreferredSchedulingTerm> preferred_during_scheduling_ignored_during_execution;

  static const kube::StructTable kFields;
  bool operator==(const NodeAffinity&) const = default;
};

struct PodAffinityTerm {
  kube::Box<meta::v1::LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::string topology_key;
  kube::Box<meta::v1::LabelSelector> namespace_selector;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;

  static const kube::StructTable kFields;
  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm pod_affinity_term;

  static const kube::StructTable kFields;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

struct PodAffinity {
  kube::ListOf<PodAffinityTerm> required_during_scheduling_ignored_during_execution;
  kube::ListOf<WeightedPodAffinityTerm> preferred_during_scheduling_ignored_during_execution;

  static const kube::StructTable kFields;
  bool operator==(const PodAffinity&) const = default;
};

struct PodAntiAffinity {
  kube::ListOf<PodAffinityTerm> required_during_scheduling_ignored_during_execution;
  kube::ListOf<WeightedPodAffinityTerm> preferred_during_scheduling_ignored_during_execution;

  static const kube::StructTable kFields;
  bool operator==(const PodAntiAffinity&) const = default;
};

struct Affinity {
  kube::Box<NodeAffinity> node_affinity;
  kube::Box<PodAffinity> pod_affinity;
  kube::Box<PodAntiAffinity> pod_anti_affinity;

  static const kube::StructTable kFields;
  bool operator==(const Affinity&) const = default;
};

struct Toleration {
  std::string key;
  std::string operator_;
  std::string value;
  std::string effect;
  std::optional<std::int64_t> toleration_seconds;

  static const kube::StructTable kFields;
  bool operator==(const Toleration&) const = default;
};

struct HostAlias {
  std::string ip;
  std::vector<std::string> hostnames;

  static const kube::StructTable kFields;
  bool operator==(const HostAlias&) const = default;
};

struct PodDNSConfigOption {
  std::string name;
  std::optional<std::string> value;

  static const kube::StructTable kFields;
  bool operator==(const PodDNSConfigOption&) const = default;
};

struct PodDNSConfig {
  std::vector<std::string> nameservers;
  std::vector<std::string> searches;
  kube::ListOf<PodDNSConfigOption> options;

  static const kube::StructTable kFields;
  bool operator==(const PodDNSConfig&) const = default;
};

struct PodReadinessGate {
  std::string condition_type;

  static const kube::StructTable kFields;
  bool operator==(const PodReadinessGate&) const = default;
};

struct TopologySpreadConstraint {
  std::int32_t max_skew = 0;
  std::string topology_key;
  std::string when_unsatisfiable;
  kube::Box<meta::v1::LabelSelector> label_selector;
  std::optional<std::int32_t> min_domains;
  std::optional<std::string> node_affinity_policy;
  std::optional<std::string> node_taints_policy;
  std::vector<std::string> match_label_keys;

  static const kube::StructTable kFields;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

struct PodOS {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const PodOS&) const = default;
};

struct PodSchedulingGate {
  std::string name;

  static const kube::StructTable kFields;
  bool operator==(const PodSchedulingGate&) const = default;
};

struct PodResourceClaim {
  std::string name;
  std::optional<std::string> resource_claim_name;
  std::optional<std::string> resource_claim_template_name;

  static const kube::StructTable kFields;
  bool operator==(const PodResourceClaim&) const = default;
};

struct PodSchedulingGroup {
  std::optional<std::string> pod_group_name;

  static const kube::StructTable kFields;
  bool operator==(const PodSchedulingGroup&) const = default;
};

struct PodSpec {
  kube::ListOf<Volume> volumes;
  kube::ListOf<Container> init_containers;
  kube::ListOf<Container> containers;
  kube::ListOf<EphemeralContainer> ephemeral_containers;
  std::string restart_policy;
  std::optional<std::int64_t> termination_grace_period_seconds;
  std::optional<std::int64_t> active_deadline_seconds;
  std::string dns_policy;
  std::map<std::string, std::string> node_selector;
  std::string service_account_name;
  std::string service_account;
  std::optional<bool> automount_service_account_token;
  std::string node_name;
  bool host_network = false;
  bool host_pid = false;
  bool host_ipc = false;
  std::optional<bool> share_process_namespace;
  kube::Box<PodSecurityContext> security_context;
  kube::ListOf<LocalObjectReference> image_pull_secrets;
  std::string hostname;
  std::string subdomain;
  kube::Box<Affinity> affinity;
  std::string scheduler_name;
  kube::ListOf<Toleration> tolerations;
  kube::ListOf<HostAlias> host_aliases;
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  kube::Box<PodDNSConfig> dns_config;
  kube::ListOf<PodReadinessGate> readiness_gates;
  std::optional<std::string> runtime_class_name;
  std::optional<bool> enable_service_links;
  std::optional<std::string> preemption_policy;
  std::map<std::string, kube::Quantity> overhead;
  kube::ListOf<TopologySpreadConstraint> topology_spread_constraints;
  std::optional<bool> set_hostname_as_fqdn;
  kube::Box<PodOS> os;
  std::optional<bool> host_users;
  kube::ListOf<PodSchedulingGate> scheduling_gates;
  kube::ListOf<PodResourceClaim> resource_claims;
  kube::Box<ResourceRequirements> resources;
  std::optional<std::string> hostname_override;
  kube::Box<PodSchedulingGroup> scheduling_group;

  static const kube::StructTable kFields;
  bool operator==(const PodSpec&) const = default;
};

}  // namespace keelson::core::v1
