#include "keelson/api/core/v1/pod_spec.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kHostPathVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(HostPathVolumeSource, path, "path", kRequired),
    KEELSON_TABLE_FIELD(HostPathVolumeSource, type, "type", kOptional),
};
constinit const kube::StructTable HostPathVolumeSource::kFields(kHostPathVolumeSourceFields);

constexpr kube::StructTable::Field kEmptyDirVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(EmptyDirVolumeSource, medium, "medium", kOptional),
    KEELSON_TABLE_FIELD(EmptyDirVolumeSource, size_limit, "sizeLimit", kOptional),
};
constinit const kube::StructTable EmptyDirVolumeSource::kFields(kEmptyDirVolumeSourceFields);

constexpr kube::StructTable::Field kKeyToPathFields[] = {
    KEELSON_TABLE_FIELD(KeyToPath, key, "key", kRequired),
    KEELSON_TABLE_FIELD(KeyToPath, path, "path", kRequired),
    KEELSON_TABLE_FIELD(KeyToPath, mode, "mode", kOptional),
};
constinit const kube::StructTable KeyToPath::kFields(kKeyToPathFields);

constexpr kube::StructTable::Field kSecretVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(SecretVolumeSource, secret_name, "secretName", kOptional),
    KEELSON_TABLE_FIELD(SecretVolumeSource, items, "items", kOptional),
    KEELSON_TABLE_FIELD(SecretVolumeSource, default_mode, "defaultMode", kOptional),
    KEELSON_TABLE_FIELD(SecretVolumeSource, optional, "optional", kOptional),
};
constinit const kube::StructTable SecretVolumeSource::kFields(kSecretVolumeSourceFields);

constexpr kube::StructTable::Field kNFSVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(NFSVolumeSource, server, "server", kRequired),
    KEELSON_TABLE_FIELD(NFSVolumeSource, path, "path", kRequired),
    KEELSON_TABLE_FIELD(NFSVolumeSource, read_only, "readOnly", kOptional),
};
constinit const kube::StructTable NFSVolumeSource::kFields(kNFSVolumeSourceFields);

constexpr kube::StructTable::Field kISCSIVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, target_portal, "targetPortal", kRequired),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, iqn, "iqn", kRequired),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, lun, "lun", kRequired),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, iscsi_interface, "iscsiInterface", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, fs_type, "fsType", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, read_only, "readOnly", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, portals, "portals", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, chap_auth_discovery, "chapAuthDiscovery", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, chap_auth_session, "chapAuthSession", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, secret_ref, "secretRef", kOptional),
    KEELSON_TABLE_FIELD(ISCSIVolumeSource, initiator_name, "initiatorName", kOptional),
};
constinit const kube::StructTable ISCSIVolumeSource::kFields(kISCSIVolumeSourceFields);

constexpr kube::StructTable::Field kPersistentVolumeClaimVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaimVolumeSource, claim_name, "claimName", kRequired),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimVolumeSource, read_only, "readOnly", kOptional),
};
constinit const kube::StructTable PersistentVolumeClaimVolumeSource::kFields(kPersistentVolumeClaimVolumeSourceFields);

constexpr kube::StructTable::Field kObjectFieldSelectorFields[] = {
    KEELSON_TABLE_FIELD(ObjectFieldSelector, api_version, "apiVersion", kOptional),
    KEELSON_TABLE_FIELD(ObjectFieldSelector, field_path, "fieldPath", kRequired),
};
constinit const kube::StructTable ObjectFieldSelector::kFields(kObjectFieldSelectorFields);

constexpr kube::StructTable::Field kResourceFieldSelectorFields[] = {
    KEELSON_TABLE_FIELD(ResourceFieldSelector, container_name, "containerName", kOptional),
    KEELSON_TABLE_FIELD(ResourceFieldSelector, resource, "resource", kRequired),
    KEELSON_TABLE_FIELD(ResourceFieldSelector, divisor, "divisor", kOptional),
};
constinit const kube::StructTable ResourceFieldSelector::kFields(kResourceFieldSelectorFields);

constexpr kube::StructTable::Field kDownwardAPIVolumeFileFields[] = {
    KEELSON_TABLE_FIELD(DownwardAPIVolumeFile, path, "path", kRequired),
    KEELSON_TABLE_FIELD(DownwardAPIVolumeFile, field_ref, "fieldRef", kOptional),
    KEELSON_TABLE_FIELD(DownwardAPIVolumeFile, resource_field_ref, "resourceFieldRef", kOptional),
    KEELSON_TABLE_FIELD(DownwardAPIVolumeFile, mode, "mode", kOptional),
};
constinit const kube::StructTable DownwardAPIVolumeFile::kFields(kDownwardAPIVolumeFileFields);

constexpr kube::StructTable::Field kDownwardAPIVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(DownwardAPIVolumeSource, items, "items", kOptional),
    KEELSON_TABLE_FIELD(DownwardAPIVolumeSource, default_mode, "defaultMode", kOptional),
};
constinit const kube::StructTable DownwardAPIVolumeSource::kFields(kDownwardAPIVolumeSourceFields);

constexpr kube::StructTable::Field kFCVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(FCVolumeSource, target_wwns, "targetWWNs", kOptional),
    KEELSON_TABLE_FIELD(FCVolumeSource, lun, "lun", kOptional),
    KEELSON_TABLE_FIELD(FCVolumeSource, fs_type, "fsType", kOptional),
    KEELSON_TABLE_FIELD(FCVolumeSource, read_only, "readOnly", kOptional),
    KEELSON_TABLE_FIELD(FCVolumeSource, wwids, "wwids", kOptional),
};
constinit const kube::StructTable FCVolumeSource::kFields(kFCVolumeSourceFields);

constexpr kube::StructTable::Field kConfigMapVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(ConfigMapVolumeSource, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapVolumeSource, items, "items", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapVolumeSource, default_mode, "defaultMode", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapVolumeSource, optional, "optional", kOptional),
};
constinit const kube::StructTable ConfigMapVolumeSource::kFields(kConfigMapVolumeSourceFields);

constexpr kube::StructTable::Field kSecretProjectionFields[] = {
    KEELSON_TABLE_FIELD(SecretProjection, name, "name", kOptional),
    KEELSON_TABLE_FIELD(SecretProjection, items, "items", kOptional),
    KEELSON_TABLE_FIELD(SecretProjection, optional, "optional", kOptional),
};
constinit const kube::StructTable SecretProjection::kFields(kSecretProjectionFields);

constexpr kube::StructTable::Field kDownwardAPIProjectionFields[] = {
    KEELSON_TABLE_FIELD(DownwardAPIProjection, items, "items", kOptional),
};
constinit const kube::StructTable DownwardAPIProjection::kFields(kDownwardAPIProjectionFields);

constexpr kube::StructTable::Field kConfigMapProjectionFields[] = {
    KEELSON_TABLE_FIELD(ConfigMapProjection, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapProjection, items, "items", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapProjection, optional, "optional", kOptional),
};
constinit const kube::StructTable ConfigMapProjection::kFields(kConfigMapProjectionFields);

constexpr kube::StructTable::Field kServiceAccountTokenProjectionFields[] = {
    KEELSON_TABLE_FIELD(ServiceAccountTokenProjection, audience, "audience", kOptional),
    KEELSON_TABLE_FIELD(ServiceAccountTokenProjection, expiration_seconds, "expirationSeconds", kOptional),
    KEELSON_TABLE_FIELD(ServiceAccountTokenProjection, path, "path", kRequired),
};
constinit const kube::StructTable ServiceAccountTokenProjection::kFields(kServiceAccountTokenProjectionFields);

constexpr kube::StructTable::Field kClusterTrustBundleProjectionFields[] = {
    KEELSON_TABLE_FIELD(ClusterTrustBundleProjection, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ClusterTrustBundleProjection, signer_name, "signerName", kOptional),
    KEELSON_TABLE_FIELD(ClusterTrustBundleProjection, label_selector, "labelSelector", kOptional),
    KEELSON_TABLE_FIELD(ClusterTrustBundleProjection, optional, "optional", kOptional),
    KEELSON_TABLE_FIELD(ClusterTrustBundleProjection, path, "path", kRequired),
};
constinit const kube::StructTable ClusterTrustBundleProjection::kFields(kClusterTrustBundleProjectionFields);

constexpr kube::StructTable::Field kPodCertificateProjectionFields[] = {
    KEELSON_TABLE_FIELD(PodCertificateProjection, signer_name, "signerName", kRequired),
    KEELSON_TABLE_FIELD(PodCertificateProjection, key_type, "keyType", kRequired),
    KEELSON_TABLE_FIELD(PodCertificateProjection, max_expiration_seconds, "maxExpirationSeconds", kOptional),
    KEELSON_TABLE_FIELD(PodCertificateProjection, credential_bundle_path, "credentialBundlePath", kOptional),
    KEELSON_TABLE_FIELD(PodCertificateProjection, key_path, "keyPath", kOptional),
    KEELSON_TABLE_FIELD(PodCertificateProjection, certificate_chain_path, "certificateChainPath", kOptional),
    KEELSON_TABLE_FIELD(PodCertificateProjection, user_annotations, "userAnnotations", kOptional),
};
constinit const kube::StructTable PodCertificateProjection::kFields(kPodCertificateProjectionFields);

constexpr kube::StructTable::Field kVolumeProjectionFields[] = {
    KEELSON_TABLE_FIELD(VolumeProjection, secret, "secret", kOptional),
    KEELSON_TABLE_FIELD(VolumeProjection, downward_api, "downwardAPI", kOptional),
    KEELSON_TABLE_FIELD(VolumeProjection, config_map, "configMap", kOptional),
    KEELSON_TABLE_FIELD(VolumeProjection, service_account_token, "serviceAccountToken", kOptional),
    KEELSON_TABLE_FIELD(VolumeProjection, cluster_trust_bundle, "clusterTrustBundle", kOptional),
    KEELSON_TABLE_FIELD(VolumeProjection, pod_certificate, "podCertificate", kOptional),
};
constinit const kube::StructTable VolumeProjection::kFields(kVolumeProjectionFields);

constexpr kube::StructTable::Field kProjectedVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(ProjectedVolumeSource, sources, "sources", kOptional),
    KEELSON_TABLE_FIELD(ProjectedVolumeSource, default_mode, "defaultMode", kOptional),
};
constinit const kube::StructTable ProjectedVolumeSource::kFields(kProjectedVolumeSourceFields);

constexpr kube::StructTable::Field kCSIVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(CSIVolumeSource, driver, "driver", kRequired),
    KEELSON_TABLE_FIELD(CSIVolumeSource, read_only, "readOnly", kOptional),
    KEELSON_TABLE_FIELD(CSIVolumeSource, fs_type, "fsType", kOptional),
    KEELSON_TABLE_FIELD(CSIVolumeSource, volume_attributes, "volumeAttributes", kOptional),
    KEELSON_TABLE_FIELD(CSIVolumeSource, node_publish_secret_ref, "nodePublishSecretRef", kOptional),
};
constinit const kube::StructTable CSIVolumeSource::kFields(kCSIVolumeSourceFields);

constexpr kube::StructTable::Field kPersistentVolumeClaimTemplateFields[] = {
    KEELSON_TABLE_FIELD(PersistentVolumeClaimTemplate, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(PersistentVolumeClaimTemplate, spec, "spec", kRequired),
};
constinit const kube::StructTable PersistentVolumeClaimTemplate::kFields(kPersistentVolumeClaimTemplateFields);

constexpr kube::StructTable::Field kEphemeralVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(EphemeralVolumeSource, volume_claim_template, "volumeClaimTemplate", kOptional),
};
constinit const kube::StructTable EphemeralVolumeSource::kFields(kEphemeralVolumeSourceFields);

constexpr kube::StructTable::Field kImageVolumeSourceFields[] = {
    KEELSON_TABLE_FIELD(ImageVolumeSource, reference, "reference", kOptional),
    KEELSON_TABLE_FIELD(ImageVolumeSource, pull_policy, "pullPolicy", kOptional),
};
constinit const kube::StructTable ImageVolumeSource::kFields(kImageVolumeSourceFields);

constexpr kube::StructTable::Field kVolumeFields[] = {
    KEELSON_TABLE_FIELD(Volume, name, "name", kRequired),
    KEELSON_TABLE_FIELD(Volume, host_path, "hostPath", kOptional),
    KEELSON_TABLE_FIELD(Volume, empty_dir, "emptyDir", kOptional),
    KEELSON_TABLE_FIELD(Volume, secret, "secret", kOptional),
    KEELSON_TABLE_FIELD(Volume, nfs, "nfs", kOptional),
    KEELSON_TABLE_FIELD(Volume, iscsi, "iscsi", kOptional),
    KEELSON_TABLE_FIELD(Volume, persistent_volume_claim, "persistentVolumeClaim", kOptional),
    KEELSON_TABLE_FIELD(Volume, downward_api, "downwardAPI", kOptional),
    KEELSON_TABLE_FIELD(Volume, fc, "fc", kOptional),
    KEELSON_TABLE_FIELD(Volume, config_map, "configMap", kOptional),
    KEELSON_TABLE_FIELD(Volume, projected, "projected", kOptional),
    KEELSON_TABLE_FIELD(Volume, csi, "csi", kOptional),
    KEELSON_TABLE_FIELD(Volume, ephemeral, "ephemeral", kOptional),
    KEELSON_TABLE_FIELD(Volume, image, "image", kOptional),
};
constinit const kube::StructTable Volume::kFields(kVolumeFields);

constexpr kube::StructTable::Field kContainerPortFields[] = {
    KEELSON_TABLE_FIELD(ContainerPort, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ContainerPort, host_port, "hostPort", kOptional),
    KEELSON_TABLE_FIELD(ContainerPort, container_port, "containerPort", kRequired),
    KEELSON_TABLE_FIELD(ContainerPort, protocol, "protocol", kOptional),
    KEELSON_TABLE_FIELD(ContainerPort, host_ip, "hostIP", kOptional),
};
constinit const kube::StructTable ContainerPort::kFields(kContainerPortFields);

constexpr kube::StructTable::Field kConfigMapEnvSourceFields[] = {
    KEELSON_TABLE_FIELD(ConfigMapEnvSource, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapEnvSource, optional, "optional", kOptional),
};
constinit const kube::StructTable ConfigMapEnvSource::kFields(kConfigMapEnvSourceFields);

constexpr kube::StructTable::Field kSecretEnvSourceFields[] = {
    KEELSON_TABLE_FIELD(SecretEnvSource, name, "name", kOptional),
    KEELSON_TABLE_FIELD(SecretEnvSource, optional, "optional", kOptional),
};
constinit const kube::StructTable SecretEnvSource::kFields(kSecretEnvSourceFields);

constexpr kube::StructTable::Field kEnvFromSourceFields[] = {
    KEELSON_TABLE_FIELD(EnvFromSource, prefix, "prefix", kOptional),
    KEELSON_TABLE_FIELD(EnvFromSource, config_map_ref, "configMapRef", kOptional),
    KEELSON_TABLE_FIELD(EnvFromSource, secret_ref, "secretRef", kOptional),
};
constinit const kube::StructTable EnvFromSource::kFields(kEnvFromSourceFields);

constexpr kube::StructTable::Field kConfigMapKeySelectorFields[] = {
    KEELSON_TABLE_FIELD(ConfigMapKeySelector, name, "name", kOptional),
    KEELSON_TABLE_FIELD(ConfigMapKeySelector, key, "key", kRequired),
    KEELSON_TABLE_FIELD(ConfigMapKeySelector, optional, "optional", kOptional),
};
constinit const kube::StructTable ConfigMapKeySelector::kFields(kConfigMapKeySelectorFields);

constexpr kube::StructTable::Field kSecretKeySelectorFields[] = {
    KEELSON_TABLE_FIELD(SecretKeySelector, name, "name", kOptional),
    KEELSON_TABLE_FIELD(SecretKeySelector, key, "key", kRequired),
    KEELSON_TABLE_FIELD(SecretKeySelector, optional, "optional", kOptional),
};
constinit const kube::StructTable SecretKeySelector::kFields(kSecretKeySelectorFields);

constexpr kube::StructTable::Field kFileKeySelectorFields[] = {
    KEELSON_TABLE_FIELD(FileKeySelector, volume_name, "volumeName", kRequired),
    KEELSON_TABLE_FIELD(FileKeySelector, path, "path", kRequired),
    KEELSON_TABLE_FIELD(FileKeySelector, key, "key", kRequired),
    KEELSON_TABLE_FIELD(FileKeySelector, optional, "optional", kOptional),
};
constinit const kube::StructTable FileKeySelector::kFields(kFileKeySelectorFields);

constexpr kube::StructTable::Field kEnvVarSourceFields[] = {
    KEELSON_TABLE_FIELD(EnvVarSource, field_ref, "fieldRef", kOptional),
    KEELSON_TABLE_FIELD(EnvVarSource, resource_field_ref, "resourceFieldRef", kOptional),
    KEELSON_TABLE_FIELD(EnvVarSource, config_map_key_ref, "configMapKeyRef", kOptional),
    KEELSON_TABLE_FIELD(EnvVarSource, secret_key_ref, "secretKeyRef", kOptional),
    KEELSON_TABLE_FIELD(EnvVarSource, file_key_ref, "fileKeyRef", kOptional),
};
constinit const kube::StructTable EnvVarSource::kFields(kEnvVarSourceFields);

constexpr kube::StructTable::Field kEnvVarFields[] = {
    KEELSON_TABLE_FIELD(EnvVar, name, "name", kRequired),
    KEELSON_TABLE_FIELD(EnvVar, value, "value", kOptional),
    KEELSON_TABLE_FIELD(EnvVar, value_from, "valueFrom", kOptional),
};
constinit const kube::StructTable EnvVar::kFields(kEnvVarFields);

constexpr kube::StructTable::Field kContainerResizePolicyFields[] = {
    KEELSON_TABLE_FIELD(ContainerResizePolicy, resource_name, "resourceName", kRequired),
    KEELSON_TABLE_FIELD(ContainerResizePolicy, restart_policy, "restartPolicy", kRequired),
};
constinit const kube::StructTable ContainerResizePolicy::kFields(kContainerResizePolicyFields);

constexpr kube::StructTable::Field kContainerRestartRuleOnExitCodesFields[] = {
    KEELSON_TABLE_FIELD(ContainerRestartRuleOnExitCodes, operator_, "operator", kRequired),
    KEELSON_TABLE_FIELD(ContainerRestartRuleOnExitCodes, values, "values", kOptional),
};
constinit const kube::StructTable ContainerRestartRuleOnExitCodes::kFields(kContainerRestartRuleOnExitCodesFields);

constexpr kube::StructTable::Field kContainerRestartRuleFields[] = {
    KEELSON_TABLE_FIELD(ContainerRestartRule, action, "action", kRequired),
    KEELSON_TABLE_FIELD(ContainerRestartRule, exit_codes, "exitCodes", kOptional),
};
constinit const kube::StructTable ContainerRestartRule::kFields(kContainerRestartRuleFields);

constexpr kube::StructTable::Field kVolumeMountFields[] = {
    KEELSON_TABLE_FIELD(VolumeMount, name, "name", kRequired),
    KEELSON_TABLE_FIELD(VolumeMount, read_only, "readOnly", kOptional),
    KEELSON_TABLE_FIELD(VolumeMount, recursive_read_only, "recursiveReadOnly", kOptional),
    KEELSON_TABLE_FIELD(VolumeMount, mount_path, "mountPath", kRequired),
    KEELSON_TABLE_FIELD(VolumeMount, sub_path, "subPath", kOptional),
    KEELSON_TABLE_FIELD(VolumeMount, mount_propagation, "mountPropagation", kOptional),
    KEELSON_TABLE_FIELD(VolumeMount, sub_path_expr, "subPathExpr", kOptional),
};
constinit const kube::StructTable VolumeMount::kFields(kVolumeMountFields);

constexpr kube::StructTable::Field kVolumeDeviceFields[] = {
    KEELSON_TABLE_FIELD(VolumeDevice, name, "name", kRequired),
    KEELSON_TABLE_FIELD(VolumeDevice, device_path, "devicePath", kRequired),
};
constinit const kube::StructTable VolumeDevice::kFields(kVolumeDeviceFields);

constexpr kube::StructTable::Field kExecActionFields[] = {
    KEELSON_TABLE_FIELD(ExecAction, command, "command", kOptional),
};
constinit const kube::StructTable ExecAction::kFields(kExecActionFields);

constexpr kube::StructTable::Field kHTTPHeaderFields[] = {
    KEELSON_TABLE_FIELD(HTTPHeader, name, "name", kRequired),
    KEELSON_TABLE_FIELD(HTTPHeader, value, "value", kRequired),
};
constinit const kube::StructTable HTTPHeader::kFields(kHTTPHeaderFields);

constexpr kube::StructTable::Field kHTTPGetActionFields[] = {
    KEELSON_TABLE_FIELD(HTTPGetAction, path, "path", kOptional),
    KEELSON_TABLE_FIELD(HTTPGetAction, port, "port", kRequired),
    KEELSON_TABLE_FIELD(HTTPGetAction, host, "host", kOptional),
    KEELSON_TABLE_FIELD(HTTPGetAction, scheme, "scheme", kOptional),
    KEELSON_TABLE_FIELD(HTTPGetAction, http_headers, "httpHeaders", kOptional),
};
constinit const kube::StructTable HTTPGetAction::kFields(kHTTPGetActionFields);

constexpr kube::StructTable::Field kTCPSocketActionFields[] = {
    KEELSON_TABLE_FIELD(TCPSocketAction, port, "port", kRequired),
    KEELSON_TABLE_FIELD(TCPSocketAction, host, "host", kOptional),
};
constinit const kube::StructTable TCPSocketAction::kFields(kTCPSocketActionFields);

constexpr kube::StructTable::Field kGRPCActionFields[] = {
    KEELSON_TABLE_FIELD(GRPCAction, port, "port", kRequired),
    KEELSON_TABLE_FIELD(GRPCAction, service, "service", kOptional),
};
constinit const kube::StructTable GRPCAction::kFields(kGRPCActionFields);

constexpr kube::StructTable::Field kProbeFields[] = {
    KEELSON_TABLE_FIELD(Probe, exec, "exec", kOptional),
    KEELSON_TABLE_FIELD(Probe, http_get, "httpGet", kOptional),
    KEELSON_TABLE_FIELD(Probe, tcp_socket, "tcpSocket", kOptional),
    KEELSON_TABLE_FIELD(Probe, grpc, "grpc", kOptional),
    KEELSON_TABLE_FIELD(Probe, initial_delay_seconds, "initialDelaySeconds", kOptional),
    KEELSON_TABLE_FIELD(Probe, timeout_seconds, "timeoutSeconds", kOptional),
    KEELSON_TABLE_FIELD(Probe, period_seconds, "periodSeconds", kOptional),
    KEELSON_TABLE_FIELD(Probe, success_threshold, "successThreshold", kOptional),
    KEELSON_TABLE_FIELD(Probe, failure_threshold, "failureThreshold", kOptional),
    KEELSON_TABLE_FIELD(Probe, termination_grace_period_seconds, "terminationGracePeriodSeconds", kOptional),
};
constinit const kube::StructTable Probe::kFields(kProbeFields);

constexpr kube::StructTable::Field kSleepActionFields[] = {
    KEELSON_TABLE_FIELD(SleepAction, seconds, "seconds", kRequired),
};
constinit const kube::StructTable SleepAction::kFields(kSleepActionFields);

constexpr kube::StructTable::Field kLifecycleHandlerFields[] = {
    KEELSON_TABLE_FIELD(LifecycleHandler, exec, "exec", kOptional),
    KEELSON_TABLE_FIELD(LifecycleHandler, http_get, "httpGet", kOptional),
    KEELSON_TABLE_FIELD(LifecycleHandler, tcp_socket, "tcpSocket", kOptional),
    KEELSON_TABLE_FIELD(LifecycleHandler, sleep, "sleep", kOptional),
};
constinit const kube::StructTable LifecycleHandler::kFields(kLifecycleHandlerFields);

constexpr kube::StructTable::Field kLifecycleFields[] = {
    KEELSON_TABLE_FIELD(Lifecycle, post_start, "postStart", kOptional),
    KEELSON_TABLE_FIELD(Lifecycle, pre_stop, "preStop", kOptional),
    KEELSON_TABLE_FIELD(Lifecycle, stop_signal, "stopSignal", kOptional),
};
constinit const kube::StructTable Lifecycle::kFields(kLifecycleFields);

constexpr kube::StructTable::Field kCapabilitiesFields[] = {
    KEELSON_TABLE_FIELD(Capabilities, add, "add", kOptional),
    KEELSON_TABLE_FIELD(Capabilities, drop, "drop", kOptional),
};
constinit const kube::StructTable Capabilities::kFields(kCapabilitiesFields);

constexpr kube::StructTable::Field kSELinuxOptionsFields[] = {
    KEELSON_TABLE_FIELD(SELinuxOptions, user, "user", kOptional),
    KEELSON_TABLE_FIELD(SELinuxOptions, role, "role", kOptional),
    KEELSON_TABLE_FIELD(SELinuxOptions, type, "type", kOptional),
    KEELSON_TABLE_FIELD(SELinuxOptions, level, "level", kOptional),
};
constinit const kube::StructTable SELinuxOptions::kFields(kSELinuxOptionsFields);

constexpr kube::StructTable::Field kWindowsSecurityContextOptionsFields[] = {
    KEELSON_TABLE_FIELD(WindowsSecurityContextOptions, gmsa_credential_spec_name, "gmsaCredentialSpecName", kOptional),
    KEELSON_TABLE_FIELD(WindowsSecurityContextOptions, gmsa_credential_spec, "gmsaCredentialSpec", kOptional),
    KEELSON_TABLE_FIELD(WindowsSecurityContextOptions, run_as_user_name, "runAsUserName", kOptional),
    KEELSON_TABLE_FIELD(WindowsSecurityContextOptions, host_process, "hostProcess", kOptional),
};
constinit const kube::StructTable WindowsSecurityContextOptions::kFields(kWindowsSecurityContextOptionsFields);

constexpr kube::StructTable::Field kSeccompProfileFields[] = {
    KEELSON_TABLE_FIELD(SeccompProfile, type, "type", kRequired),
    KEELSON_TABLE_FIELD(SeccompProfile, localhost_profile, "localhostProfile", kOptional),
};
constinit const kube::StructTable SeccompProfile::kFields(kSeccompProfileFields);

constexpr kube::StructTable::Field kAppArmorProfileFields[] = {
    KEELSON_TABLE_FIELD(AppArmorProfile, type, "type", kRequired),
    KEELSON_TABLE_FIELD(AppArmorProfile, localhost_profile, "localhostProfile", kOptional),
};
constinit const kube::StructTable AppArmorProfile::kFields(kAppArmorProfileFields);

constexpr kube::StructTable::Field kSecurityContextFields[] = {
    KEELSON_TABLE_FIELD(SecurityContext, capabilities, "capabilities", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, privileged, "privileged", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, se_linux_options, "seLinuxOptions", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, windows_options, "windowsOptions", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, run_as_user, "runAsUser", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, run_as_group, "runAsGroup", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, run_as_non_root, "runAsNonRoot", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, read_only_root_filesystem, "readOnlyRootFilesystem", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, allow_privilege_escalation, "allowPrivilegeEscalation", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, proc_mount, "procMount", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, seccomp_profile, "seccompProfile", kOptional),
    KEELSON_TABLE_FIELD(SecurityContext, app_armor_profile, "appArmorProfile", kOptional),
};
constinit const kube::StructTable SecurityContext::kFields(kSecurityContextFields);

constexpr kube::StructTable::Field kContainerFields[] = {
    KEELSON_TABLE_FIELD(Container, name, "name", kRequired),
    KEELSON_TABLE_FIELD(Container, image, "image", kOptional),
    KEELSON_TABLE_FIELD(Container, command, "command", kOptional),
    KEELSON_TABLE_FIELD(Container, args, "args", kOptional),
    KEELSON_TABLE_FIELD(Container, working_dir, "workingDir", kOptional),
    KEELSON_TABLE_FIELD(Container, ports, "ports", kOptional),
    KEELSON_TABLE_FIELD(Container, env_from, "envFrom", kOptional),
    KEELSON_TABLE_FIELD(Container, env, "env", kOptional),
    KEELSON_TABLE_FIELD(Container, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(Container, resize_policy, "resizePolicy", kOptional),
    KEELSON_TABLE_FIELD(Container, restart_policy, "restartPolicy", kOptional),
    KEELSON_TABLE_FIELD(Container, restart_policy_rules, "restartPolicyRules", kOptional),
    KEELSON_TABLE_FIELD(Container, volume_mounts, "volumeMounts", kOptional),
    KEELSON_TABLE_FIELD(Container, volume_devices, "volumeDevices", kOptional),
    KEELSON_TABLE_FIELD(Container, liveness_probe, "livenessProbe", kOptional),
    KEELSON_TABLE_FIELD(Container, readiness_probe, "readinessProbe", kOptional),
    KEELSON_TABLE_FIELD(Container, startup_probe, "startupProbe", kOptional),
    KEELSON_TABLE_FIELD(Container, lifecycle, "lifecycle", kOptional),
    KEELSON_TABLE_FIELD(Container, termination_message_path, "terminationMessagePath", kOptional),
    KEELSON_TABLE_FIELD(Container, termination_message_policy, "terminationMessagePolicy", kOptional),
    KEELSON_TABLE_FIELD(Container, image_pull_policy, "imagePullPolicy", kOptional),
    KEELSON_TABLE_FIELD(Container, security_context, "securityContext", kOptional),
    KEELSON_TABLE_FIELD(Container, stdin, "stdin", kOptional),
    KEELSON_TABLE_FIELD(Container, stdin_once, "stdinOnce", kOptional),
    KEELSON_TABLE_FIELD(Container, tty, "tty", kOptional),
};
constinit const kube::StructTable Container::kFields(kContainerFields);

constexpr kube::StructTable::Field kEphemeralContainerFields[] = {
    KEELSON_TABLE_FIELD(EphemeralContainer, name, "name", kRequired),
    KEELSON_TABLE_FIELD(EphemeralContainer, image, "image", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, command, "command", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, args, "args", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, working_dir, "workingDir", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, ports, "ports", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, env_from, "envFrom", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, env, "env", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, resize_policy, "resizePolicy", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, restart_policy, "restartPolicy", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, restart_policy_rules, "restartPolicyRules", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, volume_mounts, "volumeMounts", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, volume_devices, "volumeDevices", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, liveness_probe, "livenessProbe", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, readiness_probe, "readinessProbe", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, startup_probe, "startupProbe", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, lifecycle, "lifecycle", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, termination_message_path, "terminationMessagePath", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, termination_message_policy, "terminationMessagePolicy", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, image_pull_policy, "imagePullPolicy", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, security_context, "securityContext", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, stdin, "stdin", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, stdin_once, "stdinOnce", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, tty, "tty", kOptional),
    KEELSON_TABLE_FIELD(EphemeralContainer, target_container_name, "targetContainerName", kOptional),
};
constinit const kube::StructTable EphemeralContainer::kFields(kEphemeralContainerFields);

constexpr kube::StructTable::Field kSysctlFields[] = {
    KEELSON_TABLE_FIELD(Sysctl, name, "name", kRequired),
    KEELSON_TABLE_FIELD(Sysctl, value, "value", kRequired),
};
constinit const kube::StructTable Sysctl::kFields(kSysctlFields);

constexpr kube::StructTable::Field kPodSecurityContextFields[] = {
    KEELSON_TABLE_FIELD(PodSecurityContext, se_linux_options, "seLinuxOptions", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, windows_options, "windowsOptions", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, run_as_user, "runAsUser", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, run_as_group, "runAsGroup", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, run_as_non_root, "runAsNonRoot", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, supplemental_groups, "supplementalGroups", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, supplemental_groups_policy, "supplementalGroupsPolicy", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, fs_group, "fsGroup", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, sysctls, "sysctls", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, fs_group_change_policy, "fsGroupChangePolicy", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, seccomp_profile, "seccompProfile", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, app_armor_profile, "appArmorProfile", kOptional),
    KEELSON_TABLE_FIELD(PodSecurityContext, se_linux_change_policy, "seLinuxChangePolicy", kOptional),
};
constinit const kube::StructTable PodSecurityContext::kFields(kPodSecurityContextFields);

constexpr kube::StructTable::Field kNodeSelectorRequirementFields[] = {
    KEELSON_TABLE_FIELD(NodeSelectorRequirement, key, "key", kRequired),
    KEELSON_TABLE_FIELD(NodeSelectorRequirement, operator_, "operator", kRequired),
    KEELSON_TABLE_FIELD(NodeSelectorRequirement, values, "values", kOptional),
};
constinit const kube::StructTable NodeSelectorRequirement::kFields(kNodeSelectorRequirementFields);

constexpr kube::StructTable::Field kNodeSelectorTermFields[] = {
    KEELSON_TABLE_FIELD(NodeSelectorTerm, match_expressions, "matchExpressions", kOptional),
    KEELSON_TABLE_FIELD(NodeSelectorTerm, match_fields, "matchFields", kOptional),
};
constinit const kube::StructTable NodeSelectorTerm::kFields(kNodeSelectorTermFields);

constexpr kube::StructTable::Field kNodeSelectorFields[] = {
    KEELSON_TABLE_FIELD(NodeSelector, node_selector_terms, "nodeSelectorTerms", kRequired),
};
constinit const kube::StructTable NodeSelector::kFields(kNodeSelectorFields);

constexpr kube::StructTable::Field kPreferredSchedulingTermFields[] = {
    KEELSON_TABLE_FIELD(PreferredSchedulingTerm, weight, "weight", kRequired),
    KEELSON_TABLE_FIELD(PreferredSchedulingTerm, preference, "preference", kRequired),
};
constinit const kube::StructTable PreferredSchedulingTerm::kFields(kPreferredSchedulingTermFields);

constexpr kube::StructTable::Field kNodeAffinityFields[] = {
    KEELSON_TABLE_FIELD(NodeAffinity, required_during_scheduling_ignored_during_execution, "requiredDuringSchedulingIgnoredDuringExecution", kOptional),
    KEELSON_TABLE_FIELD(NodeAffinity, preferred_during_scheduling_ignored_during_execution, "preferredDuringSchedulingIgnoredDuringExecution", kOptional),
};
constinit const kube::StructTable NodeAffinity::kFields(kNodeAffinityFields);

constexpr kube::StructTable::Field kPodAffinityTermFields[] = {
    KEELSON_TABLE_FIELD(PodAffinityTerm, label_selector, "labelSelector", kOptional),
    KEELSON_TABLE_FIELD(PodAffinityTerm, namespaces, "namespaces", kOptional),
    KEELSON_TABLE_FIELD(PodAffinityTerm, topology_key, "topologyKey", kRequired),
    KEELSON_TABLE_FIELD(PodAffinityTerm, namespace_selector, "namespaceSelector", kOptional),
    KEELSON_TABLE_FIELD(PodAffinityTerm, match_label_keys, "matchLabelKeys", kOptional),
    KEELSON_TABLE_FIELD(PodAffinityTerm, mismatch_label_keys, "mismatchLabelKeys", kOptional),
};
constinit const kube::StructTable PodAffinityTerm::kFields(kPodAffinityTermFields);

constexpr kube::StructTable::Field kWeightedPodAffinityTermFields[] = {
    KEELSON_TABLE_FIELD(WeightedPodAffinityTerm, weight, "weight", kRequired),
    KEELSON_TABLE_FIELD(WeightedPodAffinityTerm, pod_affinity_term, "podAffinityTerm", kRequired),
};
constinit const kube::StructTable WeightedPodAffinityTerm::kFields(kWeightedPodAffinityTermFields);

constexpr kube::StructTable::Field kPodAffinityFields[] = {
    KEELSON_TABLE_FIELD(PodAffinity, required_during_scheduling_ignored_during_execution, "requiredDuringSchedulingIgnoredDuringExecution", kOptional),
    KEELSON_TABLE_FIELD(PodAffinity, preferred_during_scheduling_ignored_during_execution, "preferredDuringSchedulingIgnoredDuringExecution", kOptional),
};
constinit const kube::StructTable PodAffinity::kFields(kPodAffinityFields);

constexpr kube::StructTable::Field kPodAntiAffinityFields[] = {
    KEELSON_TABLE_FIELD(PodAntiAffinity, required_during_scheduling_ignored_during_execution, "requiredDuringSchedulingIgnoredDuringExecution", kOptional),
    KEELSON_TABLE_FIELD(PodAntiAffinity, preferred_during_scheduling_ignored_during_execution, "preferredDuringSchedulingIgnoredDuringExecution", kOptional),
};
constinit const kube::StructTable PodAntiAffinity::kFields(kPodAntiAffinityFields);

constexpr kube::StructTable::Field kAffinityFields[] = {
    KEELSON_TABLE_FIELD(Affinity, node_affinity, "nodeAffinity", kOptional),
    KEELSON_TABLE_FIELD(Affinity, pod_affinity, "podAffinity", kOptional),
    KEELSON_TABLE_FIELD(Affinity, pod_anti_affinity, "podAntiAffinity", kOptional),
};
constinit const kube::StructTable Affinity::kFields(kAffinityFields);

constexpr kube::StructTable::Field kTolerationFields[] = {
    KEELSON_TABLE_FIELD(Toleration, key, "key", kOptional),
    KEELSON_TABLE_FIELD(Toleration, operator_, "operator", kOptional),
    KEELSON_TABLE_FIELD(Toleration, value, "value", kOptional),
    KEELSON_TABLE_FIELD(Toleration, effect, "effect", kOptional),
    KEELSON_TABLE_FIELD(Toleration, toleration_seconds, "tolerationSeconds", kOptional),
};
constinit const kube::StructTable Toleration::kFields(kTolerationFields);

constexpr kube::StructTable::Field kHostAliasFields[] = {
    KEELSON_TABLE_FIELD(HostAlias, ip, "ip", kRequired),
    KEELSON_TABLE_FIELD(HostAlias, hostnames, "hostnames", kOptional),
};
constinit const kube::StructTable HostAlias::kFields(kHostAliasFields);

constexpr kube::StructTable::Field kPodDNSConfigOptionFields[] = {
    KEELSON_TABLE_FIELD(PodDNSConfigOption, name, "name", kOptional),
    KEELSON_TABLE_FIELD(PodDNSConfigOption, value, "value", kOptional),
};
constinit const kube::StructTable PodDNSConfigOption::kFields(kPodDNSConfigOptionFields);

constexpr kube::StructTable::Field kPodDNSConfigFields[] = {
    KEELSON_TABLE_FIELD(PodDNSConfig, nameservers, "nameservers", kOptional),
    KEELSON_TABLE_FIELD(PodDNSConfig, searches, "searches", kOptional),
    KEELSON_TABLE_FIELD(PodDNSConfig, options, "options", kOptional),
};
constinit const kube::StructTable PodDNSConfig::kFields(kPodDNSConfigFields);

constexpr kube::StructTable::Field kPodReadinessGateFields[] = {
    KEELSON_TABLE_FIELD(PodReadinessGate, condition_type, "conditionType", kRequired),
};
constinit const kube::StructTable PodReadinessGate::kFields(kPodReadinessGateFields);

constexpr kube::StructTable::Field kTopologySpreadConstraintFields[] = {
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, max_skew, "maxSkew", kRequired),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, topology_key, "topologyKey", kRequired),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, when_unsatisfiable, "whenUnsatisfiable", kRequired),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, label_selector, "labelSelector", kOptional),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, min_domains, "minDomains", kOptional),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, node_affinity_policy, "nodeAffinityPolicy", kOptional),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, node_taints_policy, "nodeTaintsPolicy", kOptional),
    KEELSON_TABLE_FIELD(TopologySpreadConstraint, match_label_keys, "matchLabelKeys", kOptional),
};
constinit const kube::StructTable TopologySpreadConstraint::kFields(kTopologySpreadConstraintFields);

constexpr kube::StructTable::Field kPodOSFields[] = {
    KEELSON_TABLE_FIELD(PodOS, name, "name", kRequired),
};
constinit const kube::StructTable PodOS::kFields(kPodOSFields);

constexpr kube::StructTable::Field kPodSchedulingGateFields[] = {
    KEELSON_TABLE_FIELD(PodSchedulingGate, name, "name", kRequired),
};
constinit const kube::StructTable PodSchedulingGate::kFields(kPodSchedulingGateFields);

constexpr kube::StructTable::Field kPodResourceClaimFields[] = {
    KEELSON_TABLE_FIELD(PodResourceClaim, name, "name", kRequired),
    KEELSON_TABLE_FIELD(PodResourceClaim, resource_claim_name, "resourceClaimName", kOptional),
    KEELSON_TABLE_FIELD(PodResourceClaim, resource_claim_template_name, "resourceClaimTemplateName", kOptional),
};
constinit const kube::StructTable PodResourceClaim::kFields(kPodResourceClaimFields);

constexpr kube::StructTable::Field kPodSchedulingGroupFields[] = {
    KEELSON_TABLE_FIELD(PodSchedulingGroup, pod_group_name, "podGroupName", kOptional),
};
constinit const kube::StructTable PodSchedulingGroup::kFields(kPodSchedulingGroupFields);

constexpr kube::StructTable::Field kPodSpecFields[] = {
    KEELSON_TABLE_FIELD(PodSpec, volumes, "volumes", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, init_containers, "initContainers", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, containers, "containers", kRequired),
    KEELSON_TABLE_FIELD(PodSpec, ephemeral_containers, "ephemeralContainers", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, restart_policy, "restartPolicy", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, termination_grace_period_seconds, "terminationGracePeriodSeconds", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, active_deadline_seconds, "activeDeadlineSeconds", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, dns_policy, "dnsPolicy", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, node_selector, "nodeSelector", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, service_account_name, "serviceAccountName", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, service_account, "serviceAccount", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, automount_service_account_token, "automountServiceAccountToken", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, node_name, "nodeName", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, host_network, "hostNetwork", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, host_pid, "hostPID", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, host_ipc, "hostIPC", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, share_process_namespace, "shareProcessNamespace", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, security_context, "securityContext", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, image_pull_secrets, "imagePullSecrets", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, hostname, "hostname", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, subdomain, "subdomain", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, affinity, "affinity", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, scheduler_name, "schedulerName", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, tolerations, "tolerations", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, host_aliases, "hostAliases", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, priority_class_name, "priorityClassName", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, priority, "priority", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, dns_config, "dnsConfig", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, readiness_gates, "readinessGates", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, runtime_class_name, "runtimeClassName", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, enable_service_links, "enableServiceLinks", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, preemption_policy, "preemptionPolicy", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, overhead, "overhead", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, topology_spread_constraints, "topologySpreadConstraints", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, set_hostname_as_fqdn, "setHostnameAsFQDN", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, os, "os", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, host_users, "hostUsers", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, scheduling_gates, "schedulingGates", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, resource_claims, "resourceClaims", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, resources, "resources", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, hostname_override, "hostnameOverride", kOptional),
    KEELSON_TABLE_FIELD(PodSpec, scheduling_group, "schedulingGroup", kOptional),
};
constinit const kube::StructTable PodSpec::kFields(kPodSpecFields);

}  // namespace keelson::core::v1
