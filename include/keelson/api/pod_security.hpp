// Security contexts that satisfy the restricted Pod Security Standard
// (kubernetes.io/docs/concepts/security/pod-security-standards).
//
// A namespace that enforces the standard rejects pods without them. Both functions return values to assign, complete
// for Linux pods without volumes of forbidden types; add what your container needs, such as readOnlyRootFilesystem.
#pragma once

#include <cstdint>

#include "keelson/api/core/v1/pod_spec.hpp"

namespace keelson::core::v1 {

// For each container, init containers included: no privilege escalation, and all capabilities dropped.
[[nodiscard]] SecurityContext restricted_container();

// For the pod: all containers run as the numeric `user` (not 0), and with the container runtime's default seccomp
// profile. The number is needed even if the image has a user, because the kubelet cannot know whether a user name is
// root and then fails to start the container (CreateContainerConfigError).
[[nodiscard]] PodSecurityContext restricted_pod(std::int64_t user);

}  // namespace keelson::core::v1
