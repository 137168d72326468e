#include "keelson/api/pod_security.hpp"

namespace keelson::core::v1 {

SecurityContext restricted_container() {
  return {.capabilities = {{.drop = {"ALL"}}}, .allow_privilege_escalation = false};
}

PodSecurityContext restricted_pod(std::int64_t user) {
  return {.run_as_user = user, .run_as_non_root = true, .seccomp_profile = {{.type = "RuntimeDefault"}}};
}

}  // namespace keelson::core::v1
