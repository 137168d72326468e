// The OpenAPI v3 schema of a described struct, in controller-gen's order: members sorted by name.
#include <algorithm>
#include <limits>
#include <map>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/json/reader.hpp"
#include "keelson/schema/describe.hpp"
#include "src/schema/constraint_check.hpp"
#include "src/schema/rule_check.hpp"

namespace keelson::kube::detail {

namespace {

using Rules = Constraints::Rules;

// Keywords of one schema by name, so that they are written sorted, in whatever order they are added.
class Keywords {
 public:
  void raw(std::string_view name, std::string json) { values_.insert_or_assign(std::string(name), std::move(json)); }
  void text(std::string_view name, std::string_view value) { raw(name, json::quoted(value)); }
  void flag(std::string_view name, bool value) {
    if (value) raw(name, "true");
  }
  void number(std::string_view name, const std::optional<double>& value) {
    if (value) raw(name, json_of([&](json::Writer& writer) { writer.number(*value); }));
  }
  void count(std::string_view name, const std::optional<std::size_t>& value) {
    if (value) raw(name, std::to_string(*value));
  }
  // `json_of_value` returns the JSON of a value.
  void list(std::string_view name, const auto& values, auto json_of_value) {
    std::string items;
    for (const auto& value : values) items += (items.empty() ? "[" : ",") + json_of_value(value);
    if (!items.empty()) raw(name, items + "]");
  }
  [[nodiscard]] std::string take() const {
    return json_of([&](json::Writer& writer) {
      writer.begin_object();
      for (const auto& [name, json] : values_) writer.raw_field(name, json);
      writer.end_object();
    });
  }
  static std::string json_of(const auto& write) {
    json::Writer writer;
    write(writer);
    return std::move(writer).take();
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

std::string schema_of_type(const Type& type, const Constraints* constraints, std::string_view documentation);

std::string cel_rules(const std::vector<CelRule>& rules) {
  return Keywords::json_of([&](json::Writer& writer) { write_rule_list(writer, rules); });
}

std::string_view list_type_name(ListType type) {
  switch (type) {
    case ListType::kAtomic:
      return "atomic";
    case ListType::kSet:
      return "set";
    case ListType::kMap:
      return "map";
    case ListType::kUnset:
      break;
  }
  return {};
}

void add_rules(Keywords& out, const Rules& rules) {
  out.flag("nullable", rules.nullable);
  out.number("minimum", rules.minimum);
  out.number("maximum", rules.maximum);
  out.flag("exclusiveMinimum", rules.exclusive_minimum);
  out.flag("exclusiveMaximum", rules.exclusive_maximum);
  out.count("minLength", rules.min_length);
  out.count("maxLength", rules.max_length);
  out.count("minItems", rules.min_items);
  out.count("maxItems", rules.max_items);
  out.count("minProperties", rules.min_properties);
  out.count("maxProperties", rules.max_properties);
  out.number("multipleOf", rules.multiple_of);
  out.list("enum", rules.one_of, json::quoted);
  out.list("enum", rules.one_of_numbers, [](std::int64_t value) { return std::to_string(value); });
  out.list("x-kubernetes-list-map-keys", rules.map_keys, json::quoted);
  if (!rules.pattern.empty()) out.text("pattern", rules.pattern);
  if (!rules.format.empty()) out.text("format", rules.format);
  if (!rules.title.empty()) out.text("title", rules.title);
  if (!rules.example.empty()) out.raw("example", std::string(rules.example));
  if (!rules.default_value.empty()) out.raw("default", std::string(rules.default_value));
  if (rules.list_type != ListType::kUnset) out.text("x-kubernetes-list-type", list_type_name(rules.list_type));
  if (rules.map_type != MapType::kUnset) {
    out.text("x-kubernetes-map-type", rules.map_type == MapType::kAtomic ? "atomic" : "granular");
  }
  out.flag("x-kubernetes-preserve-unknown-fields", rules.preserve_unknown_fields);
  out.flag("x-kubernetes-embedded-resource", rules.embedded_resource);
  if (!rules.cel.empty()) out.raw("x-kubernetes-validations", cel_rules(rules.cel));
}

void add_struct(Keywords& out, const Description& description) {
  Keywords properties;
  std::vector<std::string_view> required;
  for (const Description::Field& field : description.fields()) {
    properties.raw(field.name, schema_of_type(*field.type, &field.constraints, field.documentation));
    if (field.constraints.rules().required) required.push_back(field.name);
  }
  std::ranges::sort(required);
  out.text("type", "object");
  if (!description.fields().empty()) out.raw("properties", properties.take());
  out.list("required", required, json::quoted);
  if (!description.rules().empty()) out.raw("x-kubernetes-validations", cel_rules(description.rules()));
}

bool is_json(std::string_view text) {
  json::Reader reader(text);
  reader.allow(std::numeric_limits<std::size_t>::max());
  auto token = reader.next();
  while (token != json::Token::kEnd && token != json::Token::kFailed) token = reader.next();
  return token == json::Token::kEnd;
}

// Adds the keywords of a schema that was given as text, except its documentation. Without a tree: the schema of a Pod
// is long, and each start of a program builds the schemas of its kinds.
void add_given_schema(Keywords& out, std::string_view schema) {
  const auto add = [&out](std::string_view name, std::string_view value) {
    if (name != "description") out.raw(name, std::string(value));
  };
  if (!is_json(schema) || !json::for_each_member(schema, add)) {
    throw base::Misuse("describe: the text given to schema() is not a JSON object: " +
                       std::string(schema.substr(0, 40)));
  }
}

void add_raw(Keywords& out, const Rules& rules) {
  if (!rules.schema.empty()) {
    add_given_schema(out, rules.schema);
    return;
  }
  if (rules.int_or_string) {
    out.raw("anyOf", R"([{"type":"integer"},{"type":"string"}])");
    out.flag("x-kubernetes-int-or-string", true);
    return;
  }
  if (rules.preserve_unknown_fields) out.text("type", "object");
  out.flag("x-kubernetes-preserve-unknown-fields", true);
}

void add_shape(Keywords& out, const Type& type, const Constraints* constraints) {
  const Constraints* of_element = constraints != nullptr ? constraints->element() : nullptr;
  switch (type.shape) {
    case Type::Shape::kBool:
      out.text("type", "boolean");
      break;
    case Type::Shape::kInt32:
      out.text("type", "integer");
      out.text("format", "int32");
      break;
    case Type::Shape::kInt64:
      out.text("type", "integer");
      out.text("format", "int64");
      break;
    case Type::Shape::kNumber:
      out.text("type", "number");
      break;
    case Type::Shape::kString:
      out.text("type", "string");
      break;
    case Type::Shape::kTime:
      out.text("type", "string");
      out.text("format", "date-time");
      break;
    case Type::Shape::kCustom:
      add_given_schema(out, type.custom->schema);
      break;
    case Type::Shape::kRaw:
      add_raw(out, constraints != nullptr ? constraints->rules() : Rules{});
      break;
    case Type::Shape::kOptional:
      add_shape(out, *type.element, constraints);
      break;
    case Type::Shape::kList:
      out.text("type", "array");
      out.raw("items", schema_of_type(*type.element, of_element, {}));
      break;
    case Type::Shape::kMap:
      out.text("type", "object");
      out.raw("additionalProperties", schema_of_type(*type.element, of_element, {}));
      break;
    case Type::Shape::kStruct:
      add_struct(out, *type.fields());
      break;
  }
}

// The documentation of the field, or that of its struct if the field has none.
std::string_view documentation_of(const Type& type, std::string_view of_field) {
  if (!of_field.empty()) return of_field;
  if (type.shape == Type::Shape::kOptional) return documentation_of(*type.element, of_field);
  return type.fields() != nullptr ? type.fields()->documentation() : std::string_view{};
}

std::string schema_of_type(const Type& type, const Constraints* constraints, std::string_view documentation) {
  Keywords out;
  add_shape(out, type, constraints);
  if (constraints != nullptr) add_rules(out, constraints->rules());
  const std::string_view text = documentation_of(type, documentation);
  if (!text.empty()) out.text("description", text);
  return out.take();
}

}  // namespace

std::string schema_text(const Type& type, std::string_view owner) {
  check_constraints(type, owner);
  return schema_of_type(type, nullptr, {});
}

}  // namespace keelson::kube::detail
