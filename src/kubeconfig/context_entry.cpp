#include "src/kubeconfig/context_entry.hpp"

namespace keelson::kube {

void describe(Description& d, Kubeconfig::Context& context) {
  d.field("cluster", context.cluster, "");
  d.field("user", context.user, "");
  d.field("namespace", context.ns, "");
}

void apply_context(const Kubeconfig::Context& context, ConnectionConfig& config) {
  config.ns = context.ns.empty() ? "default" : context.ns;
}

}  // namespace keelson::kube
