#include "src/sandbox/http/openapi_paths.hpp"

#include <algorithm>
#include <vector>

#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

using ParameterNames = std::vector<std::string>;

constexpr const char* kMetaTypes = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// "cache.example.com" becomes "CacheExampleCom", "apps" becomes "Apps"; the core group is "Core".
std::string camel_case(const std::string& group, bool is_custom) {
  if (group.empty()) return "Core";
  std::string text;
  bool at_start = true;
  for (char c : is_custom ? group : group.substr(0, group.find('.'))) {
    if (c == '.' || c == '-') {
      at_start = true;
    } else {
      text += at_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      at_start = false;
    }
  }
  return text;
}

Tree gvk_of(const std::string& group, const std::string& version, const std::string& kind) {
  return Tree::object({{"group", group}, {"kind", kind}, {"version", version}});
}

std::string with_article(const std::string& kind) {
  if (kind.ends_with("s") && !kind.ends_with("ss")) return kind;
  return (std::string_view("AEIOU").find(kind[0]) == std::string_view::npos ? "a " : "an ") + kind;
}

Tree parameter(const std::string& name) {
  const auto* found = find_definition("parameter." + name);
  return found != nullptr ? Tree::raw(found->described()) : Tree();
}

Tree reference(const std::string& definition) {
  return Tree::object({{"schema", Tree::object({{"$ref", "#/components/schemas/" + definition}})}});
}

// The paths of a kind, or of one of its subresources.
class Paths {
 public:
  Paths(const ServedKind& kind, Tree& paths, std::set<std::string>& named) : kind_(kind), paths_(paths), named_(named) {
    const auto& resource = kind.resource;
    collection_ = collection_path(resource);
    group_ = camel_case(resource.group, kind.is_custom);
    tag_ = group_ + "_" + resource.version;
    tag_[0] = static_cast<char>(tag_[0] - 'A' + 'a');
    auto version = resource.version;
    if (!version.empty()) version[0] = 'V';
    group_ += version;
    scope_ = resource.namespaced ? "Namespaced" : "";
    name_ = openapi_name(kind);
    gvk_ = gvk_of(resource.group, resource.version, resource.kind);
  }

  void add_collection() {
    if (kind_.allows("list")) {
      put(collection_, "get",
          {.id = "list" + group_ + scope_ + kind(),
           .description = (kind_.allows("watch") ? "list or watch objects of kind " : "list objects of kind ") + kind(),
           .action = "list",
           .parameters = list_parameters(),
           .answer = name_ + "List",
           .codes = {200},
           .is_list = true});
    }
    if (kind_.allows("create")) {
      put(collection_, "post", create(with_article(kind())));
    }
    if (kind_.allows("deletecollection")) {
      put(collection_, "delete",
          {.id = "delete" + group_ + "Collection" + scope_ + kind(),
           .description = "delete collection of " + kind(),
           .action = "deletecollection",
           .parameters =
               words_of("continue dryRun fieldSelector gracePeriodSeconds labelSelector limit orphanDependents "
                        "propagationPolicy resourceVersion resourceVersionMatch sendInitialEvents "
                        "timeoutSeconds"),
           .body = std::string(kMetaTypes) + "DeleteOptions",
           .answer = std::string(kMetaTypes) + "Status",
           .codes = {200}});
    }
    if (paths_.find(collection_) != nullptr) set_parameters(collection_, false);
  }

  // The list over all namespaces.
  void add_everywhere() {
    if (!kind_.resource.namespaced || !kind_.allows("list")) return;
    auto path = api_root(kind_.resource) + "/" + kind_.resource.plural;
    put(path, "get",
        {.id = "list" + group_ + kind() + "ForAllNamespaces",
         .description = "list or watch objects of kind " + kind(),
         .action = "list",
         .parameters = list_parameters(),
         .answer = name_ + "List",
         .codes = {200},
         .is_list = true});
    set_parameters(path, false);
  }

  void add_object() {
    auto path = collection_ + "/{name}";
    if (kind_.allows("get")) put(path, "get", read(""));
    if (kind_.allows("update")) put(path, "put", write("put", ""));
    if (kind_.allows("patch")) put(path, "patch", write("patch", ""));
    if (kind_.allows("delete")) {
      put(path, "delete",
          {.id = "delete" + group_ + scope_ + kind(),
           .description = "delete " + with_article(kind()),
           .action = "delete",
           .parameters = {"dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"},
           .body = std::string(kMetaTypes) + "DeleteOptions",
           .answer = std::string(kMetaTypes) + "Status",
           .codes = {200, 202}});
    }
    if (paths_.find(path) != nullptr) set_parameters(path, true);
  }

  void add_subresource(const ServedSubresource& part) {
    auto group = part.version.empty() ? kind_.resource.group : part.group;
    auto version = part.version.empty() ? kind_.resource.version : part.version;
    const bool is_own = part.kind == kind();
    auto exchanged = is_own ? name_ : definition_name(group, version, part.kind);
    // Streams and proxies have options instead of a body.
    if (part.subresource == Subresource::kLog || (!is_own && find_definition(exchanged) == nullptr)) return;
    const auto name = part.name();
    auto path = collection_ + "/{name}/" + name;
    auto suffix = name;
    suffix[0] = static_cast<char>(suffix[0] - 'a' + 'A');
    gvk_ = gvk_of(group, version, part.kind);
    auto own_name = std::exchange(name_, exchanged);
    for (const auto& verb : part.verbs) {
      if (verb == "create") {
        auto operation = create(name + " of " + with_article(kind()));
        operation.id += suffix;
        put(path, "post", operation);
        continue;
      }
      auto what = verb == "get" ? read(name) : write(verb == "update" ? "put" : "patch", name);
      what.id += suffix;
      put(path, verb == "update" ? "put" : verb, what);
    }
    set_parameters(path, true);
    name_ = own_name;
  }

 private:
  struct Operation {
    std::string id;
    std::string description;
    std::string action;
    ParameterNames parameters;
    std::string body;  // the name of the definition; empty: no body
    bool needs_body = false;
    std::string answer;
    std::vector<int> codes;
    bool is_list = false;
  };

  [[nodiscard]] Tree operation(const Operation& what) const {
    auto tree = Tree::object({{"description", what.description}, {"operationId", what.id}});
    auto parameters = Tree::array();
    for (const auto& name : what.parameters) parameters.items().push_back(parameter(name));
    if (!parameters.is_empty()) tree["parameters"] = parameters;
    if (!what.body.empty()) {
      const ParameterNames any{"*/*"};
      tree["requestBody"] = content(what.action == "patch" ? patch_types() : any, what.body);
      if (what.needs_body) tree["requestBody"]["required"] = true;
    }
    ParameterNames types{"application/json"};
    if (what.is_list) types.emplace_back("application/json;stream=watch");
    types.emplace_back("application/yaml");
    auto responses = Tree::object();
    for (int code : what.codes) {
      auto response = content(types, what.answer);
      response["description"] = code == 200 ? "OK" : code == 201 ? "Created" : "Accepted";
      responses[std::to_string(code)] = response;
    }
    responses["401"] = Tree::object({{"description", "Unauthorized"}});
    tree["responses"] = responses;
    tree["tags"] = Tree::array({tag_});
    tree["x-kubernetes-action"] = what.action;
    tree["x-kubernetes-group-version-kind"] = gvk_;
    return tree;
  }

  // `what`: "a Pod", "binding of a Pod".
  [[nodiscard]] Operation create(const std::string& what) const {
    return {.id = "create" + group_ + scope_ + kind(),
            .description = "create " + what,
            .action = "post",
            .parameters = {"dryRun", "fieldManager", "fieldValidation"},
            .body = name_,
            .needs_body = true,
            .answer = name_,
            .codes = {200, 201, 202}};
  }

  [[nodiscard]] Operation read(const std::string& part) const {
    return {
        .id = "read" + group_ + scope_ + kind(),
        .description = part.empty() ? "read the specified " + kind() : "read " + part + " of the specified " + kind(),
        .action = "get",
        .parameters = {},
        .answer = name_,
        .codes = {200}};
  }

  // `verb`: "patch" or "put".
  [[nodiscard]] Operation write(const std::string& verb, const std::string& part) const {
    const bool is_patch = verb == "patch";
    std::string what = is_patch ? "partially update " : "replace ";
    Operation made{.id = (is_patch ? "patch" : "replace") + group_ + scope_ + kind(),
                   .description = what + (part.empty() ? "" : part + " of ") + "the specified " + kind(),
                   .action = verb,
                   .parameters = {"dryRun", is_patch ? "patch.fieldManager" : "fieldManager", "fieldValidation"},
                   .body = is_patch ? std::string(kMetaTypes) + "Patch" : name_,
                   .needs_body = true,
                   .answer = name_,
                   .codes = {200, 201}};
    if (is_patch) made.parameters.emplace_back("force");
    if (is_patch && kind_.is_custom) made.codes = {200};
    return made;
  }

  void put(const std::string& path, const std::string& method, const Operation& what) {
    paths_[path][method] = operation(what);
  }

  void set_parameters(const std::string& path, bool has_name) {
    auto all = Tree::array();
    if (has_name) {
      all.items().push_back(Tree::object({{"description", "name of the " + kind()},
                                          {"in", "path"},
                                          {"name", "name"},
                                          {"required", true},
                                          {"schema", Tree::object({{"type", "string"}, {"uniqueItems", true}})}}));
    }
    if (path.find("{namespace}") != std::string::npos) all.items().push_back(parameter("namespace"));
    all.items().push_back(parameter("pretty"));
    paths_[path]["parameters"] = all;
  }

  [[nodiscard]] Tree content(const ParameterNames& types, const std::string& definition) const {
    named_.insert(definition);
    auto by_type = Tree::object();
    for (const auto& type : types) by_type[type] = reference(definition);
    return Tree::object({{"content", by_type}});
  }

  [[nodiscard]] ParameterNames patch_types() const {
    ParameterNames types{"application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"};
    if (!kind_.is_custom) types.emplace_back("application/strategic-merge-patch+json");
    return types;
  }

  [[nodiscard]] ParameterNames list_parameters() const {
    return words_of(
        "allowWatchBookmarks continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch "
        "sendInitialEvents timeoutSeconds watch");
  }

  [[nodiscard]] const std::string& kind() const { return kind_.resource.kind; }

  const ServedKind& kind_;
  Tree& paths_;
  std::set<std::string>& named_;
  std::string collection_;
  std::string group_;
  std::string tag_;
  std::string scope_;
  std::string name_;
  Tree gvk_;
};

}  // namespace

void add_openapi_paths(const ServedKind& kind, Tree& paths, std::set<std::string>& named) {
  Paths of_kind(kind, paths, named);
  of_kind.add_everywhere();
  of_kind.add_collection();
  of_kind.add_object();
  for (const auto& part : kind.subresources) Paths(kind, paths, named).add_subresource(part);
}

std::string api_root(const kube::Resource& resource) {
  return (resource.group.empty() ? "/api/" : "/apis/") + resource.api_version();
}

std::string collection_path(const kube::Resource& resource) {
  return api_root(resource) + (resource.namespaced ? "/namespaces/{namespace}/" : "/") + resource.plural;
}

std::string openapi_name(const ServedKind& kind) {
  const auto& resource = kind.resource;
  if (!kind.is_custom) return definition_name(resource.group, resource.version, resource.kind);
  std::string reversed;
  std::string_view rest = resource.group;
  while (!rest.empty()) {
    auto dot = rest.rfind('.');
    auto label = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
    reversed += std::string(label) + ".";
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(0, dot);
  }
  return reversed + resource.version + "." + resource.kind;
}

}  // namespace keelson::sandbox
