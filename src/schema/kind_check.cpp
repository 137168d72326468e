// Finds what the API server would reject in a kind, before anything is sent.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/nearest.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/schema/rule_check.hpp"

namespace keelson::kube {

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kMostSelectableFields = 8;
constexpr std::size_t kMostWarningBytes = 256;
constexpr std::array<std::string_view, 5> kColumnTypes{"boolean", "date", "integer", "number", "string"};
constexpr std::array<std::string_view, 8> kColumnFormats{"byte",  "date",  "date-time", "double",
                                                         "float", "int32", "int64",     "password"};

std::string in_quotes(std::string_view text) { return json::quoted(text); }

// Checks one version of a kind; the first version is the kind itself.
class KindCheck {
 public:
  explicit KindCheck(const Kind& kind) : kind_(kind), where_("kind " + kind.resource.kind + ": ") {}

  void check_names() const;
  void check_version() const;
  void check_versions() const;

 private:
  [[noreturn]] void fail(const std::string& what) const { throw base::Misuse(where_ + what); }
  void check_label(std::string_view what, const std::string& name) const;
  void check_word_list(std::string_view what, const Texts& words) const;
  void check_column(const PrinterColumn& column) const;
  void check_scale() const;
  void check_scale_path(std::string_view what, const std::string& path, std::string_view root) const;
  void check_selectable() const;
  void check_deprecation() const;
  void check_rule(const CelRule& rule) const;
  void check_metadata_keys() const;
  void check_selectable_versions() const;

  // The type in the schema at the path; fails if there is no such field. A map has every key.
  [[nodiscard]] std::string type_at(const std::string& what, const Texts& names) const;
  // The schema of "spec" or "status", parsed once.
  [[nodiscard]] json::View schema_of(const std::string& part) const;

  const Kind& kind_;
  std::string where_;
  mutable std::map<std::string, json::Document> schemas_;
};

void KindCheck::check_label(std::string_view what, const std::string& name) const {
  if (detail::is_label(name)) return;
  const auto lower = base::to_lower(name);
  const bool is_only_case = detail::is_label(lower);
  fail(std::string(what) + " " + in_quotes(name) + " " +
       (is_only_case ? "must be in lower case: write " + in_quotes(lower)
                     : "must be lower-case letters, digits and dashes, at most 63, a letter first"));
}

void KindCheck::check_word_list(std::string_view what, const Texts& words) const {
  std::set<std::string_view> seen;
  for (const auto& word : words) {
    check_label(what, word);
    if (!seen.insert(word).second) fail(std::string(what) + " " + in_quotes(word) + " is listed twice: remove one");
  }
}

void KindCheck::check_names() const {
  const auto& resource = kind_.resource;
  if (kind_.singular.empty()) {
    fail("`singular` is not set: " + in_quotes(base::to_lower(resource.kind)) + ", for example");
  }
  if (!detail::is_kind_name(resource.kind)) {
    fail("the kind " + in_quotes(resource.kind) + " must be one word in CamelCase, such as \"Website\"");
  }
  const bool has_dot = resource.group.find('.') != std::string::npos;
  if (!detail::is_subdomain(resource.group) || !has_dot) {
    fail("the group " + in_quotes(resource.group) + " must be a DNS name with a dot, such as \"web.example.com\"");
  }
  check_label("the plural", resource.plural);
  check_label("the singular", kind_.singular);
  check_word_list("the short name", kind_.short_names);
  check_word_list("the category", kind_.categories);
  check_metadata_keys();
}

void KindCheck::check_metadata_keys() const {
  for (const auto* map : {&kind_.labels, &kind_.annotations}) {
    for (const auto& [key, value] : *map) {
      if (detail::is_qualified_name(key)) continue;
      fail((map == &kind_.labels ? "the label " : "the annotation ") + in_quotes(key) +
           " of the CRD must be a name such as \"team\" or \"example.com/team\"");
    }
  }
  for (const auto& [key, value] : kind_.labels) {
    if (value.empty() ||
        (value.size() <= 63 && value.find('/') == std::string::npos && detail::is_qualified_name(value))) {
      continue;
    }
    fail("the value " + in_quotes(value) + " of the label " + in_quotes(key) +
         " must be at most 63 letters, digits, -, _ and ., with a letter or digit first and last: longer texts are for "
         "annotations");
  }
}

void KindCheck::check_column(const PrinterColumn& column) const {
  const auto at = "the column " + in_quotes(column.name);
  if (column.name.empty()) fail("a column has no name: " + in_quotes(column.json_path));
  const auto check_word = [&](const char* what, const std::string& word, const auto& known) {
    if (std::ranges::find(known, word) != known.end()) return;
    const Texts all(known.begin(), known.end());
    fail(at + " has the " + what + " " + in_quotes(word) + ": it must be one of " + base::join(all, ", "));
  };
  check_word("type", column.type, kColumnTypes);
  if (!column.format.empty()) check_word("format", column.format, kColumnFormats);
  if (!column.json_path.starts_with('.')) {
    fail(at + " has the path " + in_quotes(column.json_path) + ": it must begin with a dot, such as \".status.url\"");
  }
  if (column.priority < 0) fail(at + " has a negative priority: 0 is always shown, 1 with --output wide");
}

void KindCheck::check_scale_path(std::string_view what, const std::string& path, std::string_view root) const {
  const auto names = detail::names_of_path(path);
  const bool fits =
      names && names->size() > 1 && (names->front() == root || (root.empty() && names->front() != "metadata"));
  if (fits) return;
  fail("scale." + std::string(what) + " is " + in_quotes(path) + ": it must be a path under ." +
       std::string(root.empty() ? "spec or .status" : root) + ", without array notation");
}

void KindCheck::check_scale() const {
  if (!kind_.has_scale) return;
  check_scale_path("spec_replicas", kind_.scale.spec_replicas, "spec");
  check_scale_path("status_replicas", kind_.scale.status_replicas, "status");
  if (!kind_.scale.selector.empty()) check_scale_path("selector", kind_.scale.selector, {});
}

json::View KindCheck::schema_of(const std::string& part) const {
  const auto known = schemas_.find(part);
  if (known != schemas_.end()) return known->second.root();
  const auto& text = part == "spec" ? kind_.spec_schema : kind_.status_schema;
  auto document = json::Document::parse(text.empty() ? "{}" : text);
  if (!document) fail("the schema of its " + part + " is not JSON: " + document.error().message());
  return schemas_.emplace(part, std::move(*document)).first->second.root();
}

std::string KindCheck::type_at(const std::string& what, const Texts& names) const {
  auto schema = schema_of(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto properties = schema.find("properties");
    auto next = properties.find(names[i]);
    if (next.is_absent() && properties.is_absent()) next = schema.find("additionalProperties");
    if (next.is_absent()) {
      std::vector<std::string_view> known;
      for (const auto& [name, property] : properties.members()) known.push_back(name);
      const auto near = base::nearest(names[i], known);
      fail(what + ": there is no field " + in_quotes(names[i]) +
           (near ? " (did you mean " + std::string(*near) + "?)" : ""));
    }
    schema = next;
  }
  return std::string(schema.find("type").string().value_or(""));
}

void KindCheck::check_selectable() const {
  std::set<std::string_view> seen;
  for (const auto& path : kind_.selectable_fields) {
    const auto what = "the selectable field " + in_quotes(path);
    const auto names = detail::names_of_path(path);
    if (!names) fail(what + " must be a path of field names, such as \".spec.color\", without array notation");
    if (names->front() == "metadata") {
      fail(what +
           " is not needed: metadata.name and metadata.namespace can always be selected, and other metadata cannot");
    }
    if ((names->front() != "spec" && names->front() != "status") || names->size() < 2) {
      fail(what + " must be a field of the spec or the status, such as \".spec.color\"");
    }
    const auto type = type_at(what, *names);
    if (type != "string" && type != "boolean" && type != "integer") {
      fail(what + " has the type " + (type.empty() ? "any" : type) +
           ": only strings, booleans and integers can be selected");
    }
    if (!seen.insert(path).second) fail(what + " is listed twice: remove one");
  }
  if (kind_.selectable_fields.size() > kMostSelectableFields) {
    fail("it has " + std::to_string(kind_.selectable_fields.size()) +
         " selectable fields: the API server accepts at most " + std::to_string(kMostSelectableFields));
  }
}

void KindCheck::check_deprecation() const {
  const auto& warning = kind_.deprecation_warning;
  if (warning.empty()) return;
  if (!kind_.is_deprecated) fail("it has a deprecation_warning but is not deprecated: set `is_deprecated`");
  if (warning.size() > kMostWarningBytes) {
    fail("the deprecation_warning has " + std::to_string(warning.size()) + " bytes: at most " +
         std::to_string(kMostWarningBytes));
  }
  const bool is_one_line = std::ranges::none_of(warning, [](char c) { return c == '\n' || c == '\r'; });
  if (!is_one_line) fail("the deprecation_warning must be one line");
}

void KindCheck::check_rule(const CelRule& rule) const {
  if (const auto wrong = detail::rule_error(rule); !wrong.empty()) fail(wrong);
  if (rule.field_path.empty()) return;
  const auto what = "the rule " + in_quotes(rule.rule) + ": its field_path " + in_quotes(rule.field_path);
  const auto names = detail::names_of_rule_path(rule.field_path);
  if (!names) return;
  if (names->front() == "metadata") {
    if (rule.field_path != ".metadata.name") fail(what + ": in the metadata only .metadata.name is allowed");
    return;
  }
  if (names->front() != "spec" && names->front() != "status") {
    fail(what + ": there is no such field, begin with .spec, .status or .metadata.name");
  }
  static_cast<void>(type_at(what, *names));
}

void KindCheck::check_version() const {
  check_label("the version", kind_.resource.version);
  for (const auto& column : kind_.columns) check_column(column);
  for (const auto& rule : kind_.rules) check_rule(rule);
  check_scale();
  check_selectable();
  check_deprecation();
}

// If all versions have equal selectable fields, the API server stores them once for the definition, and requires the
// same for the schema.
void KindCheck::check_selectable_versions() const {
  bool has_any = !kind_.selectable_fields.empty();
  bool has_same_fields = true;
  bool has_same_schema = true;
  for (const Kind& other : kind_.other_versions) {
    has_any = has_any || !other.selectable_fields.empty();
    has_same_fields = has_same_fields && other.selectable_fields == kind_.selectable_fields;
    has_same_schema = has_same_schema && other.spec_schema == kind_.spec_schema &&
                      other.status_schema == kind_.status_schema && other.description == kind_.description &&
                      other.rules == kind_.rules;
  }
  if (!has_any || has_same_fields == has_same_schema) return;
  if (has_same_schema) {
    fail(
        "its versions have the same schema but different selectable fields: the API server rejects that, so list the "
        "same "
        "fields in all of them");
  }
  fail(
      "its versions have different schemas but the same selectable fields: the API server rejects that, so list the "
      "fields "
      "of "
      "one version in another order, or leave them out there");
}

void KindCheck::check_versions() const {
  Texts versions{kind_.resource.version};
  for (const Kind& other : kind_.other_versions) {
    const auto& version = other.resource.version;
    const auto at = "its version " + in_quotes(version);
    if (other.resource.group != kind_.resource.group || other.resource.kind != kind_.resource.kind) {
      fail(at + " has the kind " + other.resource.kind + "." + other.resource.group +
           ": all versions have one group and one kind");
    }
    if (std::ranges::find(versions, version) != versions.end()) fail(at + " is listed twice");
    versions.push_back(version);
    if (!other.other_versions.empty()) fail(at + " has other_versions of its own: list them in the kind's");
    KindCheck check(other);
    check.where_ = "kind " + kind_.resource.kind + ", version " + version + ": ";
    check.check_version();
  }
  check_selectable_versions();
  const auto& stored = kind_.storage_version;
  if (!stored.empty() && std::ranges::find(versions, stored) == versions.end()) {
    fail("the storage_version " + in_quotes(stored) + " is not one of its versions: " + base::join(versions, ", "));
  }
  if (!kind_.is_served) {
    fail("the version " + in_quotes(kind_.resource.version) +
         " is the one that the controller uses: it must be served");
  }
}

}  // namespace

void check_kind(const Kind& kind) {
  const KindCheck check(kind);
  check.check_names();
  check.check_version();
  check.check_versions();
}

}  // namespace keelson::kube
