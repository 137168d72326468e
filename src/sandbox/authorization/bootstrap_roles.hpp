// The ClusterRoles and ClusterRoleBindings of every cluster that users bind to: cluster-admin, admin, edit, view, and
// the permissions of all users.
#pragma once

#include <utility>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// In the order of their creation. admin, edit and view have no rules until they are aggregated.
[[nodiscard]] std::vector<std::pair<kube::Resource, Tree>> bootstrap_roles();

}  // namespace keelson::sandbox
