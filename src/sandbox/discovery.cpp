#include "src/sandbox/discovery.hpp"

namespace keelson::sandbox {

namespace {

Tree entry_of(const ServedKind& kind, const std::string& subresource) {
  auto verbs = Tree::array({"get", "patch", "update"});
  if (subresource.empty()) {
    verbs = Tree::array({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
  }
  auto name = kind.resource.plural + (subresource.empty() ? "" : "/" + subresource);
  return Tree::object({{"name", name},
                       {"singularName", ""},
                       {"namespaced", kind.resource.namespaced},
                       {"kind", subresource == "scale" ? "Scale" : kind.resource.kind},
                       {"verbs", verbs}});
}

}  // namespace

Outcome discover(const Kinds& kinds, const std::string& path) {
  std::string group;
  std::string version;
  if (path.rfind("/api/", 0) == 0) {
    version = path.substr(5);
  } else if (path.rfind("/apis/", 0) == 0 && path.find('/', 6) != std::string::npos) {
    auto slash = path.find('/', 6);
    group = path.substr(6, slash - 6);
    version = path.substr(slash + 1);
  }
  auto served = kinds.of_version(group, version);
  if (served.empty()) return not_served();
  auto resources = Tree::array();
  for (const auto* kind : served) {
    resources.items().push_back(entry_of(*kind, ""));
    if (kind->has_status) resources.items().push_back(entry_of(*kind, "status"));
    if (kind->has_scale) resources.items().push_back(entry_of(*kind, "scale"));
  }
  auto list = Tree::object({{"kind", "APIResourceList"},
                            {"apiVersion", "v1"},
                            {"groupVersion", group.empty() ? version : group + "/" + version},
                            {"resources", resources}});
  return Answer{200, list.text()};
}

}  // namespace keelson::sandbox
