// The RBAC rules of the manager's ClusterRole, which follow from the declarations of its controllers.
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/controller/policy_rule.hpp"

namespace keelson::controller {

// The rules contain:
// - for the controller's own kind: list, watch, patch of its status, and update of `finalizers`, which OpenShift
//   requires for owner references with blockOwnerDeletion;
// - for each watched kind: list and watch;
// - the permissions of `rbac`, and of `owns<T>()`: create, patch and delete of the children;
// - create and patch of Events, which the runtime writes.
//
// For an existing kind there is no status rule, and `finalizers` only if the controller owns children. Rules are merged
// and sorted as controller-gen does: resources with the same verbs are in one rule, then groups. `others` are
// permissions that belong to no controller.
[[nodiscard]] std::vector<PolicyRule> manager_rules(const std::vector<Definition>& definitions,
                                                    const std::vector<Permission>& others = {});

// The rules of a Role for leader election, in the namespace of the Lease: Leases, and Events about them.
[[nodiscard]] std::vector<PolicyRule> leader_election_rules();

}  // namespace keelson::controller
