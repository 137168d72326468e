#include "src/sandbox/validation/write_warnings.hpp"

#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/formats.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostWarnings = 1'000;

// The formats that the schema and the schemas below it have, and that the API server does not check.
void find_formats(const Tree& schema, std::vector<std::string>& found) {
  if (!schema.is_object() || found.size() >= kMostWarnings) return;
  const auto format = schema.text_at({"format"});
  if (!format.empty() && checked_format(schema.text_at({"type"}), format).empty()) found.push_back(format);
  if (const Tree* items = schema.find("items")) find_formats(*items, found);
  for (const char* name : {"allOf", "anyOf", "oneOf"}) {
    for (const auto& part : schema.items_at({name})) find_formats(part, found);
  }
  if (const Tree* negated = schema.find("not")) find_formats(*negated, found);
  for (const auto& [name, property] : schema.members_at({"properties"})) find_formats(property, found);
  if (const Tree* others = schema.find("additionalProperties")) find_formats(*others, found);
}

std::vector<std::string> formats_of(const Tree& definition) {
  std::vector<std::string> found;
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    if (const Tree* schema = version.at({"schema", "openAPIV3Schema"})) find_formats(*schema, found);
  }
  return found;
}

// Empty if the name has a domain.
std::string finalizer_warning(const std::string& finalizer) {
  const auto shown = "metadata.finalizers: " + base::quote_go(finalizer) + ": ";
  const bool is_standard = has_word("orphan foregroundDeletion kubernetes", finalizer);
  if (finalizer.find('/') != std::string::npos || is_standard) return "";
  const bool has_domain = finalizer.find('.') != std::string::npos;
  return shown + "prefer a domain-qualified finalizer name " + (has_domain ? "including a path (/) " : "") +
         "to avoid accidental conflicts with other finalizer writers";
}

std::set<std::string> difference(const std::vector<std::string>& after, const std::vector<std::string>& before) {
  std::set<std::string> added(after.begin(), after.end());
  for (const auto& one : before) added.erase(one);
  return added;
}

}  // namespace

std::vector<std::string> write_warnings(const ServedKind& kind, const Tree* before, const Tree& after) {
  std::vector<std::string> warnings;
  if (kind.is_custom) {
    const auto had = before != nullptr ? before->texts_at({"metadata", "finalizers"}) : std::vector<std::string>();
    for (const auto& finalizer : difference(after.texts_at({"metadata", "finalizers"}), had)) {
      if (auto warning = finalizer_warning(finalizer); !warning.empty()) warnings.push_back(std::move(warning));
    }
  } else if (kind.resource == kube::custom_resource_definitions()) {
    const auto had = before != nullptr ? formats_of(*before) : std::vector<std::string>();
    for (const auto& format : difference(formats_of(after), had)) {
      warnings.push_back("unrecognized format " + base::quote_go(format));
    }
  }
  return warnings;
}

}  // namespace keelson::sandbox
