// Who asks: what the API server knows of the user of a request, as authentication.k8s.io/v1 UserInfo.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

// The user of keelson-sandbox's kubeconfig, a member of system:masters.
inline constexpr const char* kAdministrator = "kubernetes-admin";
inline constexpr const char* kAnonymous = "system:anonymous";
inline constexpr const char* kMasters = "system:masters";
inline constexpr const char* kAuthenticated = "system:authenticated";
inline constexpr const char* kUnauthenticated = "system:unauthenticated";

struct UserInfo {
  std::string name;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;

  [[nodiscard]] bool is_in(std::string_view group) const;
  bool operator==(const UserInfo&) const = default;
};

// The user of this name with the groups that the name implies: system:serviceaccount:NS:NAME is in those of its
// namespace, system:node:NAME in system:nodes, and kubernetes-admin and system:apiserver in system:masters. All but
// system:anonymous are in system:authenticated.
[[nodiscard]] UserInfo user_named(std::string name);

}  // namespace keelson::sandbox
