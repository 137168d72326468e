// The names of a kind as a constant: group, version, kind and plural, and whether its objects are in namespaces.
// A struct with a `kIdentity` can be used with the typed verbs (typed_object.hpp).
//
// Example (test/examples/schema.cpp#identity):
//   static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Memcached"};
//
// Names that the API server would reject do not compile; the compiler's note shows the `throw` with the fix.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/literal.hpp"

namespace keelson::kube {

// A kind as the API server serves it: group, version, kind, plural and scope, and its URL paths. resource_of<T>() makes
// it for a struct, and discover() (discovery.hpp) for a kind that only the API server knows.
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

// kCluster: objects have no namespace, like Node and Namespace.
enum class Scope { kNamespaced, kCluster };

// Refers to string literals; always a `static constexpr` constant.
struct Identity {
  // `group` is empty for the core group. An empty `plural` is derived from the kind by kubebuilder's rules ("policies",
  // "ingresses"), which do not know irregular words: name the plural of "Person" or "Endpoints".
  consteval Identity(std::string_view its_group, std::string_view its_version, std::string_view its_kind,
                     std::string_view its_plural = {}, Scope its_scope = Scope::kNamespaced)
      : group(its_group), version(its_version), kind(its_kind), plural(its_plural), scope(its_scope) {
    if (!group.empty() && !detail::is_subdomain(group)) {
      throw base::Misuse("the group is a DNS name in lower case, such as \"web.example.com\"");
    }
    if (!detail::is_label(version)) throw base::Misuse("the version is a label in lower case, such as \"v1beta1\"");
    if (!detail::is_kind_name(kind)) throw base::Misuse("the kind is one word in CamelCase, such as \"Website\"");
    if (!plural.empty() && !detail::is_label(plural)) {
      throw base::Misuse("the plural is one word in lower case, such as \"websites\"");
    }
  }

  std::string_view group;    // "cache.example.com"; empty: the core group
  std::string_view version;  // "v1beta1"
  std::string_view kind;     // "Memcached"
  std::string_view plural;   // "memcacheds"; empty: derived
  Scope scope;

  // The same with its plural, as the verbs of client.hpp take it.
  [[nodiscard]] Resource resource() const;
};

// The plural that is derived from a kind: "policies" for "Policy".
[[nodiscard]] std::string plural_of(std::string_view kind);

// The Resource of a struct: resource_of<apps::v1::Deployment>().
template <class T>
[[nodiscard]] Resource resource_of() {
  return T::kIdentity.resource();
}

}  // namespace keelson::kube
