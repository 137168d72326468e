// Pod Security admission: the levels of a namespace, by its labels pod-security.kubernetes.io/enforce and warn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

struct PodSecurityResult {
  std::string denied;  // the reason of the rejection; empty: none
  std::vector<std::string> warnings;
};

// For a new or changed pod, or an object with a pod template, which gets warnings only.
[[nodiscard]] PodSecurityResult check_pod_security(const World& world, const kube::Resource& resource,
                                                   const Tree& object);

// Whether the namespace warns about the pods of new objects.
[[nodiscard]] bool warns_about_pods(const World& world, const std::string& ns);

// Whether objects of this kind have pods.
[[nodiscard]] bool has_pod_spec(const kube::Resource& resource);

// The labels of a namespace.
void check_security_labels(const Tree* before, const Tree& after, FieldErrors& errors);
// Warnings about pods that violate the level that a namespace is about to enforce.
[[nodiscard]] std::vector<std::string> warnings_for_level(const World& world, const Tree& before, const Tree& after);

}  // namespace keelson::sandbox
