// An entry `context:` of a kubeconfig: its fields, and applying them to a connection. Its cluster and its user
// are other entries.
#pragma once

#include "src/kubeconfig/kubeconfig.hpp"

namespace keelson::kube {

void describe(Description& d, Kubeconfig::Context& context);
void apply_context(const Kubeconfig::Context& context, ConnectionConfig& config);

}  // namespace keelson::kube
