#include "src/scaffold/named_kind.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/scaffold/names.hpp"

namespace keelson::scaffold {

namespace {

// GROUP/VERSION/KIND; the core group is "core" or empty.
Result<ProjectKind> parse_external(const std::string& text) {
  const auto first = text.find('/');
  const auto second = first == text.npos ? text.npos : text.find('/', first + 1);
  if (second == text.npos) {
    return invalid_error("invalid --external " + base::quote_go(text) +
                         ": use GROUP/VERSION/KIND, such as apps/v1/Deployment or core/v1/Namespace");
  }
  ProjectKind kind;
  kind.has_resource = false;
  kind.group = text.substr(0, first);
  kind.version = text.substr(first + 1, second - first - 1);
  kind.kind = text.substr(second + 1);
  if (kind.group == "core") kind.group = "";
  if (kind.group.empty()) return kind;
  KEELSON_TRY(check_group(kind.group));
  return kind;
}

}  // namespace

Result<ProjectKind> kind_named(const Project& project, const KindOptions& options) {
  ProjectKind kind;
  if (!options.external.empty()) {
    if (!options.group.empty() || !options.version.empty() || !options.kind.empty()) {
      return invalid_error("--external names a kind completely: leave out --group, --version and --kind");
    }
    KEELSON_LET(kind, parse_external(options.external));
  } else {
    if (options.version.empty()) return invalid_error("--version is missing, such as --version v1");
    if (options.kind.empty()) return invalid_error("--kind is missing, such as --kind Website");
    KEELSON_TRY(check_group(options.group.empty() ? project.domain : options.group));
    kind.group = options.group.empty() ? project.domain : options.group + "." + project.domain;
    KEELSON_TRY(check_group(kind.group));
    kind.version = options.version;
    kind.kind = options.kind;
  }
  KEELSON_TRY(kind.has_resource ? check_version(kind.version) : check_external_version(kind.version));
  KEELSON_TRY(check_kind(kind.kind));
  kind.plural = options.plural;
  KEELSON_TRY(kind.plural.empty() ? Result<void>() : check_plural(kind.plural));
  return kind;
}

std::string full_name(const ProjectKind& kind) {
  return kind.kind + " (" + (kind.group.empty() ? "core" : kind.group) + "/" + kind.version + ")";
}

const KubernetesKind* find_in_kubernetes(std::string_view group, std::string_view version, std::string_view kind) {
  return find_kubernetes_kind(group == "core" ? "" : group, version, kind);
}

}  // namespace keelson::scaffold
