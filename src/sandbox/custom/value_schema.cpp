#include "src/sandbox/custom/value_schema.hpp"

#include <cmath>

#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/custom/formats.hpp"

namespace keelson::sandbox {

namespace {

std::optional<double> number_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  if (value == nullptr || value->type() != Tree::Type::kNumber) return std::nullopt;
  return base::parse_number<double>(value->scalar()).value_or(0);
}

std::optional<std::int64_t> count_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  if (value == nullptr || value->type() != Tree::Type::kNumber) return std::nullopt;
  return schema.integer_at({name});
}

std::unique_ptr<ValueSchema> part_at(const Tree& schema, std::string_view name) {
  const Tree* part = schema.find(name);
  return part != nullptr && part->is_object() ? compile_value_schema(*part) : nullptr;
}

std::vector<std::unique_ptr<ValueSchema>> parts_at(const Tree& schema, std::string_view name) {
  std::vector<std::unique_ptr<ValueSchema>> parts;
  for (const auto& item : schema.items_at({name})) parts.push_back(compile_value_schema(item));
  return parts;
}

void read_limits(const Tree& openapi, ValueSchema& made) {
  made.minimum = number_at(openapi, "minimum");
  made.maximum = number_at(openapi, "maximum");
  made.has_exclusive_minimum = openapi.is_true_at({"exclusiveMinimum"});
  made.has_exclusive_maximum = openapi.is_true_at({"exclusiveMaximum"});
  made.multiple_of = number_at(openapi, "multipleOf");
  made.min_length = count_at(openapi, "minLength");
  made.max_length = count_at(openapi, "maxLength");
  made.min_items = count_at(openapi, "minItems");
  made.max_items = count_at(openapi, "maxItems");
  made.min_properties = count_at(openapi, "minProperties");
  made.max_properties = count_at(openapi, "maxProperties");
  made.has_unique_items = openapi.is_true_at({"uniqueItems"});
  made.pattern = openapi.text_at({"pattern"});
  if (!made.pattern.empty()) {
    if (auto compiled = cel::Pattern::compile(made.pattern)) made.compiled_pattern = *compiled;
  }
  if (const Tree* values = openapi.find("enum")) made.values = values->items();
  made.required = openapi.texts_at({"required"});
}

void note_below(ValueSchema& made, const ValueSchema* part) {
  if (part == nullptr) return;
  made.has_defaults = made.has_defaults || part->has_defaults || part->default_value;
  made.has_list_types = made.has_list_types || part->has_list_types;
  made.has_embedded = made.has_embedded || part->has_embedded;
}

}  // namespace

bool ValueSchema::allows_type(std::string_view name) const {
  return type == name || (type == "integer,string" && (name == "integer" || name == "string"));
}

std::unique_ptr<ValueSchema> compile_value_schema(const Tree& openapi) {
  auto made = std::make_unique<ValueSchema>();
  made->type = openapi.is_true_at({"x-kubernetes-int-or-string"}) ? "integer,string" : openapi.text_at({"type"});
  made->format = checked_format(made->type, openapi.text_at({"format"}));
  made->is_nullable = openapi.is_true_at({"nullable"});
  made->keeps_unknown = openapi.is_true_at({"x-kubernetes-preserve-unknown-fields"});
  made->is_embedded = openapi.is_true_at({"x-kubernetes-embedded-resource"});
  made->list_type = openapi.text_at({"x-kubernetes-list-type"});
  made->list_keys = openapi.texts_at({"x-kubernetes-list-map-keys"});
  if (const Tree* value = openapi.find("default"); value != nullptr && !value->is_null()) made->default_value = *value;
  read_limits(openapi, *made);
  for (const auto& [name, property] : openapi.members_at({"properties"})) {
    made->properties[name] = compile_value_schema(property);
  }
  made->items = part_at(openapi, "items");
  made->others = part_at(openapi, "additionalProperties");
  const Tree* others = openapi.find("additionalProperties");
  made->forbids_others = others != nullptr && *others == Tree(false);
  made->allows_others = others != nullptr && *others == Tree(true);
  made->all_of = parts_at(openapi, "allOf");
  made->any_of = parts_at(openapi, "anyOf");
  made->one_of = parts_at(openapi, "oneOf");
  made->negated = part_at(openapi, "not");
  made->has_list_types = made->list_type == "set" || made->list_type == "map";
  made->has_embedded = made->is_embedded;
  for (const auto& [name, property] : made->properties) note_below(*made, property.get());
  note_below(*made, made->items.get());
  note_below(*made, made->others.get());
  return made;
}

}  // namespace keelson::sandbox
