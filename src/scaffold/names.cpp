#include "src/scaffold/names.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/kube/limits.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/schema/identity.hpp"
#include "src/scaffold/template_files.hpp"

namespace keelson::scaffold {

namespace {

// YAML 1.1 reads these words as booleans or null, and manifests have the names without quotes.
bool is_yaml_word(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords{"false", "n", "no", "null", "off", "on", "true", "y", "yes"};
  return std::ranges::find(kWords, base::to_lower(name)) != kWords.end();
}

Error broken_rule(std::string_view what, std::string_view value, std::string_view rule) {
  return invalid_error("invalid " + std::string(what) + " " + base::quote_go(std::string(value)) + ": " +
                       std::string(rule));
}

bool is_version(std::string_view text) {
  const auto take_number = [&text] {
    std::size_t size = 0;
    while (size < text.size() && size < 2 && base::is_digit(text[size])) ++size;
    const bool is_positive = size > 0 && text.front() != '0';
    text.remove_prefix(size);
    return is_positive;
  };
  if (!text.starts_with('v')) return false;
  text.remove_prefix(1);
  if (!take_number()) return false;
  if (text.empty()) return true;
  const std::string_view stage = text.starts_with("alpha") ? "alpha" : "beta";
  if (!text.starts_with(stage)) return false;
  text.remove_prefix(stage.size());
  return take_number() && text.empty();
}

// Clients and the API server recognize these kinds in any group: lists, errors, tables, events of a watch, options.
bool is_kind_of_every_group(std::string_view kind) {
  constexpr std::array<std::string_view, 15> kKinds{"APIGroup",
                                                    "APIGroupList",
                                                    "APIResourceList",
                                                    "APIVersions",
                                                    "CreateOptions",
                                                    "DeleteOptions",
                                                    "GetOptions",
                                                    "List",
                                                    "ListOptions",
                                                    "PartialObjectMetadata",
                                                    "PartialObjectMetadataList",
                                                    "PatchOptions",
                                                    "Table",
                                                    "UpdateOptions",
                                                    "WatchEvent"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

}  // namespace

Result<void> check_domain(std::string_view domain) {
  if (kube::detail::is_subdomain(domain)) return {};
  return broken_rule("domain", domain,
                     "use a DNS name in lower case, such as \"example.com\": letters, digits, dashes and dots");
}

Result<void> check_project_name(std::string_view name) {
  if (is_yaml_word(name)) return broken_rule("name", name, "YAML reads it as a boolean or null; use another name");
  if (kube::detail::is_label(name) && name.size() <= limits::kOperatorNameBytes) return {};
  return broken_rule("name", name,
                     "use at most " + std::to_string(limits::kOperatorNameBytes) +
                         " lower-case letters, digits and dashes, with a letter first and no dash last, such as "
                         "\"website-operator\"");
}

Result<void> check_group(std::string_view group) {
  if (kube::detail::is_subdomain(group)) return {};
  return broken_rule(
      "group", group,
      "use a DNS name in lower case, such as \"web\": letters, digits, dashes and dots. The domain of the "
      "project is appended");
}

Result<void> check_version(std::string_view version) {
  if (is_version(version)) return {};
  return broken_rule("version", version, "use v1, v2alpha1 or v1beta2: a number, or a number after alpha or beta");
}

Result<void> check_external_version(std::string_view version) {
  if (kube::detail::is_label(version)) return {};
  return broken_rule("version", version, "use lower-case letters, digits and dashes, with a letter first");
}

Result<void> check_plural(std::string_view plural) {
  if (kube::detail::is_label(plural)) return {};
  return broken_rule("plural", plural, "use one word in lower case, such as \"websites\"");
}

Result<void> check_kind(std::string_view kind) {
  if (!kube::detail::is_kind_name(kind)) {
    return broken_rule("kind", kind,
                       "use one word in CamelCase, such as \"Website\": letters and digits, a capital first");
  }
  if (is_yaml_word(kind)) return broken_rule("kind", kind, "YAML reads it as a boolean or null; use another name");
  if (!kube::detail::is_label(kube::plural_of(kind))) {
    return broken_rule("kind", kind, "its plural is longer than 63 characters; use a shorter name");
  }
  if (is_kind_of_every_group(kind)) {
    return broken_rule("kind", kind, "every API group of Kubernetes has a kind of this name; use a more specific one");
  }
  // Generated code uses these names of the library without their namespace.
  constexpr std::array<std::string_view, 7> kUsedNames{"Error",  "Finalizer", "Pass",  "Reconciled",
                                                       "Result", "Spec",      "Status"};
  const bool is_used = std::ranges::find(kUsedNames, kind) != kUsedNames.end();
  if (!is_used && is_free_name(kind)) return {};
  return broken_rule("kind", kind, "C++ or the library has this name; use a more specific one");
}

std::string project_name_of_folder(std::string_view folder) {
  std::string name;
  for (const char c : base::to_lower(folder)) name += c == '_' || c == ' ' || c == '.' ? '-' : c;
  return name;
}

bool is_free_name(std::string_view name) {
  return template_of("taken_names.txt").find("\n" + std::string(name) + "\n") == std::string_view::npos;
}

std::string first_label(std::string_view group) {
  std::string label(group.substr(0, group.find('.')));
  std::ranges::replace(label, '-', '_');
  return label;
}

}  // namespace keelson::scaffold
