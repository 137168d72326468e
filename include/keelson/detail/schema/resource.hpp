// A kind as the API server serves it: group, version, kind, plural and scope, and its URL paths.
//
// A value with the names of a GroupVersionKind and a GroupVersionResource. resource_of<T>() (identity.hpp) makes it for
// a struct, and discover() (discovery.hpp) for a kind that only the API server knows.
#pragma once

#include <string>
#include <string_view>

namespace keelson::kube {

struct Resource {
  // `in_namespace`: false for cluster-scoped kinds, whose paths have no namespace.
  Resource() = default;
  Resource(std::string_view g, std::string_view v, std::string_view k, std::string_view p, bool in_namespace = true)
      : group(g), version(v), kind(k), plural(p), namespaced(in_namespace) {}

  std::string group;    // empty: the core group
  std::string version;  // "v1"
  std::string kind;     // "Deployment"
  std::string plural;   // "deployments": the name in URLs and RBAC rules
  bool namespaced = true;

  // "apps/v1", or "v1" for the core group.
  [[nodiscard]] std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // "deployments.apps", or "pods" for the core group: the form of RBAC messages and of the names of CRDs.
  [[nodiscard]] std::string qualified_plural() const { return group.empty() ? plural : plural + "." + group; }

  // "/apis/apps/v1/namespaces/<ns>/deployments/<name>/<subresource>", percent-encoded; empty parts are left out, so an
  // empty `ns` is the path of all namespaces.
  [[nodiscard]] std::string path(std::string_view ns, std::string_view name, std::string_view subresource) const;

  bool operator==(const Resource&) const = default;
};

// The kinds of Kubernetes that this tree names. For structs of room api, prefer resource_of<T>().
[[nodiscard]] Resource namespaces();
[[nodiscard]] Resource nodes();
[[nodiscard]] Resource pods();
[[nodiscard]] Resource services();
[[nodiscard]] Resource endpoints();
[[nodiscard]] Resource config_maps();
[[nodiscard]] Resource secrets();
[[nodiscard]] Resource service_accounts();
[[nodiscard]] Resource persistent_volume_claims();
[[nodiscard]] Resource component_statuses();
[[nodiscard]] Resource deployments();
[[nodiscard]] Resource replica_sets();
[[nodiscard]] Resource stateful_sets();
[[nodiscard]] Resource daemon_sets();
[[nodiscard]] Resource controller_revisions();
[[nodiscard]] Resource jobs();
[[nodiscard]] Resource cron_jobs();
[[nodiscard]] Resource core_events();  // v1, which `kubectl get events` shows
[[nodiscard]] Resource events();       // events.k8s.io/v1
[[nodiscard]] Resource leases();
[[nodiscard]] Resource endpoint_slices();
[[nodiscard]] Resource disruption_budgets();
[[nodiscard]] Resource cluster_roles();
[[nodiscard]] Resource cluster_role_bindings();
[[nodiscard]] Resource custom_resource_definitions();
[[nodiscard]] Resource mutating_webhook_configurations();
[[nodiscard]] Resource validating_webhook_configurations();

}  // namespace keelson::kube
