// An entry `context:` of a kubeconfig: reading its fields, and applying them to a connection. Its cluster and its user
// are other entries.
#pragma once

#include "src/kubeconfig/kubeconfig.hpp"
#include "src/kubeconfig/members_of.hpp"

namespace keelson::kube {

[[nodiscard]] Kubeconfig::Context read_context(MembersOf fields);
void apply_context(const Kubeconfig::Context& context, ConnectionConfig& config);

}  // namespace keelson::kube
