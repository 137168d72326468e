#include "src/sandbox/custom/version_check.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/internal_form.hpp"
#include "src/sandbox/custom/schema_path.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/structural_support.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostSelectableFields = 8;

void check_simple_path(const std::string& path, const std::string& field, FieldErrors& errors) {
  if (path[0] != '.') errors.invalid(field, Tree(path), "must be a simple json path starting with .");
}

// `prefixes`: the fields below which the path must be.
void check_scale_path(const std::string& path, const std::string& field, const std::vector<std::string>& prefixes,
                      FieldErrors& errors) {
  if (path[0] != '.') return check_simple_path(path, field, errors);
  auto is_below = [&path](const std::string& prefix) { return path.starts_with(prefix + "."); };
  if (std::ranges::any_of(prefixes, is_below)) return;
  errors.invalid(field, Tree(path),
                 std::string("should be a json path under ") + (prefixes.size() > 1 ? "either " : "") +
                     base::join(prefixes, " or "));
}

void check_subresources(const Tree& subresources, const std::string& at, FieldErrors& errors) {
  const Tree* scale = object_at(subresources, "scale");
  if (scale == nullptr) return;
  const std::pair<const char*, std::vector<std::string>> paths[] = {{"specReplicasPath", {".spec"}},
                                                                    {"statusReplicasPath", {".status"}},
                                                                    {"labelSelectorPath", {".spec", ".status"}}};
  for (const auto& [name, prefixes] : paths) {
    const auto path = scale->text_at({name});
    const auto field = at + ".scale." + name;
    if (!path.empty()) check_scale_path(path, field, prefixes, errors);
    if (path.empty() && prefixes.size() == 1) errors.required(field);
  }
}

void check_column(const Tree& column, const std::string& at, FieldErrors& errors) {
  constexpr const char* kWhy = "must be one of boolean,date,integer,number,string";
  auto type = column.text_at({"type"});
  auto format = column.text_at({"format"});
  auto path = column.text_at({"jsonPath"});
  if (column.text_at({"name"}).empty()) errors.required(at + ".name");
  if (type.empty()) errors.required(at + ".type", kWhy);
  if (!type.empty() && !has_word("boolean date integer number string", type)) {
    errors.invalid(at + ".type", Tree(type), kWhy);
  }
  if (!format.empty() && !has_word("byte date date-time double float int32 int64 password", format)) {
    errors.invalid(at + ".format", Tree(format),
                   "must be one of byte,date,date-time,double,float,int32,int64,password");
  }
  if (path.empty()) {
    errors.required(at + ".JSONPath");
  } else {
    check_simple_path(path, at + ".JSONPath", errors);
  }
}

// The reasons why a field cannot be selected.
std::vector<std::string> selectable_errors(const SchemaPath& path) {
  if (!path.error.empty()) return {"is an invalid path: " + path.error};
  std::vector<std::string> errors;
  if (path.root == "metadata") errors.emplace_back("must not point to fields in metadata");
  const auto type = path.schema != nullptr ? path.schema->text_at({"type"}) : "";
  if (type != "string" && type != "boolean" && type != "integer") {
    errors.emplace_back(
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are "
        "allowed.");
  }
  return errors;
}

// The API server searches for the schema in the same place as the fields: in the version, or in the common part if all
// versions have the same fields.
void check_selectable(const Tree& version, const std::string& at, bool has_schema_there, FieldErrors& errors) {
  const Tree* schema = version.at({"schema", "openAPIV3Schema"});
  std::set<std::string> seen;
  const auto& fields = version.items_at({"selectableFields"});
  if (fields.empty()) return;
  if (!has_schema_there || schema == nullptr) {
    const bool is_shared = at == "spec.selectableFields";
    return errors.invalid(at, Tree(""),
                          is_shared ? "may only be set when validations.schema is included"
                                    : "may only be set when `version.schema.openAPIV3Schema` is not included");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto path = fields[i].text_at({"jsonPath"});
    auto field = index_path(at, i) + ".jsonPath";
    if (path.empty()) {
      errors.required(field);
      continue;
    }
    const auto found = resolve_schema_path(path, *schema, PathKeys::kForbidden);
    for (const auto& wrong : selectable_errors(found)) errors.invalid(field, Tree(path), wrong);
    if (found.error.empty() && !seen.insert(found.text).second) errors.duplicate(field, Tree(path));
  }
  if (seen.size() > kMostSelectableFields) errors.add(FieldError::too_many(at, seen.size(), kMostSelectableFields));
}

// If the status subresource is enabled, only these keywords are allowed at the root: the schema of the status must be
// complete by itself. The first other keyword is reported.
void check_root_keywords(const Tree& schema, const std::string& path, FieldErrors& errors) {
  constexpr const char* kAllowed =
      "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern "
      "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
      "XValidations";
  for (const auto& keyword : set_keywords(schema)) {
    const bool is_type = std::string_view(keyword.json) == "type";
    if (is_type && schema.text_at({"type"}) != "object") {
      return errors.invalid(
          path + ".type", Tree(schema.text_at({"type"})),
          "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled");
    }
    if (has_word(kAllowed, keyword.name)) continue;
    return errors.add({FieldReason::kInvalid, path, internal_schema(schema),
                       "only [" + std::string(kAllowed) +
                           "] fields are allowed at the root of the schema if the status subresource is "
                           "enabled"});
  }
}

void check_version_schema(const Tree& version, const std::string& at, const VersionParts& parts, FieldErrors& errors) {
  const Tree* schema = version.at({"schema", "openAPIV3Schema"});
  if (schema == nullptr) return;
  auto path = at + ".openAPIV3Schema";
  const auto before = errors.list().size();
  if (parts.has_status) check_root_keywords(*schema, path, errors);
  if (schema->is_true_at({"nullable"})) errors.forbidden(path + ".nullable", "nullable cannot be true at the root");
  const auto unsupported = unsupported_keyword(*schema);
  const auto first = errors.list().size();
  if (unsupported.empty()) {
    check_structure(*schema, path, parts.pattern_budget, errors);
    if (errors.list().size() == first) check_schema_defaults(*schema, path, errors);
  }
  const bool has_rules = unsupported.empty() && errors.list().size() == first && parts.rule_budget > 0;
  const auto with_errors = check_schema_keywords(*schema, path, unsupported.empty(), errors);
  if (errors.list().size() == before && !unsupported.empty()) errors.invalid(path, Tree(""), unsupported);
  if (has_rules) check_rules(*schema, path, parts.rule_budget, with_errors, errors);
}

}  // namespace

void check_version_parts(const Tree& version, const VersionParts& parts, const std::string& path, FieldErrors& errors) {
  const bool is_shared = path == "spec";
  if (parts.schema) check_version_schema(version, path + (is_shared ? ".validation" : ".schema"), parts, errors);
  if (const Tree* subresources = object_at(version, "subresources"); subresources != nullptr && parts.subresources) {
    check_subresources(*subresources, path + ".subresources", errors);
  }
  if (parts.columns) {
    const auto& columns = version.items_at({"additionalPrinterColumns"});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      check_column(columns[i], index_path(path + ".additionalPrinterColumns", i), errors);
    }
  }
  if (parts.selectable) check_selectable(version, path + ".selectableFields", parts.schema, errors);
}

}  // namespace keelson::sandbox
