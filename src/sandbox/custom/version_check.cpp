#include "src/sandbox/custom/version_check.hpp"

#include <algorithm>
#include <set>

#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/fields/simple_path.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostSelectableFields = 8;

void check_simple_path(const std::string& path, const std::string& field, FieldErrors& errors) {
  if (path[0] != '.') errors.invalid(field, Tree(path), "must be a simple json path starting with .");
}

void check_scale_path(const Tree& scale, const char* name, const std::string& at, const std::string& prefix,
                      FieldErrors& errors) {
  auto path = scale.text_at({name});
  auto field = at + ".scale." + name;
  if (path.empty()) return errors.required(field);
  if (path[0] != '.') return check_simple_path(path, field, errors);
  if (!path.starts_with(prefix + ".")) errors.invalid(field, Tree(path), "should be a json path under " + prefix);
}

void check_subresources(const Tree& subresources, const std::string& at, FieldErrors& errors) {
  const Tree* scale = object_at(subresources, "scale");
  if (scale == nullptr) return;
  check_scale_path(*scale, "specReplicasPath", at, ".spec", errors);
  check_scale_path(*scale, "statusReplicasPath", at, ".status", errors);
  auto selector = scale->text_at({"labelSelectorPath"});
  auto field = at + ".scale.labelSelectorPath";
  if (selector.empty()) return;
  if (selector[0] != '.') return check_simple_path(selector, field, errors);
  if (!selector.starts_with(".spec.") && !selector.starts_with(".status.")) {
    errors.invalid(field, Tree(selector), "should be a json path under either .spec or .status");
  }
}

void check_column(const Tree& column, const std::string& at, FieldErrors& errors) {
  static const std::set<std::string> kTypes{"boolean", "date", "integer", "number", "string"};
  static const std::set<std::string> kFormats{"byte",  "date",  "date-time", "double",
                                              "float", "int32", "int64",     "password"};
  constexpr const char* kWhy = "must be one of boolean,date,integer,number,string";
  auto type = column.text_at({"type"});
  auto format = column.text_at({"format"});
  auto path = column.text_at({"jsonPath"});
  if (column.text_at({"name"}).empty()) errors.required(at + ".name");
  if (type.empty()) errors.required(at + ".type", kWhy);
  if (!type.empty() && !kTypes.contains(type)) errors.invalid(at + ".type", Tree(type), kWhy);
  if (!format.empty() && !kFormats.contains(format)) {
    errors.invalid(at + ".format", Tree(format),
                   "must be one of byte,date,date-time,double,float,int32,int64,password");
  }
  if (path.empty()) {
    errors.required(at + ".JSONPath");
  } else {
    check_simple_path(path, at + ".JSONPath", errors);
  }
}

// The reason why a field cannot be selected; empty if it can.
std::string selectable_error(const std::string& path, const Tree& schema) {
  if (path.find('[') != std::string::npos) return "is an invalid path: array notation is not allowed";
  if (path[0] != '.') return "is an invalid path: expected [ or . but got: " + path.substr(0, path.find('.'));
  const Tree* at = &schema;
  for (const auto& name : path_of(path)) {
    if (const Tree* property = at->at({"properties", name})) {
      at = property;
    } else if (const Tree* others = object_at(*at, "additionalProperties");
               others != nullptr && at->members_at({"properties"}).empty()) {
      at = others;
    } else {
      return "is an invalid path: does not refer to a valid field";
    }
  }
  if (path == ".metadata" || path.starts_with(".metadata.")) return "must not point to fields in metadata";
  auto type = at->text_at({"type"});
  if (type == "string" || type == "boolean" || type == "integer") return "";
  return "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are "
         "allowed.";
}

// The API server searches for the schema in the same place as the fields: in the version, or in the common part if all
// versions have the same fields.
void check_selectable(const Tree& version, const std::string& at, bool has_schema_there, FieldErrors& errors) {
  const Tree* schema = version.at({"schema", "openAPIV3Schema"});
  if (schema == nullptr) return;
  std::set<std::string> seen;
  const auto& fields = version.items_at({"selectableFields"});
  if (!fields.empty() && !has_schema_there) {
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
    } else if (auto wrong = selectable_error(path, *schema); !wrong.empty()) {
      errors.invalid(field, Tree(path), wrong);
    } else if (!seen.insert(path).second) {
      errors.duplicate(field, Tree(path));
    }
  }
  if (seen.size() > kMostSelectableFields) errors.add(FieldError::too_many(at, seen.size(), kMostSelectableFields));
}

// If the status subresource is enabled, only these keywords are allowed at the root: the schema of the status must be
// complete by itself.
void check_root_keywords(const Tree& schema, const std::string& path, FieldErrors& errors) {
  static const std::set<std::string> kAllowed{"description",
                                              "type",
                                              "format",
                                              "title",
                                              "maximum",
                                              "exclusiveMaximum",
                                              "minimum",
                                              "exclusiveMinimum",
                                              "maxLength",
                                              "minLength",
                                              "pattern",
                                              "maxItems",
                                              "minItems",
                                              "uniqueItems",
                                              "multipleOf",
                                              "required",
                                              "items",
                                              "properties",
                                              "externalDocs",
                                              "example",
                                              "x-kubernetes-preserve-unknown-fields",
                                              "x-kubernetes-validations"};
  bool is_fine = std::ranges::all_of(schema.members(), [](const auto& member) {
    return kAllowed.contains(member.first) || member.second.is_null() || member.second == Tree(false);
  });
  if (is_fine) return;
  errors.invalid(path, schema,
                 "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength "
                 "MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs "
                 "Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the "
                 "status subresource is enabled");
}

void check_version_schema(const Tree& version, const std::string& at, const VersionParts& parts, FieldErrors& errors) {
  const Tree* schema = version.at({"schema", "openAPIV3Schema"});
  if (schema == nullptr) return;
  auto path = at + ".openAPIV3Schema";
  if (version.at({"subresources", "status"}) != nullptr) check_root_keywords(*schema, path, errors);
  if (schema->is_true_at({"nullable"})) errors.forbidden(path + ".nullable", "nullable cannot be true at the root");
  auto count = errors.list().size();
  check_structure(*schema, path, parts.pattern_budget, errors);
  if (errors.list().size() == count) check_schema_defaults(*schema, path, errors);
  check_schema_keywords(*schema, path, errors);
  if (errors.list().size() == count && parts.rule_budget > 0) check_rules(*schema, path, parts.rule_budget, errors);
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
