// The commands `init`, `create api` and `create webhook`.
#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/scaffold/commands.hpp"
#include "src/scaffold/default_kustomization.hpp"
#include "src/scaffold/file_io.hpp"
#include "src/scaffold/lines.hpp"
#include "src/scaffold/named_kind.hpp"
#include "src/scaffold/names.hpp"
#include "src/scaffold/open_project.hpp"
#include "src/scaffold/template_files.hpp"

namespace keelson::scaffold {

namespace {

Result<bool> decide(const std::optional<bool>& given, const Ask& ask, const std::string& question) {
  return given ? Result<bool>(*given) : ask(question);
}

// Decides whether the kind is defined here and has a controller.
Result<void> decide_parts(const ApiOptions& options, ProjectKind& kind) {
  const auto* known = kind.has_resource ? find_in_kubernetes(options.kind.group, kind.version, kind.kind)
                                        : find_in_kubernetes(kind.group, kind.version, kind.kind);
  if (kind.has_resource) {
    KEELSON_LET(kind.has_resource, decide(options.has_resource, options.ask, "Create Resource [y/n]"));
    // kubebuilder's way to name a kind of Kubernetes: --group apps --version v1 --kind Deployment --resource=false.
    if (!kind.has_resource && known != nullptr) kind.group = known->group;
    if (!kind.has_resource && known == nullptr) {
      return invalid_error("without a resource, " + kind.kind +
                           " must exist already: name it with --external GROUP/VERSION/" + kind.kind);
    }
  } else if (options.has_resource.value_or(false)) {
    return invalid_error("--resource defines a new kind, and --external names an existing one: leave out one of them");
  }
  kind.is_namespaced = kind.has_resource || known == nullptr ? options.is_namespaced : known->is_namespaced;
  KEELSON_LET(kind.has_controller, decide(options.has_controller, options.ask, "Create Controller [y/n]"));
  if (kind.has_resource || kind.has_controller) return {};
  return invalid_error("neither a resource nor a controller: there is nothing to create");
}

Result<void> insert_lines(TreeChange& change, const std::vector<Insertion>& lines) {
  for (const auto& [path, marker, line] : lines) {
    // A user may have deleted the test.
    if (path == kE2eTest && !change.content(path)) continue;
    KEELSON_LET(const auto content, change.content(path));
    KEELSON_LET(auto inserted, insert_at_marker(content, path, marker, line));
    change.write(path, inserted);
  }
  return {};
}

// Lines that were inserted before are not inserted again: a person may have moved or removed them.
std::vector<Insertion> new_lines(const std::vector<Insertion>& before, std::vector<Insertion> after) {
  std::erase_if(after, [&](const auto& line) { return std::ranges::find(before, line) != before.end(); });
  return after;
}

// Adds the files of the kind that the project did not have before.
void create_files(TreeChange& change, const Project& project, const ProjectKind& kind, const Files& before) {
  for (const auto& [path, content] : kind_files(project, kind)) {
    if (!before.contains(path)) change.create(path, content);
  }
}

// The controller of a kind that was created without one, and now also declares its kind.
Result<void> add_controller(TreeChange& change, const Project& project, ProjectKind& kind) {
  const auto before = kind_files(project, kind);
  for (const auto& [path, marker, line] : insertions_of(kind)) {
    // The include stays, because other lines may need it.
    if (marker != "kinds") continue;
    KEELSON_LET(const auto content, change.content(path));
    change.write(path, without_line(content, line));
  }
  kind.has_controller = true;
  create_files(change, project, kind, before);
  return insert_lines(change, insertions_of(kind));
}

// Kinds in one group need different plurals: their CRDs and URLs have them.
Result<void> check_plural_is_free(const Project& project, const ProjectKind& kind) {
  for (const auto& other : project.kinds) {
    if (other.group != kind.group || plural_of(other) != plural_of(kind)) continue;
    return invalid_error("the kind " + full_name(other) + " has the plural " + plural_of(kind) + " already");
  }
  return {};
}

// The API server lists the objects of a kind as a kind with this suffix, and accepts no other kind of that name.
Result<void> check_list_is_free(const Project& project, const ProjectKind& kind) {
  for (const auto& other : project.kinds) {
    if (other.group != kind.group) continue;
    const bool is_list_of_other = kind.kind == other.kind + "List";
    if (!is_list_of_other && other.kind != kind.kind + "List") continue;
    return invalid_error("the kind " + (is_list_of_other ? kind.kind : other.kind) + " is the list of the kind " +
                         (is_list_of_other ? other.kind : kind.kind) + ": use a kind of another name");
  }
  return {};
}

Result<void> check_scope(const TreeChange& change, const ProjectKind& kind) {
  const auto content = change.content(kDefaultKustomization);
  if (kind.is_namespaced || !content || !has_feature(*content, Feature::kNamespaced)) return {};
  return invalid_error("the operator works only in its own namespace, and " + kind.kind +
                       " is cluster-scoped: run keelson edit --namespaced=false first");
}

Error already_exists(const ProjectKind& known, const ProjectKind& kind) {
  auto text = "the project has the kind " + full_name(known) + " already, in src/" + known.unit;
  if (known.version != kind.version) {
    text += "; for another version of it, see Kind::other_versions in keelson/detail/schema/kind.hpp";
  }
  if (!known.has_controller) text += "; to create its controller, add --resource=false --controller";
  return invalid_error(std::move(text));
}

// A kind without a controller has a CRD if any controller defines it.
bool has_crds(const Project& project) {
  const auto& kinds = project.kinds;
  return std::ranges::any_of(kinds, [](const auto& kind) { return kind.has_resource; }) &&
         std::ranges::any_of(kinds, [](const auto& kind) { return kind.has_controller; });
}

// Enables a feature of the manifests that the project has from now on. A user may have changed it later.
Result<void> enable_first(TreeChange& change, Feature feature, bool before, bool after) {
  if (before || !after) return {};
  KEELSON_LET(const auto content, change.content(kDefaultKustomization));
  // Webhooks apply to the whole cluster.
  if (feature == Feature::kWebhooks && has_feature(content, Feature::kNamespaced)) return {};
  const auto enabled = with_feature(content, feature);
  if (enabled != content) change.write(kDefaultKustomization, enabled);
  return {};
}

}  // namespace

Result<TreeChange> init(const std::filesystem::path& root, const InitOptions& options) {
  KEELSON_LET(const auto existing, read_file(root / kProjectFile));
  if (existing) return invalid_error("this folder contains a project already: PROJECT exists");
  Project project;
  project.domain = options.domain;
  project.version = options.version;
  project.name = options.name.empty() ? project_name_of_folder(root.filename().string()) : options.name;
  KEELSON_TRY(check_domain(project.domain));
  auto named = check_project_name(project.name);
  if (!named && options.name.empty()) {
    return std::move(named).error().with_context("the name of the folder is not a valid project name: use --name");
  }
  if (!named) return std::move(named).error();
  TreeChange change(root);
  for (const auto& [path, content] : project_files(project)) change.create(path, content);
  change.write(std::string(kProjectFile), project_text(project));
  return change;
}

Result<TreeChange> create_api(const std::filesystem::path& root, const ApiOptions& options) {
  KEELSON_LET(auto project, open_project(root));
  KEELSON_LET(auto kind, kind_named(project, options.kind));
  const bool had_crds = has_crds(project);
  TreeChange change(root);
  if (auto* known = find_kind(project, kind.group, kind.kind)) {
    const bool adds_controller = options.has_controller.value_or(false) && !options.has_resource.value_or(true);
    if (known->version != kind.version || known->has_controller || !adds_controller) {
      return already_exists(*known, kind);
    }
    KEELSON_TRY(add_controller(change, project, *known));
  } else {
    KEELSON_TRY(decide_parts(options, kind));
    // With --resource=false, a kind of Kubernetes has another group than the command line says.
    if (const auto* same = find_kind(project, kind.group, kind.kind)) return already_exists(*same, kind);
    KEELSON_TRY(check_plural_is_free(project, kind));
    KEELSON_TRY(check_list_is_free(project, kind));
    KEELSON_TRY(check_scope(change, kind));
    kind.unit = choose_unit(project, kind.group, kind.kind);
    create_files(change, project, kind, {});
    KEELSON_TRY(insert_lines(change, insertions_of(kind)));
    project.kinds.push_back(std::move(kind));
  }
  KEELSON_TRY(enable_first(change, Feature::kCrd, had_crds, has_crds(project)));
  change.write(std::string(kProjectFile), project_text(project));
  return change;
}

Result<TreeChange> create_webhook(const std::filesystem::path& root, const WebhookOptions& options) {
  KEELSON_LET(auto project, open_project(root));
  KEELSON_LET(auto named, kind_named(project, options.kind));
  if (!options.has_defaulter && !options.has_validator) {
    return invalid_error("there is nothing to create: use --defaulting, --programmatic-validation or both");
  }
  auto* kind = find_kind(project, named.group, named.kind);
  // A kind of Kubernetes may also be named without --external.
  const auto* kubernetes = find_in_kubernetes(options.kind.group, named.version, named.kind);
  if (kind == nullptr && kubernetes != nullptr) kind = find_kind(project, kubernetes->group, named.kind);
  if (kind == nullptr || kind->version != named.version) {
    return invalid_error("the project has no kind " + full_name(named) + ": create it first, with keelson create api");
  }
  if (!kind->has_controller) {
    return invalid_error("the kind " + full_name(*kind) + " has no controller, which webhooks are registered with");
  }
  if ((options.has_defaulter && kind->has_defaulter) || (options.has_validator && kind->has_validator)) {
    return invalid_error("the kind " + full_name(*kind) + " has this webhook already: src/" + kind->unit + "/" +
                         kind->unit +
                         (options.has_defaulter && kind->has_defaulter ? "_defaulter.cpp" : "_validator.cpp"));
  }
  const bool had_webhooks = has_webhooks(project);
  const auto files_before = kind_files(project, *kind);
  const auto lines_before = insertions_of(*kind);
  kind->has_defaulter = kind->has_defaulter || options.has_defaulter;
  kind->has_validator = kind->has_validator || options.has_validator;
  TreeChange change(root);
  create_files(change, project, *kind, files_before);
  KEELSON_TRY(insert_lines(change, new_lines(lines_before, insertions_of(*kind))));
  KEELSON_TRY(enable_first(change, Feature::kWebhooks, had_webhooks, true));
  change.write(std::string(kProjectFile), project_text(project));
  return change;
}

}  // namespace keelson::scaffold
