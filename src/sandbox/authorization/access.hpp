// The access that a request needs: a verb on a resource, or on a non-resource path.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/sandbox/user_info.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

struct Access {
  std::string verb;  // "list"; for a path the method: "get", "post"
  std::string group;
  std::string resource;
  std::string subresource;
  std::string ns;
  std::string name;
  std::string path;  // if not empty, all other members except the verb are empty
};

[[nodiscard]] Access access_of(const kube::ApiRequest& request);
// The access of a request that is malformed or not for a resource. `path` has no query.
[[nodiscard]] Access access_of(const std::string& method, const std::string& path);

// 403: `pods is forbidden: User "u" cannot list resource "pods" in API group "" at the cluster scope[: reason]`
[[nodiscard]] Rejection forbidden(const std::string& user, const Access& access, const std::string& reason);
// 403 about one object: `roles.rbac.authorization.k8s.io "r" is forbidden: why`
[[nodiscard]] Rejection forbidden_object(const kube::Resource& resource, const std::string& name,
                                         const std::string& why);

}  // namespace keelson::sandbox
