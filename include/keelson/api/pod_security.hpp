// Security contexts that the restricted Pod Security Standard requires
// (kubernetes.io/docs/concepts/security/pod-security-standards).
#pragma once

#include <cstdint>

#include "keelson/api/core/v1/pod_spec.hpp"

namespace keelson::core::v1 {

// No privilege escalation and no capabilities.
[[nodiscard]] SecurityContext restricted_container();

// Runs as `user`, not as root, with the runtime's seccomp profile. The standard asks for a number if the image names
// its user: without one the kubelet cannot tell whether that is root.
[[nodiscard]] PodSecurityContext restricted_pod(std::int64_t user);

}  // namespace keelson::core::v1
