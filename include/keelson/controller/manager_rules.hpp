// What the manager may do in the cluster: the rules of its ClusterRole, from what its controllers declare.
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/controller/policy_rule.hpp"

namespace keelson::controller {

// Of a kind of ours: list and watch it, apply its status, and set owner references to it. Of what a controller watches:
// list and watch it. Then what it asks for by `needs`, and Events, which the runtime itself writes. Rules are merged
// and sorted as controller-gen does: one line a resource, then resources and groups with the same verbs together.
// `others` belong to no controller.
[[nodiscard]] std::vector<PolicyRule> manager_rules(const std::vector<Definition>& definitions,
                                                    const std::vector<Permission>& others = {});

// What a replica needs for leader election, in the namespace of its lease.
[[nodiscard]] std::vector<PolicyRule> leader_election_rules();

}  // namespace keelson::controller
