#include "src/plan/kinds_read.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::plan {

namespace {

const std::array kWorkloads = {
    kube::deployments(),
    kube::replica_sets(),
    kube::stateful_sets(),
    kube::daemon_sets(),
    kube::controller_revisions(),
    kube::jobs(),
    kube::pods(),
    kube::persistent_volume_claims(),
    kube::nodes(),
};

// Groups of Kubernetes with a dot. Other groups under k8s.io are custom (gateway.networking.k8s.io).
constexpr std::array<std::string_view, 13> kDottedGroups = {"admissionregistration.k8s.io",
                                                            "apiextensions.k8s.io",
                                                            "apiregistration.k8s.io",
                                                            "authentication.k8s.io",
                                                            "authorization.k8s.io",
                                                            "certificates.k8s.io",
                                                            "coordination.k8s.io",
                                                            "discovery.k8s.io",
                                                            "events.k8s.io",
                                                            "networking.k8s.io",
                                                            "rbac.authorization.k8s.io",
                                                            "scheduling.k8s.io",
                                                            "storage.k8s.io"};

class Kinds {
 public:
  void add(kube::Resource resource, bool is_own, bool is_needed) {
    const auto plural = resource.qualified_plural();
    if (plural == kube::events().qualified_plural() || plural == kube::core_events().qualified_plural() ||
        plural == kube::leases().qualified_plural()) {
      return;
    }
    auto known =
        std::ranges::find_if(list, [&](const KindRead& kind) { return kind.resource.qualified_plural() == plural; });
    if (known == list.end()) {
      list.push_back({std::move(resource), is_own, is_needed});
      return;
    }
    if (known->resource.version.empty()) known->resource = std::move(resource);
    known->is_own = known->is_own || is_own;
  }
  std::vector<KindRead> list;
};

bool is_workload(const KindRead& kind) {
  const auto plural = kind.resource.qualified_plural();
  return std::ranges::any_of(kWorkloads, [&](const kube::Resource& workload) {
    return workload.namespaced && workload.qualified_plural() == plural;
  });
}

}  // namespace

std::vector<KindRead> kinds_read(const std::vector<controller::Definition>& controllers) {
  Kinds kinds;
  for (const auto& definition : controllers) {
    for (const auto& kind : definition.parts().kinds) kinds.add(kind.resource, true, true);
    kinds.add(definition.resource(), false, true);
    for (const auto& source : definition.parts().sources) kinds.add(source.resource, false, true);
  }
  for (const auto& definition : controllers) {
    for (const auto& permission : definition.parts().permissions) {
      // Permissions for subresources do not imply reads of the objects, and `*` does not name a kind.
      if (permission.resource.find_first_of("/*") != std::string::npos || permission.group == "*") continue;
      kinds.add(kube::Resource(permission.group, "", "", permission.resource), false, true);
    }
  }
  if (std::ranges::none_of(kinds.list, is_workload)) return std::move(kinds.list);
  for (const auto& workload : kWorkloads) kinds.add(workload, false, false);
  return std::move(kinds.list);
}

bool is_built_in_group(const std::string& group) {
  return group.find('.') == std::string::npos || std::ranges::find(kDottedGroups, group) != kDottedGroups.end();
}

}  // namespace keelson::plan
