#include "src/scaffold/project.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/scaffold/names.hpp"

namespace keelson::scaffold {

namespace {

constexpr std::string_view kHead =
    "# What this project contains. Written by the program keelson, which needs it: do not change it by hand.\n";
// The format of this file.
constexpr std::string_view kFormat = "1";

void write_kind(json::Writer& out, const ProjectKind& kind) {
  out.begin_object();
  out.field("group", kind.group)
      .field("version", kind.version)
      .field("kind", kind.kind)
      .field("path", "src/" + kind.unit);
  if (!kind.plural.empty()) out.field("plural", kind.plural);
  out.field("namespaced", kind.is_namespaced);
  out.field("resource", kind.has_resource);
  out.field("controller", kind.has_controller);
  out.field("defaulting", kind.has_defaulter);
  out.field("validation", kind.has_validator);
  out.end_object();
}

Result<bool> read_bool(json::View object, std::string_view name) {
  const auto value = object.find(name).boolean();
  if (value) return *value;
  return malformed_error("PROJECT: " + std::string(name) + " of a kind must be true or false");
}

bool is_of_version(char c) {
  return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || c == '.' || c == '-' ||
         c == '+';
}

std::string read_text(json::View object, std::string_view name) {
  return std::string(object.find(name).string().value_or(""));
}

Result<ProjectKind> read_kind(json::View object) {
  ProjectKind kind;
  kind.group = read_text(object, "group");
  kind.version = read_text(object, "version");
  kind.kind = read_text(object, "kind");
  KEELSON_TRY(kind.group.empty() ? Result<void>() : check_group(kind.group));
  kind.plural = read_text(object, "plural");
  KEELSON_TRY(kind.plural.empty() ? Result<void>() : check_plural(kind.plural));
  KEELSON_TRY(check_kind(kind.kind));
  const auto path = read_text(object, "path");
  constexpr std::string_view kFolder = "src/";
  const auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '_'; };
  if (path.starts_with(kFolder)) kind.unit = path.substr(kFolder.size());
  // The path becomes part of the paths of files that are written.
  if (!is_free_name(kind.unit) || kind.unit.empty() || base::is_digit(kind.unit.front()) ||
      !std::ranges::all_of(kind.unit, is_inner)) {
    return malformed_error("PROJECT: the path of " + kind.kind + " must be a folder in src, such as src/website");
  }
  KEELSON_LET(kind.is_namespaced, read_bool(object, "namespaced"));
  KEELSON_LET(kind.has_resource, read_bool(object, "resource"));
  if (kind.has_resource && kind.group.empty()) {
    return malformed_error("PROJECT: the group of " + kind.kind + " is missing");
  }
  KEELSON_LET(kind.has_controller, read_bool(object, "controller"));
  KEELSON_LET(kind.has_defaulter, read_bool(object, "defaulting"));
  KEELSON_LET(kind.has_validator, read_bool(object, "validation"));
  KEELSON_TRY(kind.has_resource ? check_version(kind.version) : check_external_version(kind.version));
  if ((kind.has_defaulter || kind.has_validator) && !kind.has_controller) {
    return malformed_error("PROJECT: " + kind.kind + " has webhooks and no controller, which they are registered with");
  }
  return kind;
}

}  // namespace

std::string project_text(const Project& project) {
  json::Writer out;
  out.begin_object().field("format", kFormat).field("cliVersion", project.version);
  out.field("domain", project.domain).field("projectName", project.name);
  out.key("resources").begin_array();
  for (const auto& kind : project.kinds) write_kind(out, kind);
  out.end_array().end_object();
  const auto document = json::Document::parse(std::move(out).take());
  return std::string(kHead) + json::to_yaml(document->root());
}

Result<Project> parse_project(std::string_view text) {
  auto json = json::yaml_to_json(text);
  if (!json) return std::move(json).error().with_context("PROJECT");
  KEELSON_LET(const auto document, json::Document::parse(std::move(*json)));
  const auto root = document.root();
  if (read_text(root, "format") != kFormat) {
    return malformed_error("PROJECT: it was not written by this program: its format must be \"" + std::string(kFormat) +
                           "\"");
  }
  Project project{read_text(root, "domain"), read_text(root, "projectName"), read_text(root, "cliVersion"), {}};
  if (!std::ranges::all_of(project.version, is_of_version)) {
    return malformed_error("PROJECT: cliVersion must be a version such as \"0.1.0\", not " +
                           base::quote_go(project.version));
  }
  KEELSON_TRY(check_domain(project.domain));
  KEELSON_TRY(check_project_name(project.name));
  if (!root.find("resources").is_array()) return malformed_error("PROJECT: resources must be a list");
  for (const auto entry : root.find("resources").items()) {
    KEELSON_LET(auto kind, read_kind(entry));
    for (const auto& other : project.kinds) {
      if (other.unit != kind.unit && (other.group != kind.group || other.kind != kind.kind)) continue;
      return malformed_error("PROJECT: the kind " + kind.kind + " or its path is listed twice");
    }
    project.kinds.push_back(std::move(kind));
  }
  return project;
}

ProjectKind* find_kind(Project& project, std::string_view group, std::string_view kind) {
  const auto is_same = [&](const auto& other) { return other.group == group && other.kind == kind; };
  const auto found = std::ranges::find_if(project.kinds, is_same);
  return found == project.kinds.end() ? nullptr : &*found;
}

bool has_webhooks(const Project& project) {
  return std::ranges::any_of(project.kinds, [](const auto& kind) { return kind.has_defaulter || kind.has_validator; });
}

std::string choose_unit(const Project& project, std::string_view group, std::string_view kind) {
  const auto is_taken = [&](const std::string& unit) {
    const auto has_unit = [&](const auto& other) { return other.unit == unit; };
    return !is_free_name(unit) || std::ranges::any_of(project.kinds, has_unit);
  };
  auto name = base::to_lower(kind);
  if (!is_taken(name)) return name;
  auto unit = (group.empty() ? "core" : first_label(group)) + "_" + name;
  if (base::is_digit(unit.front())) unit.insert(0, "group_");
  for (int number = 2; is_taken(unit); ++number) unit = name + "_" + std::to_string(number);
  return unit;
}

}  // namespace keelson::scaffold
