// The user of a request: the name, groups and extra values of UserInfo in authentication.k8s.io/v1.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

// The user of keelson-sandbox's kubeconfig, a member of system:masters.
inline constexpr const char* kAdministrator = "kubernetes-admin";
// The user of a request without a token.
inline constexpr const char* kAnonymous = "system:anonymous";
// The group that has all permissions, independent of roles.
inline constexpr const char* kMasters = "system:masters";
// The groups of all users except system:anonymous, and of system:anonymous.
inline constexpr const char* kAuthenticated = "system:authenticated";
inline constexpr const char* kUnauthenticated = "system:unauthenticated";

struct UserInfo {
  std::string name;
  std::string uid;                                        // that of a ServiceAccount, or impersonated; else empty
  std::vector<std::string> groups;                        // RBAC subjects of kind Group
  std::map<std::string, std::vector<std::string>> extra;  // authentication.kubernetes.io/pod-name, …

  [[nodiscard]] bool is_in(std::string_view group) const;
  bool operator==(const UserInfo&) const = default;
};

// The user of this name with the groups that the name implies: system:serviceaccount:NS:NAME is in the groups of its
// namespace, system:node:NAME in system:nodes, and kubernetes-admin and system:apiserver in system:masters. All except
// system:anonymous are in system:authenticated.
[[nodiscard]] UserInfo user_named(std::string name);

}  // namespace keelson::sandbox
