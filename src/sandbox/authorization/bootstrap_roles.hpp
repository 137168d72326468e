// The ClusterRoles and ClusterRoleBindings that every cluster has and users bind to: cluster-admin, admin, edit, view,
// and what all users may do.
#pragma once

#include <utility>
#include <vector>

#include "keelson/kube/resource.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// In the order of their creation. admin, edit and view have no rules until they are aggregated.
[[nodiscard]] std::vector<std::pair<kube::Resource, Tree>> bootstrap_roles();

}  // namespace keelson::sandbox
