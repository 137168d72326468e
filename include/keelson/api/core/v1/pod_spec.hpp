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
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/detail/schema/int_or_string.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::core::v1 {

// The type of Volume.hostPath.
struct HostPathVolumeSource {
  std::string path;  // required
  std::optional<std::string> type;

  static const kube::StructTable kFields;
  bool operator==(const HostPathVolumeSource&) const = default;
};

// The type of Volume.emptyDir.
struct EmptyDirVolumeSource {
  std::string medium;
  std::optional<kube::Quantity> size_limit;  // sizeLimit

  static const kube::StructTable kFields;
  bool operator==(const EmptyDirVolumeSource&) const = default;
};

// The type of ConfigMapProjection.items, ConfigMapVolumeSource.items, SecretProjection.items and
// SecretVolumeSource.items.
struct KeyToPath {
  std::string key;   // required
  std::string path;  // required
  std::optional<std::int32_t> mode;

  static const kube::StructTable kFields;
  bool operator==(const KeyToPath&) const = default;
};

// The type of Volume.secret.
struct SecretVolumeSource {
  std::string secret_name;                   // secretName
  kube::ListOf<KeyToPath> items;             // applied as a whole
  std::optional<std::int32_t> default_mode;  // defaultMode
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretVolumeSource&) const = default;
};

// The type of Volume.nfs.
struct NFSVolumeSource {
  std::string server;      // required
  std::string path;        // required
  bool read_only = false;  // readOnly

  static const kube::StructTable kFields;
  bool operator==(const NFSVolumeSource&) const = default;
};

// The type of Volume.iscsi.
struct ISCSIVolumeSource {
  std::string target_portal;                   // targetPortal, required
  std::string iqn;                             // required
  std::int32_t lun = 0;                        // required
  std::string iscsi_interface;                 // iscsiInterface
  std::string fs_type;                         // fsType
  bool read_only = false;                      // readOnly
  std::vector<std::string> portals;            // applied as a whole
  bool chap_auth_discovery = false;            // chapAuthDiscovery
  bool chap_auth_session = false;              // chapAuthSession
  kube::Box<LocalObjectReference> secret_ref;  // secretRef
  std::optional<std::string> initiator_name;   // initiatorName

  static const kube::StructTable kFields;
  bool operator==(const ISCSIVolumeSource&) const = default;
};

// The type of Volume.persistentVolumeClaim.
struct PersistentVolumeClaimVolumeSource {
  std::string claim_name;  // claimName, required
  bool read_only = false;  // readOnly

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimVolumeSource&) const = default;
};

// The type of DownwardAPIVolumeFile.fieldRef and EnvVarSource.fieldRef.
struct ObjectFieldSelector {
  std::string api_version;  // apiVersion
  std::string field_path;   // fieldPath, required

  static const kube::StructTable kFields;
  bool operator==(const ObjectFieldSelector&) const = default;
};

// The type of DownwardAPIVolumeFile.resourceFieldRef and EnvVarSource.resourceFieldRef.
struct ResourceFieldSelector {
  std::string container_name;  // containerName
  std::string resource;        // required
  std::optional<kube::Quantity> divisor;

  static const kube::StructTable kFields;
  bool operator==(const ResourceFieldSelector&) const = default;
};

// The type of DownwardAPIProjection.items and DownwardAPIVolumeSource.items.
struct DownwardAPIVolumeFile {
  std::string path;                                     // required
  kube::Box<ObjectFieldSelector> field_ref;             // fieldRef
  kube::Box<ResourceFieldSelector> resource_field_ref;  // resourceFieldRef
  std::optional<std::int32_t> mode;

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIVolumeFile&) const = default;
};

// The type of Volume.downwardAPI.
struct DownwardAPIVolumeSource {
  kube::ListOf<DownwardAPIVolumeFile> items;  // applied as a whole
  std::optional<std::int32_t> default_mode;   // defaultMode

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIVolumeSource&) const = default;
};

// The type of Volume.fc.
struct FCVolumeSource {
  std::vector<std::string> target_wwns;  // targetWWNs, applied as a whole
  std::optional<std::int32_t> lun;
  std::string fs_type;             // fsType
  bool read_only = false;          // readOnly
  std::vector<std::string> wwids;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const FCVolumeSource&) const = default;
};

// The type of Volume.configMap.
struct ConfigMapVolumeSource {
  std::string name;
  kube::ListOf<KeyToPath> items;             // applied as a whole
  std::optional<std::int32_t> default_mode;  // defaultMode
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapVolumeSource&) const = default;
};

// The type of VolumeProjection.secret.
struct SecretProjection {
  std::string name;
  kube::ListOf<KeyToPath> items;  // applied as a whole
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretProjection&) const = default;
};

// The type of VolumeProjection.downwardAPI.
struct DownwardAPIProjection {
  kube::ListOf<DownwardAPIVolumeFile> items;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const DownwardAPIProjection&) const = default;
};

// The type of VolumeProjection.configMap.
struct ConfigMapProjection {
  std::string name;
  kube::ListOf<KeyToPath> items;  // applied as a whole
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapProjection&) const = default;
};

// The type of VolumeProjection.serviceAccountToken.
struct ServiceAccountTokenProjection {
  std::string audience;
  std::optional<std::int64_t> expiration_seconds;  // expirationSeconds
  std::string path;                                // required

  static const kube::StructTable kFields;
  bool operator==(const ServiceAccountTokenProjection&) const = default;
};

// The type of VolumeProjection.clusterTrustBundle.
struct ClusterTrustBundleProjection {
  std::optional<std::string> name;
  std::optional<std::string> signer_name;             // signerName
  kube::Box<meta::v1::LabelSelector> label_selector;  // labelSelector
  std::optional<bool> optional;
  std::string path;  // required

  static const kube::StructTable kFields;
  bool operator==(const ClusterTrustBundleProjection&) const = default;
};

// The type of VolumeProjection.podCertificate.
struct PodCertificateProjection {
  std::string signer_name;                              // signerName, required
  std::string key_type;                                 // keyType, required
  std::optional<std::int32_t> max_expiration_seconds;   // maxExpirationSeconds
  std::string credential_bundle_path;                   // credentialBundlePath
  std::string key_path;                                 // keyPath
  std::string certificate_chain_path;                   // certificateChainPath
  std::map<std::string, std::string> user_annotations;  // userAnnotations

  static const kube::StructTable kFields;
  bool operator==(const PodCertificateProjection&) const = default;
};

// The type of ProjectedVolumeSource.sources.
struct VolumeProjection {
  kube::Box<SecretProjection> secret;
  kube::Box<DownwardAPIProjection> downward_api;                   // downwardAPI
  kube::Box<ConfigMapProjection> config_map;                       // configMap
  kube::Box<ServiceAccountTokenProjection> service_account_token;  // serviceAccountToken
  kube::Box<ClusterTrustBundleProjection> cluster_trust_bundle;    // clusterTrustBundle
  kube::Box<PodCertificateProjection> pod_certificate;             // podCertificate

  static const kube::StructTable kFields;
  bool operator==(const VolumeProjection&) const = default;
};

// The type of Volume.projected.
struct ProjectedVolumeSource {
  kube::ListOf<VolumeProjection> sources;    // applied as a whole
  std::optional<std::int32_t> default_mode;  // defaultMode

  static const kube::StructTable kFields;
  bool operator==(const ProjectedVolumeSource&) const = default;
};

// The type of Volume.csi.
struct CSIVolumeSource {
  std::string driver;                                       // required
  std::optional<bool> read_only;                            // readOnly
  std::optional<std::string> fs_type;                       // fsType
  std::map<std::string, std::string> volume_attributes;     // volumeAttributes
  kube::Box<LocalObjectReference> node_publish_secret_ref;  // nodePublishSecretRef

  static const kube::StructTable kFields;
  bool operator==(const CSIVolumeSource&) const = default;
};

// The type of EphemeralVolumeSource.volumeClaimTemplate.
struct PersistentVolumeClaimTemplate {
  meta::v1::ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;  // required

  static const kube::StructTable kFields;
  bool operator==(const PersistentVolumeClaimTemplate&) const = default;
};

// The type of Volume.ephemeral.
struct EphemeralVolumeSource {
  kube::Box<PersistentVolumeClaimTemplate> volume_claim_template;  // volumeClaimTemplate

  static const kube::StructTable kFields;
  bool operator==(const EphemeralVolumeSource&) const = default;
};

// The type of Volume.image.
struct ImageVolumeSource {
  std::string reference;
  std::string pull_policy;  // pullPolicy

  static const kube::StructTable kFields;
  bool operator==(const ImageVolumeSource&) const = default;
};

// The type of PodSpec.volumes.
struct Volume {
  std::string name;                           // required
  kube::Box<HostPathVolumeSource> host_path;  // hostPath
  kube::Box<EmptyDirVolumeSource> empty_dir;  // emptyDir
  kube::Box<SecretVolumeSource> secret;
  kube::Box<NFSVolumeSource> nfs;
  kube::Box<ISCSIVolumeSource> iscsi;
  kube::Box<PersistentVolumeClaimVolumeSource> persistent_volume_claim;  // persistentVolumeClaim
  kube::Box<DownwardAPIVolumeSource> downward_api;                       // downwardAPI
  kube::Box<FCVolumeSource> fc;
  kube::Box<ConfigMapVolumeSource> config_map;  // configMap
  kube::Box<ProjectedVolumeSource> projected;
  kube::Box<CSIVolumeSource> csi;
  kube::Box<EphemeralVolumeSource> ephemeral;
  kube::Box<ImageVolumeSource> image;

  static const kube::StructTable kFields;
  bool operator==(const Volume&) const = default;
};

// The type of Container.ports and EphemeralContainer.ports.
struct ContainerPort {
  std::string name;
  std::int32_t host_port = 0;       // hostPort
  std::int32_t container_port = 0;  // containerPort, required
  std::string protocol;
  std::string host_ip;  // hostIP

  static const kube::StructTable kFields;
  bool operator==(const ContainerPort&) const = default;
};

// The type of EnvFromSource.configMapRef.
struct ConfigMapEnvSource {
  std::string name;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapEnvSource&) const = default;
};

// The type of EnvFromSource.secretRef.
struct SecretEnvSource {
  std::string name;
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretEnvSource&) const = default;
};

// The type of Container.envFrom and EphemeralContainer.envFrom.
struct EnvFromSource {
  std::string prefix;
  kube::Box<ConfigMapEnvSource> config_map_ref;  // configMapRef
  kube::Box<SecretEnvSource> secret_ref;         // secretRef

  static const kube::StructTable kFields;
  bool operator==(const EnvFromSource&) const = default;
};

// The type of EnvVarSource.configMapKeyRef.
struct ConfigMapKeySelector {
  std::string name;
  std::string key;  // required
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const ConfigMapKeySelector&) const = default;
};

// The type of EnvVarSource.secretKeyRef.
struct SecretKeySelector {
  std::string name;
  std::string key;  // required
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const SecretKeySelector&) const = default;
};

// The type of EnvVarSource.fileKeyRef.
struct FileKeySelector {
  std::string volume_name;  // volumeName, required
  std::string path;         // required
  std::string key;          // required
  std::optional<bool> optional;

  static const kube::StructTable kFields;
  bool operator==(const FileKeySelector&) const = default;
};

// The type of EnvVar.valueFrom.
struct EnvVarSource {
  kube::Box<ObjectFieldSelector> field_ref;             // fieldRef
  kube::Box<ResourceFieldSelector> resource_field_ref;  // resourceFieldRef
  kube::Box<ConfigMapKeySelector> config_map_key_ref;   // configMapKeyRef
  kube::Box<SecretKeySelector> secret_key_ref;          // secretKeyRef
  kube::Box<FileKeySelector> file_key_ref;              // fileKeyRef

  static const kube::StructTable kFields;
  bool operator==(const EnvVarSource&) const = default;
};

// The type of Container.env and EphemeralContainer.env.
struct EnvVar {
  std::string name;  // required
  std::string value;
  kube::Box<EnvVarSource> value_from;  // valueFrom

  static const kube::StructTable kFields;
  bool operator==(const EnvVar&) const = default;
};

// The type of Container.resizePolicy and EphemeralContainer.resizePolicy.
struct ContainerResizePolicy {
  std::string resource_name;   // resourceName, required
  std::string restart_policy;  // restartPolicy, required

  static const kube::StructTable kFields;
  bool operator==(const ContainerResizePolicy&) const = default;
};

// The type of ContainerRestartRule.exitCodes.
struct ContainerRestartRuleOnExitCodes {
  std::string operator_;  // operator, required
  std::vector<std::int32_t> values;

  static const kube::StructTable kFields;
  bool operator==(const ContainerRestartRuleOnExitCodes&) const = default;
};

// The type of Container.restartPolicyRules and EphemeralContainer.restartPolicyRules.
struct ContainerRestartRule {
  std::string action;                                     // required
  kube::Box<ContainerRestartRuleOnExitCodes> exit_codes;  // exitCodes

  static const kube::StructTable kFields;
  bool operator==(const ContainerRestartRule&) const = default;
};

// The type of Container.volumeMounts and EphemeralContainer.volumeMounts.
struct VolumeMount {
  std::string name;                                // required
  bool read_only = false;                          // readOnly
  std::optional<std::string> recursive_read_only;  // recursiveReadOnly
  std::string mount_path;                          // mountPath, required
  std::string sub_path;                            // subPath
  std::optional<std::string> mount_propagation;    // mountPropagation
  std::string sub_path_expr;                       // subPathExpr

  static const kube::StructTable kFields;
  bool operator==(const VolumeMount&) const = default;
};

// The type of Container.volumeDevices and EphemeralContainer.volumeDevices.
struct VolumeDevice {
  std::string name;         // required
  std::string device_path;  // devicePath, required

  static const kube::StructTable kFields;
  bool operator==(const VolumeDevice&) const = default;
};

// The type of LifecycleHandler.exec and Probe.exec.
struct ExecAction {
  std::vector<std::string> command;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const ExecAction&) const = default;
};

// The type of HTTPGetAction.httpHeaders.
struct HTTPHeader {
  std::string name;   // required
  std::string value;  // required

  static const kube::StructTable kFields;
  bool operator==(const HTTPHeader&) const = default;
};

// The type of LifecycleHandler.httpGet and Probe.httpGet.
struct HTTPGetAction {
  std::string path;
  kube::IntOrString port;  // required
  std::string host;
  std::string scheme;
  kube::ListOf<HTTPHeader> http_headers;  // httpHeaders, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const HTTPGetAction&) const = default;
};

// The type of LifecycleHandler.tcpSocket and Probe.tcpSocket.
struct TCPSocketAction {
  kube::IntOrString port;  // required
  std::string host;

  static const kube::StructTable kFields;
  bool operator==(const TCPSocketAction&) const = default;
};

// The type of Probe.grpc.
struct GRPCAction {
  std::int32_t port = 0;  // required
  std::optional<std::string> service;

  static const kube::StructTable kFields;
  bool operator==(const GRPCAction&) const = default;
};

// The type of Container.livenessProbe, Container.readinessProbe, Container.startupProbe,
// EphemeralContainer.livenessProbe and 2 others.
struct Probe {
  kube::Box<ExecAction> exec;
  kube::Box<HTTPGetAction> http_get;      // httpGet
  kube::Box<TCPSocketAction> tcp_socket;  // tcpSocket
  kube::Box<GRPCAction> grpc;
  std::int32_t initial_delay_seconds = 0;                        // initialDelaySeconds
  std::int32_t timeout_seconds = 0;                              // timeoutSeconds
  std::int32_t period_seconds = 0;                               // periodSeconds
  std::int32_t success_threshold = 0;                            // successThreshold
  std::int32_t failure_threshold = 0;                            // failureThreshold
  std::optional<std::int64_t> termination_grace_period_seconds;  // terminationGracePeriodSeconds

  static const kube::StructTable kFields;
  bool operator==(const Probe&) const = default;
};

// The type of LifecycleHandler.sleep.
struct SleepAction {
  std::int64_t seconds = 0;  // required

  static const kube::StructTable kFields;
  bool operator==(const SleepAction&) const = default;
};

// The type of Lifecycle.postStart and Lifecycle.preStop.
struct LifecycleHandler {
  kube::Box<ExecAction> exec;
  kube::Box<HTTPGetAction> http_get;      // httpGet
  kube::Box<TCPSocketAction> tcp_socket;  // tcpSocket
  kube::Box<SleepAction> sleep;

  static const kube::StructTable kFields;
  bool operator==(const LifecycleHandler&) const = default;
};

// The type of Container.lifecycle and EphemeralContainer.lifecycle.
struct Lifecycle {
  kube::Box<LifecycleHandler> post_start;  // postStart
  kube::Box<LifecycleHandler> pre_stop;    // preStop
  std::optional<std::string> stop_signal;  // stopSignal

  static const kube::StructTable kFields;
  bool operator==(const Lifecycle&) const = default;
};

// The type of SecurityContext.capabilities.
struct Capabilities {
  std::vector<std::string> add;   // applied as a whole
  std::vector<std::string> drop;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const Capabilities&) const = default;
};

// The type of PodSecurityContext.seLinuxOptions and SecurityContext.seLinuxOptions.
struct SELinuxOptions {
  std::string user;
  std::string role;
  std::string type;
  std::string level;

  static const kube::StructTable kFields;
  bool operator==(const SELinuxOptions&) const = default;
};

// The type of PodSecurityContext.windowsOptions and SecurityContext.windowsOptions.
struct WindowsSecurityContextOptions {
  std::optional<std::string> gmsa_credential_spec_name;  // gmsaCredentialSpecName
  std::optional<std::string> gmsa_credential_spec;       // gmsaCredentialSpec
  std::optional<std::string> run_as_user_name;           // runAsUserName
  std::optional<bool> host_process;                      // hostProcess

  static const kube::StructTable kFields;
  bool operator==(const WindowsSecurityContextOptions&) const = default;
};

// The type of PodSecurityContext.seccompProfile and SecurityContext.seccompProfile.
struct SeccompProfile {
  std::string type;                              // required
  std::optional<std::string> localhost_profile;  // localhostProfile

  static const kube::StructTable kFields;
  bool operator==(const SeccompProfile&) const = default;
};

// The type of PodSecurityContext.appArmorProfile and SecurityContext.appArmorProfile.
struct AppArmorProfile {
  std::string type;                              // required
  std::optional<std::string> localhost_profile;  // localhostProfile

  static const kube::StructTable kFields;
  bool operator==(const AppArmorProfile&) const = default;
};

// The type of Container.securityContext and EphemeralContainer.securityContext.
struct SecurityContext {
  kube::Box<Capabilities> capabilities;
  std::optional<bool> privileged;
  kube::Box<SELinuxOptions> se_linux_options;                // seLinuxOptions
  kube::Box<WindowsSecurityContextOptions> windows_options;  // windowsOptions
  std::optional<std::int64_t> run_as_user;                   // runAsUser
  std::optional<std::int64_t> run_as_group;                  // runAsGroup
  std::optional<bool> run_as_non_root;                       // runAsNonRoot
  std::optional<bool> read_only_root_filesystem;             // readOnlyRootFilesystem
  std::optional<bool> allow_privilege_escalation;            // allowPrivilegeEscalation
  std::optional<std::string> proc_mount;                     // procMount
  kube::Box<SeccompProfile> seccomp_profile;                 // seccompProfile
  kube::Box<AppArmorProfile> app_armor_profile;              // appArmorProfile

  static const kube::StructTable kFields;
  bool operator==(const SecurityContext&) const = default;
};

// The type of PodSpec.containers and PodSpec.initContainers.
struct Container {
  std::string name;  // required
  std::string image;
  std::vector<std::string> command;      // applied as a whole
  std::vector<std::string> args;         // applied as a whole
  std::string working_dir;               // workingDir
  kube::ListOf<ContainerPort> ports;     // one for each containerPort and protocol
  kube::ListOf<EnvFromSource> env_from;  // envFrom, applied as a whole
  kube::ListOf<EnvVar> env;              // one for each name
  ResourceRequirements resources;
  kube::ListOf<ContainerResizePolicy> resize_policy;        // resizePolicy, applied as a whole
  std::optional<std::string> restart_policy;                // restartPolicy
  kube::ListOf<ContainerRestartRule> restart_policy_rules;  // restartPolicyRules, applied as a whole
  kube::ListOf<VolumeMount> volume_mounts;                  // volumeMounts, one for each mountPath
  kube::ListOf<VolumeDevice> volume_devices;                // volumeDevices, one for each devicePath
  kube::Box<Probe> liveness_probe;                          // livenessProbe
  kube::Box<Probe> readiness_probe;                         // readinessProbe
  kube::Box<Probe> startup_probe;                           // startupProbe
  kube::Box<Lifecycle> lifecycle;
  std::string termination_message_path;         // terminationMessagePath
  std::string termination_message_policy;       // terminationMessagePolicy
  std::string image_pull_policy;                // imagePullPolicy
  kube::Box<SecurityContext> security_context;  // securityContext
  bool stdin = false;
  bool stdin_once = false;  // stdinOnce
  bool tty = false;

  static const kube::StructTable kFields;
  bool operator==(const Container&) const = default;
};

// The type of PodSpec.ephemeralContainers.
struct EphemeralContainer {
  std::string name;  // required
  std::string image;
  std::vector<std::string> command;      // applied as a whole
  std::vector<std::string> args;         // applied as a whole
  std::string working_dir;               // workingDir
  kube::ListOf<ContainerPort> ports;     // one for each containerPort and protocol
  kube::ListOf<EnvFromSource> env_from;  // envFrom, applied as a whole
  kube::ListOf<EnvVar> env;              // one for each name
  ResourceRequirements resources;
  kube::ListOf<ContainerResizePolicy> resize_policy;        // resizePolicy, applied as a whole
  std::optional<std::string> restart_policy;                // restartPolicy
  kube::ListOf<ContainerRestartRule> restart_policy_rules;  // restartPolicyRules, applied as a whole
  kube::ListOf<VolumeMount> volume_mounts;                  // volumeMounts, one for each mountPath
  kube::ListOf<VolumeDevice> volume_devices;                // volumeDevices, one for each devicePath
  kube::Box<Probe> liveness_probe;                          // livenessProbe
  kube::Box<Probe> readiness_probe;                         // readinessProbe
  kube::Box<Probe> startup_probe;                           // startupProbe
  kube::Box<Lifecycle> lifecycle;
  std::string termination_message_path;         // terminationMessagePath
  std::string termination_message_policy;       // terminationMessagePolicy
  std::string image_pull_policy;                // imagePullPolicy
  kube::Box<SecurityContext> security_context;  // securityContext
  bool stdin = false;
  bool stdin_once = false;  // stdinOnce
  bool tty = false;
  std::string target_container_name;  // targetContainerName

  static const kube::StructTable kFields;
  bool operator==(const EphemeralContainer&) const = default;
};

// The type of PodSecurityContext.sysctls.
struct Sysctl {
  std::string name;   // required
  std::string value;  // required

  static const kube::StructTable kFields;
  bool operator==(const Sysctl&) const = default;
};

// The type of PodSpec.securityContext.
struct PodSecurityContext {
  kube::Box<SELinuxOptions> se_linux_options;                // seLinuxOptions
  kube::Box<WindowsSecurityContextOptions> windows_options;  // windowsOptions
  std::optional<std::int64_t> run_as_user;                   // runAsUser
  std::optional<std::int64_t> run_as_group;                  // runAsGroup
  std::optional<bool> run_as_non_root;                       // runAsNonRoot
  std::vector<std::int64_t> supplemental_groups;             // supplementalGroups, applied as a whole
  std::optional<std::string> supplemental_groups_policy;     // supplementalGroupsPolicy
  std::optional<std::int64_t> fs_group;                      // fsGroup
  kube::ListOf<Sysctl> sysctls;                              // applied as a whole
  std::optional<std::string> fs_group_change_policy;         // fsGroupChangePolicy
  kube::Box<SeccompProfile> seccomp_profile;                 // seccompProfile
  kube::Box<AppArmorProfile> app_armor_profile;              // appArmorProfile
  std::optional<std::string> se_linux_change_policy;         // seLinuxChangePolicy

  static const kube::StructTable kFields;
  bool operator==(const PodSecurityContext&) const = default;
};

// The type of NodeSelectorTerm.matchExpressions and NodeSelectorTerm.matchFields.
struct NodeSelectorRequirement {
  std::string key;                  // required
  std::string operator_;            // operator, required
  std::vector<std::string> values;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NodeSelectorRequirement&) const = default;
};

// The type of NodeSelector.nodeSelectorTerms and PreferredSchedulingTerm.preference.
struct NodeSelectorTerm {
  kube::ListOf<NodeSelectorRequirement> match_expressions;  // matchExpressions, applied as a whole
  kube::ListOf<NodeSelectorRequirement> match_fields;       // matchFields, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NodeSelectorTerm&) const = default;
};

// The type of NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.
struct NodeSelector {
  kube::ListOf<NodeSelectorTerm> node_selector_terms;  // nodeSelectorTerms, required, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NodeSelector&) const = default;
};

// The type of NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.
struct PreferredSchedulingTerm {
  std::int32_t weight = 0;      // required
  NodeSelectorTerm preference;  // required

  static const kube::StructTable kFields;
  bool operator==(const PreferredSchedulingTerm&) const = default;
};

// The type of Affinity.nodeAffinity.
struct NodeAffinity {
  kube::Box<NodeSelector>
      required_during_scheduling_ignored_during_execution;  // requiredDuringSchedulingIgnoredDuringExecution
  kube::ListOf<PreferredSchedulingTerm>
      preferred_during_scheduling_ignored_during_execution;  // preferredDuringSchedulingIgnoredDuringExecution,
                                                             // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const NodeAffinity&) const = default;
};

// The type of PodAffinity.requiredDuringSchedulingIgnoredDuringExecution,
// PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution and WeightedPodAffinityTerm.podAffinityTerm.
struct PodAffinityTerm {
  kube::Box<meta::v1::LabelSelector> label_selector;      // labelSelector
  std::vector<std::string> namespaces;                    // applied as a whole
  std::string topology_key;                               // topologyKey, required
  kube::Box<meta::v1::LabelSelector> namespace_selector;  // namespaceSelector
  std::vector<std::string> match_label_keys;              // matchLabelKeys, applied as a whole
  std::vector<std::string> mismatch_label_keys;           // mismatchLabelKeys, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodAffinityTerm&) const = default;
};

// The type of PodAffinity.preferredDuringSchedulingIgnoredDuringExecution and
// PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.
struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;            // required
  PodAffinityTerm pod_affinity_term;  // podAffinityTerm, required

  static const kube::StructTable kFields;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

// The type of Affinity.podAffinity.
struct PodAffinity {
  kube::ListOf<PodAffinityTerm>
      required_during_scheduling_ignored_during_execution;  // requiredDuringSchedulingIgnoredDuringExecution,
                                                            // applied as a whole
  kube::ListOf<WeightedPodAffinityTerm>
      preferred_during_scheduling_ignored_during_execution;  // preferredDuringSchedulingIgnoredDuringExecution,
                                                             // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodAffinity&) const = default;
};

// The type of Affinity.podAntiAffinity.
struct PodAntiAffinity {
  kube::ListOf<PodAffinityTerm>
      required_during_scheduling_ignored_during_execution;  // requiredDuringSchedulingIgnoredDuringExecution,
                                                            // applied as a whole
  kube::ListOf<WeightedPodAffinityTerm>
      preferred_during_scheduling_ignored_during_execution;  // preferredDuringSchedulingIgnoredDuringExecution,
                                                             // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodAntiAffinity&) const = default;
};

// The type of PodSpec.affinity.
struct Affinity {
  kube::Box<NodeAffinity> node_affinity;         // nodeAffinity
  kube::Box<PodAffinity> pod_affinity;           // podAffinity
  kube::Box<PodAntiAffinity> pod_anti_affinity;  // podAntiAffinity

  static const kube::StructTable kFields;
  bool operator==(const Affinity&) const = default;
};

// The type of PodSpec.tolerations.
struct Toleration {
  std::string key;
  std::string operator_;  // operator
  std::string value;
  std::string effect;
  std::optional<std::int64_t> toleration_seconds;  // tolerationSeconds

  static const kube::StructTable kFields;
  bool operator==(const Toleration&) const = default;
};

// The type of PodSpec.hostAliases.
struct HostAlias {
  std::string ip;                      // required
  std::vector<std::string> hostnames;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const HostAlias&) const = default;
};

// The type of PodDNSConfig.options.
struct PodDNSConfigOption {
  std::string name;
  std::optional<std::string> value;

  static const kube::StructTable kFields;
  bool operator==(const PodDNSConfigOption&) const = default;
};

// The type of PodSpec.dnsConfig.
struct PodDNSConfig {
  std::vector<std::string> nameservers;      // applied as a whole
  std::vector<std::string> searches;         // applied as a whole
  kube::ListOf<PodDNSConfigOption> options;  // applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const PodDNSConfig&) const = default;
};

// The type of PodSpec.readinessGates.
struct PodReadinessGate {
  std::string condition_type;  // conditionType, required

  static const kube::StructTable kFields;
  bool operator==(const PodReadinessGate&) const = default;
};

// The type of PodSpec.topologySpreadConstraints.
struct TopologySpreadConstraint {
  std::int32_t max_skew = 0;                          // maxSkew, required
  std::string topology_key;                           // topologyKey, required
  std::string when_unsatisfiable;                     // whenUnsatisfiable, required
  kube::Box<meta::v1::LabelSelector> label_selector;  // labelSelector
  std::optional<std::int32_t> min_domains;            // minDomains
  std::optional<std::string> node_affinity_policy;    // nodeAffinityPolicy
  std::optional<std::string> node_taints_policy;      // nodeTaintsPolicy
  std::vector<std::string> match_label_keys;          // matchLabelKeys, applied as a whole

  static const kube::StructTable kFields;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

// The type of PodSpec.os.
struct PodOS {
  std::string name;  // required

  static const kube::StructTable kFields;
  bool operator==(const PodOS&) const = default;
};

// The type of PodSpec.schedulingGates.
struct PodSchedulingGate {
  std::string name;  // required

  static const kube::StructTable kFields;
  bool operator==(const PodSchedulingGate&) const = default;
};

// The type of PodSpec.resourceClaims.
struct PodResourceClaim {
  std::string name;                                         // required
  std::optional<std::string> resource_claim_name;           // resourceClaimName
  std::optional<std::string> resource_claim_template_name;  // resourceClaimTemplateName

  static const kube::StructTable kFields;
  bool operator==(const PodResourceClaim&) const = default;
};

// The type of PodSpec.schedulingGroup.
struct PodSchedulingGroup {
  std::optional<std::string> pod_group_name;  // podGroupName

  static const kube::StructTable kFields;
  bool operator==(const PodSchedulingGroup&) const = default;
};

// The type of Pod.spec and PodTemplateSpec.spec.
struct PodSpec {
  kube::ListOf<Volume> volumes;                                  // one for each name
  kube::ListOf<Container> init_containers;                       // initContainers, one for each name
  kube::ListOf<Container> containers;                            // required, one for each name
  kube::ListOf<EphemeralContainer> ephemeral_containers;         // ephemeralContainers, one for each name
  std::string restart_policy;                                    // restartPolicy
  std::optional<std::int64_t> termination_grace_period_seconds;  // terminationGracePeriodSeconds
  std::optional<std::int64_t> active_deadline_seconds;           // activeDeadlineSeconds
  std::string dns_policy;                                        // dnsPolicy
  std::map<std::string, std::string> node_selector;              // nodeSelector, applied as a whole
  std::string service_account_name;                              // serviceAccountName
  std::string service_account;                                   // serviceAccount
  std::optional<bool> automount_service_account_token;           // automountServiceAccountToken
  std::string node_name;                                         // nodeName
  bool host_network = false;                                     // hostNetwork
  bool host_pid = false;                                         // hostPID
  bool host_ipc = false;                                         // hostIPC
  std::optional<bool> share_process_namespace;                   // shareProcessNamespace
  kube::Box<PodSecurityContext> security_context;                // securityContext
  kube::ListOf<LocalObjectReference> image_pull_secrets;         // imagePullSecrets, one for each name
  std::string hostname;
  std::string subdomain;
  kube::Box<Affinity> affinity;
  std::string scheduler_name;            // schedulerName
  kube::ListOf<Toleration> tolerations;  // applied as a whole
  kube::ListOf<HostAlias> host_aliases;  // hostAliases, one for each ip
  std::string priority_class_name;       // priorityClassName
  std::optional<std::int32_t> priority;
  kube::Box<PodDNSConfig> dns_config;              // dnsConfig
  kube::ListOf<PodReadinessGate> readiness_gates;  // readinessGates, applied as a whole
  std::optional<std::string> runtime_class_name;   // runtimeClassName
  std::optional<bool> enable_service_links;        // enableServiceLinks
  std::optional<std::string> preemption_policy;    // preemptionPolicy
  std::map<std::string, kube::Quantity> overhead;
  kube::ListOf<TopologySpreadConstraint>
      topology_spread_constraints;  // topologySpreadConstraints, one for each topologyKey and whenUnsatisfiable
  std::optional<bool> set_hostname_as_fqdn;  // setHostnameAsFQDN
  kube::Box<PodOS> os;
  std::optional<bool> host_users;                    // hostUsers
  kube::ListOf<PodSchedulingGate> scheduling_gates;  // schedulingGates, one for each name
  kube::ListOf<PodResourceClaim> resource_claims;    // resourceClaims, one for each name
  kube::Box<ResourceRequirements> resources;
  std::optional<std::string> hostname_override;    // hostnameOverride
  kube::Box<PodSchedulingGroup> scheduling_group;  // schedulingGroup

  static const kube::StructTable kFields;
  bool operator==(const PodSpec&) const = default;
};

}  // namespace keelson::core::v1
