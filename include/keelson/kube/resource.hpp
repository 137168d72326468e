// A kind as the API server serves it: group, version, kind, plural and scope, and its URL paths.
#pragma once

#include <string>
#include <string_view>

namespace keelson::kube {

struct Resource {
  Resource() = default;
  Resource(std::string_view g, std::string_view v, std::string_view k, std::string_view p, bool in_namespace = true)
      : group(g), version(v), kind(k), plural(p), namespaced(in_namespace) {}

  std::string group;  // empty: the core group
  std::string version;
  std::string kind;
  std::string plural;
  bool namespaced = true;

  // "apps/v1", or "v1" for the core group.
  [[nodiscard]] std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // "deployments.apps", or "pods": how RBAC messages and CRD names spell it.
  [[nodiscard]] std::string qualified_plural() const { return group.empty() ? plural : plural + "." + group; }

  // "/apis/apps/v1/namespaces/<ns>/deployments/<name>/<subresource>"; empty parts are left out.
  [[nodiscard]] std::string path(std::string_view ns, std::string_view name, std::string_view subresource) const;

  bool operator==(const Resource&) const = default;
};

// Kinds of Kubernetes that controllers commonly use.
[[nodiscard]] Resource pods();
[[nodiscard]] Resource services();
[[nodiscard]] Resource config_maps();
[[nodiscard]] Resource secrets();
[[nodiscard]] Resource deployments();
[[nodiscard]] Resource replica_sets();
[[nodiscard]] Resource jobs();
[[nodiscard]] Resource core_events();
[[nodiscard]] Resource events();  // events.k8s.io/v1
[[nodiscard]] Resource leases();
[[nodiscard]] Resource custom_resource_definitions();

}  // namespace keelson::kube
