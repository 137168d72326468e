#include "src/sandbox/kinds/discovery.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "src/sandbox/kinds/version_view.hpp"

namespace keelson::sandbox {

namespace {

// Empty short names and categories are omitted.
void add_names(Tree& entry, const ServedKind& kind) {
  if (!kind.names.short_names.empty()) entry["shortNames"] = text_list(kind.names.short_names);
  if (!kind.names.categories.empty()) entry["categories"] = text_list(kind.names.categories);
}

// "group/version" in which the real server stores the objects of a kind: these three in an older one than it serves.
std::string storage_version(const ServedKind& kind) {
  if (kind.conversion) return kind.conversion->storage_version;
  const auto* view = version_view(kind.resource);
  const auto& stored = view != nullptr ? view->stored : kind.resource;
  for (const char* plural :
       {"customresourcedefinitions", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"}) {
    if (!kind.is_custom && stored.plural == plural) return stored.group + "/v1beta1";
  }
  return stored.group + "/" + stored.version;
}

// discovery.StorageVersionHash: the first 8 bytes of a digest.
std::string storage_hash(const ServedKind& kind) {
  constexpr std::size_t kBytes = 8;
  const auto digest = tls::sha256(storage_version(kind) + "/" + kind.resource.kind);
  return base::base64_encode(std::string_view(reinterpret_cast<const char*>(digest.data()), kBytes));
}

Tree entry_of(const ServedKind& kind) {
  auto entry = Tree::object({{"name", kind.resource.plural},
                             {"singularName", kind.names.singular},
                             {"namespaced", kind.resource.namespaced},
                             {"kind", kind.resource.kind},
                             {"verbs", text_list(kind.verbs)}});
  add_names(entry, kind);
  if (kind.allows("watch")) entry["storageVersionHash"] = storage_hash(kind);  // the others are not stored
  return entry;
}

Tree entry_of(const ServedKind& kind, const ServedSubresource& part) {
  auto entry = Tree::object({{"name", kind.resource.plural + "/" + part.name()},
                             {"singularName", ""},
                             {"namespaced", kind.resource.namespaced}});
  if (!part.group.empty()) entry["group"] = part.group;
  if (!part.version.empty()) entry["version"] = part.version;
  entry["kind"] = part.kind;
  entry["verbs"] = text_list(part.verbs);
  return entry;
}

Tree resource_list(const Kinds& kinds, const std::string& group, const std::string& version) {
  auto resources = Tree::array();
  for (const auto* kind : kinds.of_version(group, version)) {
    resources.items().push_back(entry_of(*kind));
    for (const auto& part : kind->subresources) resources.items().push_back(entry_of(*kind, part));
  }
  auto list = Tree::object({{"kind", "APIResourceList"}});
  if (!group.empty()) list["apiVersion"] = "v1";  // the list of the core group has no apiVersion
  list["groupVersion"] = group.empty() ? version : group + "/" + version;
  list["resources"] = resources;
  return list;
}

Tree group_of(const ServedGroup& group) {
  auto versions = Tree::array();
  for (const auto& version : group.versions) {
    versions.items().push_back(Tree::object({{"groupVersion", group.name + "/" + version}, {"version", version}}));
  }
  auto preferred = versions.items().front();
  return Tree::object({{"name", group.name}, {"versions", versions}, {"preferredVersion", preferred}});
}

Tree group_list(const Kinds& kinds) {
  auto groups = Tree::array();
  for (const auto& group : kinds.groups()) {
    if (!group.name.empty()) groups.items().push_back(group_of(group));
  }
  return Tree::object({{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", groups}});
}

Tree core_versions(const std::string& host) {
  const auto address = Tree::object({{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", host}});
  return Tree::object({{"kind", "APIVersions"},
                       {"versions", Tree::array({Tree("v1")})},
                       {"serverAddressByClientCIDRs", Tree::array({address})}});
}

// The caller passes the group and version of built-in kinds.
Tree response_kind(const ServedKind& kind, const std::string& group, const std::string& version,
                   const std::string& name) {
  const bool is_own = group.empty() && version.empty() && kind.is_custom;
  return Tree::object({{"group", is_own ? kind.resource.group : group},
                       {"version", is_own ? kind.resource.version : version},
                       {"kind", name}});
}

Tree aggregated_entry(const ServedKind& kind) {
  auto entry = Tree::object({{"resource", kind.resource.plural},
                             {"responseKind", response_kind(kind, "", "", kind.resource.kind)},
                             {"scope", kind.resource.namespaced ? "Namespaced" : "Cluster"},
                             {"singularResource", kind.names.singular},
                             {"verbs", text_list(kind.verbs)}});
  add_names(entry, kind);
  auto parts = Tree::array();
  for (const auto& part : kind.subresources) {
    parts.items().push_back(Tree::object({{"subresource", part.name()},
                                          {"responseKind", response_kind(kind, part.group, part.version, part.kind)},
                                          {"verbs", text_list(part.verbs)}}));
  }
  if (!parts.is_empty()) entry["subresources"] = parts;
  return entry;
}

Tree aggregated_group(const Kinds& kinds, const ServedGroup& group) {
  auto versions = Tree::array();
  for (const auto& version : group.versions) {
    auto resources = Tree::array();
    for (const auto* kind : kinds.of_version(group.name, version)) resources.items().push_back(aggregated_entry(*kind));
    versions.items().push_back(
        Tree::object({{"version", version}, {"resources", resources}, {"freshness", "Current"}}));
  }
  auto metadata = Tree::object();
  if (!group.name.empty()) metadata["name"] = group.name;
  return Tree::object({{"metadata", metadata}, {"versions", versions}});
}

}  // namespace

RejectionOr<Answer> discover(const Kinds& kinds, const std::string& path, const std::string& host) {
  if (path == "/api") return Answer{200, core_versions(host).text()};
  if (path == "/apis") return Answer{200, group_list(kinds).text()};
  if (path.rfind("/api/", 0) == 0) {
    auto version = path.substr(5);
    return kinds.serves("", version) ? RejectionOr<Answer>(Answer{200, resource_list(kinds, "", version).text()})
                                     : not_served();
  }
  auto slash = path.find('/', 6);
  auto name = path.substr(0, 6) == "/apis/" ? path.substr(6, slash - 6) : "";
  if (slash != std::string::npos) {
    auto version = path.substr(slash + 1);
    if (!kinds.serves(name, version)) return not_served();
    return Answer{200, resource_list(kinds, name, version).text()};
  }
  auto groups = kinds.groups();
  auto found = std::ranges::find_if(groups, [&name](const auto& group) { return group.name == name; });
  if (name.empty() || found == groups.end()) return not_served();
  auto group = group_of(*found);
  group.members().emplace_front("apiVersion", "v1");
  group.members().emplace_front("kind", "APIGroup");
  return Answer{200, group.text()};
}

Tree aggregated_discovery(const Kinds& kinds, const std::string& path) {
  auto items = Tree::array();
  for (const auto& group : kinds.groups()) {
    if (group.name.empty() == (path == "/api")) items.items().push_back(aggregated_group(kinds, group));
  }
  return Tree::object({{"kind", "APIGroupDiscoveryList"},
                       {"apiVersion", "apidiscovery.k8s.io/v2"},
                       {"metadata", Tree::object()},
                       {"items", items}});
}

std::string version_info() {
  return R"({"major":"1","minor":"36","emulationMajor":"1","emulationMinor":"36","minCompatibilityMajor":"1",)"
         R"("minCompatibilityMinor":"35","gitVersion":"v1.36.3","gitCommit":"keelson-sandbox","gitTreeState":"clean",)"
         R"("buildDate":"1970-01-01T00:00:00Z","goVersion":"none","compiler":"clang","platform":"linux/amd64"})";
}

}  // namespace keelson::sandbox
