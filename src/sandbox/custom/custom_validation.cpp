#include "src/sandbox/custom/custom_validation.hpp"

#include <algorithm>
#include <limits>

#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/custom/list_types.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/custom/value_parts.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/fields/simple_path.hpp"
#include "src/sandbox/validation/metadata_check.hpp"
#include "src/sandbox/validation/names.hpp"
#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

namespace {

using Errors = std::vector<FieldError>;

// The name of the value's type in Go, as fmt prints it with %T.
std::string go_type(const Tree& value) {
  switch (value.type()) {
    case Tree::Type::kNull:
      return "<nil>";
    case Tree::Type::kBool:
      return "bool";
    case Tree::Type::kString:
      return "string";
    case Tree::Type::kNumber:
      return is_whole(value) ? "int64" : "float64";
    case Tree::Type::kArray:
      return "[]interface {}";
    case Tree::Type::kObject:
    case Tree::Type::kRaw:
      break;
  }
  return "map[string]interface {}";
}

std::string accessor_error(const std::string& path, const Tree& value, const char* expected) {
  return path + " accessor error: " + go_print(value) + " is of the type " + go_type(value) + ", expected " + expected;
}

// The value at a path of the scale subresource; null if it is absent. Reports values that block the path.
const Tree* value_on_path(const Tree& object, const std::string& path, Errors& errors, const char* zero) {
  const Tree* at = &object;
  std::string here;
  for (const auto& name : path_of(path)) {
    here += "." + name;
    if (at->is_null()) return nullptr;
    if (!at->is_object()) {
      errors.emplace_back(FieldReason::kInvalid, path, zero, accessor_error(here, *at, "map[string]interface{}"));
      return nullptr;
    }
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

void check_replicas(const Tree& object, const std::string& path, Errors& errors) {
  const Tree* value = value_on_path(object, path, errors, "0");
  if (value == nullptr) return;
  auto add = [&](const std::string& shown, const std::string& why) {
    errors.emplace_back(FieldReason::kInvalid, path, shown, why);
  };
  if (value->type() != Tree::Type::kNumber || !is_whole(*value)) {
    return add("0", accessor_error(path, *value, "int64"));
  }
  const auto& shown = value->scalar();
  const auto number = Tree::object({{"n", *value}}).integer_at({"n"});
  if (number < 0) add(shown, "should be a non-negative integer");
  if (number > std::numeric_limits<std::int32_t>::max()) add(shown, "should be less than or equal to 2147483647");
}

void check_scale(const ServedKind& kind, const Tree& object, Written written, Errors& errors) {
  if (!kind.has_scale) return;
  if (written == Written::kObject) check_replicas(object, kind.scale.spec_replicas, errors);
  check_replicas(object, kind.scale.status_replicas, errors);
  if (kind.scale.selector.empty()) return;
  const Tree* selector = value_on_path(object, kind.scale.selector, errors, "\"\"");
  if (selector == nullptr || selector->is_string()) return;
  errors.emplace_back(FieldReason::kInvalid, kind.scale.selector, R"("")",
                      accessor_error(kind.scale.selector, *selector, "string"));
}

void check_schema(const ValueSchema& schema, const Tree* before, const Tree& after, Written written, Errors& errors) {
  if (written == Written::kObject) return check_value({schema, after, before, ""}, errors);
  const auto* part = schema.find("status");
  const Tree* status = after.find("status");
  if (part == nullptr || status == nullptr) return;
  check_value({*part, *status, before != nullptr ? before->find("status") : nullptr, "status"}, errors);
}

// The parts of x-kubernetes-embedded-resource: objects within an object.
void check_version(const Tree& version, const std::string& field, FieldErrors& errors) {
  const auto& text = version.scalar();
  if (!version.is_string()) {
    errors.invalid(field, version, "must be a string");
  } else if (text.empty()) {
    errors.invalid(field, version, "must not be empty");
  } else if (std::ranges::count(text, '/') > 1) {
    errors.invalid(field, version, "unexpected GroupVersion string: " + text);
  }
}

void check_kind(const Tree& kind, const std::string& field, FieldErrors& errors) {
  if (!kind.is_string()) {
    errors.invalid(field, kind, "must be a string");
  } else if (kind.scalar().empty()) {
    errors.invalid(field, kind, "must not be empty");
  } else if (auto wrong = kind_error(kind.scalar()); !wrong.empty()) {
    errors.invalid(field, kind, wrong);
  }
}

// A resource needs no name in a template.
void check_embedded_metadata(const Tree& metadata, const std::string& path, FieldErrors& errors) {
  if (!metadata.is_object()) return;
  auto object = Tree::object({{"metadata", metadata}});
  if (metadata.text_at({"name"}).empty()) object["metadata"]["name"] = "fakename";
  RuleCheck check(nullptr, object, Subresource::kNone, errors);
  const Spot root{.value = &object, .before = &check.before(), .name = path};
  check_metadata(check, root.field("metadata"), "path_segment", true);
}

void check_resources(const Tree& value, const ValueSchema& schema, const std::string& path, FieldErrors& errors) {
  if (errors.is_full()) return;
  if (schema.is_embedded && value.is_object()) {
    const auto prefix = path + (path.empty() ? "" : ".");
    for (const char* name : {"apiVersion", "kind"}) {
      if (value.find(name) == nullptr) errors.required(prefix + name);
    }
    if (const Tree* version = value.find("apiVersion")) check_version(*version, prefix + "apiVersion", errors);
    if (const Tree* kind = value.find("kind")) check_kind(*kind, prefix + "kind", errors);
    if (const Tree* metadata = value.find("metadata")) check_embedded_metadata(*metadata, path, errors);
  }
  for_each_part(value, schema, path, &ValueSchema::has_embedded,
                [&errors](const Tree& part, const ValueSchema& of_part, const std::string& at) {
                  check_resources(part, of_part, at, errors);
                });
}

}  // namespace

void validate_custom(const ServedKind& kind, const Tree* before, const Tree& after, Written written, Errors& errors) {
  if (kind.values == nullptr) return;
  const auto& schema = *kind.values;
  check_schema(schema, before, after, written, errors);
  check_scale(kind, after, written, errors);
  if (schema.has_embedded && written == Written::kObject) {
    FieldErrors bounded(errors);
    check_resources(after, schema, "", bounded);
  }
  if (schema.has_list_types) {
    Errors had;
    if (before != nullptr) check_list_types(*before, schema, had);
    if (had.empty()) check_list_types(after, schema, errors);
  }
  check_against_rules(schema, before, after, errors);
}

}  // namespace keelson::sandbox
