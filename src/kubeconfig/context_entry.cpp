#include "src/kubeconfig/context_entry.hpp"

namespace keelson::kube {

Kubeconfig::Context read_context(MembersOf fields) {
  Kubeconfig::Context context;
  fields.read("cluster", context.cluster);
  fields.read("user", context.user);
  fields.read("namespace", context.ns);
  return context;
}

void apply_context(const Kubeconfig::Context& context, ConnectionConfig& config) {
  config.ns = context.ns.empty() ? "default" : context.ns;
}

}  // namespace keelson::kube
