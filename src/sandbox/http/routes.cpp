#include "src/sandbox/http/routes.hpp"

#include <algorithm>
#include <vector>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

using Rejected = std::optional<RouteRejection>;

Rejected no_page() { return RouteRejection{}; }

std::string path_of(const net::Request& request) { return request.target.substr(0, request.target.find('?')); }

bool has_kinds(const Kinds& kinds, const std::string& group, bool is_custom) {
  return std::ranges::any_of(kinds.all(), [&](const ServedKind& kind) {
    return kind.is_served && kind.is_custom == is_custom && kind.resource.group == group;
  });
}

// Whether the server itself has the group, and not a CRD.
bool is_own_group(const Kinds& kinds, const std::string& path) {
  if (path.starts_with("/api/")) return true;
  const auto segments = parts_of(path, '/');
  return segments.size() >= 2 && segments[0] == "apis" && has_kinds(kinds, std::string(segments[1]), false);
}

// The kind exists at a path of this form: of a namespace, or of the cluster.
bool has_scope(const ServedKind& kind, const kube::ApiRequest& address) {
  if (!kind.resource.namespaced) return address.key.ns.empty();
  const bool is_object_without_namespace = address.key.ns.empty() && !address.key.name.empty();
  return !is_object_without_namespace;
}

const ServedSubresource* subresource_at(const ServedKind& kind, const std::string& name) {
  const auto subresource = subresource_named(name);
  const auto found = std::ranges::find_if(kind.subresources,
                                          [&](const ServedSubresource& one) { return one.subresource == subresource; });
  return subresource && found != kind.subresources.end() ? &*found : nullptr;
}

std::string routed_verb(const std::string& method, bool has_name) {
  if (method == "GET") return has_name ? "get" : "list";
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  return method == "DELETE" ? has_name ? "delete" : "deletecollection" : "";
}

Rejected status(Rejection rejected) { return RouteRejection{std::move(rejected)}; }

bool has_own_route(const ServedKind& kind, const kube::ApiRequest& address, bool is_watch) {
  const bool has_subresource = !address.subresource.empty();
  if (is_watch && (has_subresource || !kind.allows("watch"))) return false;
  if (has_subresource) return has_scope(kind, address) && subresource_at(kind, address.subresource) != nullptr;
  if (!is_create_only(kind)) return has_scope(kind, address);
  return address.key.name.empty() && kind.resource.namespaced != address.key.ns.empty();
}

Rejected rejected_own(const ServedKind& kind, const net::Request& request, const kube::ApiRequest& address) {
  const bool is_watch = is_watch_path(request.target);
  if (!has_own_route(kind, address, is_watch)) return status(not_served());
  const bool has_name = !address.key.name.empty();
  const auto verb = routed_verb(request.method, has_name);
  const auto* part = subresource_at(kind, address.subresource);
  if (verb.empty() || (is_watch && request.method != "GET")) return status(method_not_allowed());
  const bool is_wrong = has_name ? verb == "create" : verb == "update" || verb == "patch";
  if (part == nullptr) return is_wrong ? status(method_not_allowed()) : std::nullopt;
  return contains(part->verbs, verb) ? std::nullopt : status(method_not_allowed());
}

Rejected rejected_custom(const ServedKind& kind, const net::Request& request, const kube::ApiRequest& address) {
  const auto& method = request.method;
  const bool is_collection = address.key.name.empty();
  const bool is_of_cluster = kind.resource.namespaced && address.key.ns.empty();
  if (!has_scope(kind, address) || (is_of_cluster && method != "GET")) return no_page();
  if (is_collection && (method == "PUT" || method == "PATCH")) return status(bad_request("name must be provided"));
  if (method == "HEAD" || !routed_verb(method, !is_collection).empty()) return std::nullopt;
  auto rejected = rejection(405, "MethodNotAllowed",
                            " is not supported on resources of kind \"" + kind.resource.qualified_plural() + "\"");
  rejected.status["details"] = details_of(kind.resource, kind.resource.plural, "");
  return status(std::move(rejected));
}

}  // namespace

bool is_create_only(const ServedKind& kind) { return kind.verbs == std::vector<std::string>{"create"}; }

bool is_watch_path(std::string_view path) {
  const auto segments = parts_of(path.substr(0, path.find('?')), '/');
  const std::size_t at = segments.empty() || segments[0] == "api" ? 2 : 3;
  return segments.size() > at && (segments[0] == "api" || segments[0] == "apis") && segments[at] == "watch";
}

Rejected rejected_route(const Kinds& kinds, const net::Request& request,
                        const std::optional<kube::ApiRequest>& address) {
  const auto path = path_of(request);
  const auto unknown = [&] { return is_own_group(kinds, path) ? status(not_served()) : no_page(); };
  if (!address || path.find("//") != std::string::npos) return unknown();
  if (!kinds.serves(address->resource.group, address->resource.version)) return unknown();
  if (!address->raw_path.empty()) {
    const bool is_wrong = request.method != "GET" && is_own_group(kinds, path);
    return is_wrong ? status(method_not_allowed()) : std::nullopt;
  }
  const auto* kind = kinds.find(address->resource);
  if (kind == nullptr || !kind->is_served) return unknown();
  return kind->is_custom ? rejected_custom(*kind, request, *address) : rejected_own(*kind, request, *address);
}

}  // namespace keelson::sandbox
