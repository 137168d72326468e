// The fields that the server adds to a new object in addition to defaults: the status of a pod, those of admission
// plugins (limits, default classes, and in a whole cluster ServiceAccount and token, priority, tolerations, taints and
// finalizers), and the labels by which a Job selects its pods.
#pragma once

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// The finalizers of storage that may be in use.
inline constexpr const char* kClaimProtection = "kubernetes.io/pvc-protection";
inline constexpr const char* kVolumeProtection = "kubernetes.io/pv-protection";

// The taints of nodes whose condition Ready is False or Unknown.
inline constexpr const char* kNotReadyTaint = "node.kubernetes.io/not-ready";
inline constexpr const char* kUnreachableTaint = "node.kubernetes.io/unreachable";

// The message of the condition of an APIService without a Service.
inline constexpr const char* kAlwaysAvailable = "Local APIServices are always available";

// The annotation of a DaemonSet that counts the changes of its template.
inline constexpr const char* kTemplateGeneration = "deprecated.daemonset.template.generation";
// Sets the annotation, which clients can only choose for a new DaemonSet. `before` is null for a new one.
void count_templates(const Tree* before, Tree& daemon_set);

// Sets the time of the last phase when an update of the status changes the phase. `before` is null for a new volume.
void stamp_phase(const World& world, const Tree* before, Tree& volume);

// Adds what the admission plugins add to the specification of a pod that a client replaces.
void complete_pod_update(const World& world, const Tree& before, Tree& pod);

// Requires complete metadata. Returns the reason why a plugin forbids the object; empty: none does.
[[nodiscard]] std::string complete_new_object(const World& world, const kube::Resource& resource, Tree& object);

}  // namespace keelson::sandbox
