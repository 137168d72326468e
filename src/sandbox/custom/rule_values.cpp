#include "src/sandbox/custom/rule_values.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

namespace {

using CelKind = cel::Value::Kind;

cel::Value number_value(const Tree& value, const ValueSchema* schema) {
  const auto& text = value.scalar();
  const auto real = base::parse_number<double>(text).value_or(0);
  if (schema != nullptr && schema->type == "number") return cel::Value::of_double(real);
  if (const auto whole = base::parse_number<std::int64_t>(text)) return cel::Value::of_int(*whole);
  const bool is_integral = schema != nullptr && schema->type == "integer" && real > -9e18 && real < 9e18;
  return is_integral ? cel::Value::of_int(static_cast<std::int64_t>(real)) : cel::Value::of_double(real);
}

CelKind text_kind(const ValueSchema* schema) {
  if (schema == nullptr || schema->type != "string") return CelKind::kString;
  if (schema->format == "byte") return CelKind::kBytes;
  if (schema->format == "duration") return CelKind::kDuration;
  return schema->format == "date" || schema->format == "date-time" ? CelKind::kTimestamp : CelKind::kString;
}

cel::Value text_value(const std::string& text, const ValueSchema* schema) {
  switch (text_kind(schema)) {
    case CelKind::kBytes: {
      auto decoded = base::base64_decode(text);
      return decoded ? cel::Value::of_bytes(*decoded) : cel::Value::error("failed to decode base64");
    }
    case CelKind::kDuration:
      return cel::Value::duration_of(text);
    case CelKind::kTimestamp:
      return cel::Value::timestamp_of(schema->format == "date" ? text + "T00:00:00Z" : text);
    default:
      return cel::Value::of_string(text);
  }
}

bool is_struct(const ValueSchema* schema) {
  return schema != nullptr && schema->others == nullptr && !(schema->keeps_unknown && schema->properties.empty());
}

const ValueSchema& metadata_schema() {
  static const auto schema = compile_value_schema(
      *Tree::parse(R"({"type":"object","properties":{"name":{"type":"string"},"generateName":{"type":"string"}}})"));
  return *schema;
}

cel::Value object_value(const Tree& value, const ValueSchema* schema, bool is_resource, std::size_t& steps) {
  cel::MapValue made;
  const bool has_fields = is_struct(schema) || is_resource;
  for (const auto& [name, member] : value.members()) {
    const auto* part = schema != nullptr ? schema->find(name) : nullptr;
    if (is_resource && name == "metadata") part = &metadata_schema();
    const bool is_type_meta = is_resource && (name == "kind" || name == "apiVersion");
    if (has_fields && part == nullptr && !is_type_meta) continue;
    auto key = has_fields ? escaped_name(name) : std::optional(name);
    if (key)
      made.add(cel::Value::of_string(*key), rule_value(member, part, part != nullptr && part->is_embedded, steps));
  }
  return cel::Value::of_map(std::move(made));
}

std::string with_escapes(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_') {
      made += "__underscores__";
      ++i;
    } else if (name[i] == '.') {
      made += "__dot__";
    } else if (name[i] == '-') {
      made += "__dash__";
    } else if (name[i] == '/') {
      made += "__slash__";
    } else {
      made += name[i];
    }
  }
  return made;
}

}  // namespace

std::optional<std::string> escaped_name(const std::string& name) {
  static const std::set<std::string_view> reserved{
      "true", "false",  "null", "in",   "as",      "break",     "const",  "continue", "else", "for",  "function",
      "if",   "import", "let",  "loop", "package", "namespace", "return", "var",      "void", "while"};
  auto is_fine = [](char c) {
    return (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || base::is_digit(c) || c == '_' || c == '.' ||
           c == '-' || c == '/';
  };
  if (name.empty() || base::is_digit(name[0]) || !std::ranges::all_of(name, is_fine)) return std::nullopt;
  if (reserved.contains(name)) return "__" + name + "__";
  return with_escapes(name);
}

cel::Value rule_value(const Tree& value, const ValueSchema* schema, bool is_resource, std::size_t& steps) {
  if (steps == 0) return {};
  --steps;
  switch (value.type()) {
    case Tree::Type::kBool:
      return cel::Value::of_bool(value == Tree(true));
    case Tree::Type::kNumber:
      return number_value(value, schema);
    case Tree::Type::kString:
      return text_value(value.scalar(), schema);
    case Tree::Type::kArray: {
      cel::Values items;
      const auto* inner = schema != nullptr ? schema->items.get() : nullptr;
      const bool is_embedded = inner != nullptr && inner->is_embedded;
      for (const auto& item : value.items()) items.push_back(rule_value(item, inner, is_embedded, steps));
      const bool is_set = schema != nullptr && schema->list_type == "set";
      return is_set ? cel::Value::of_set(std::move(items)) : cel::Value::of_list(std::move(items));
    }
    case Tree::Type::kObject:
      return object_value(value, schema, is_resource, steps);
    default:
      return {};
  }
}

cel::TypePointer rule_type(const ValueSchema& schema, bool is_resource) {
  if (schema.type == "integer,string") return cel::dyn_type();
  if (schema.type == "array") {
    auto inner = schema.items ? rule_type(*schema.items, schema.items->is_embedded) : nullptr;
    return inner ? cel::list_type(inner) : nullptr;
  }
  if (schema.type == "string") return cel::type_of(text_kind(&schema));
  if (schema.type == "boolean") return cel::type_of(CelKind::kBool);
  if (schema.type == "integer") return cel::type_of(CelKind::kInt);
  if (schema.type == "number") return cel::type_of(CelKind::kDouble);
  const bool is_object = schema.type == "object" || is_resource;
  if (!is_object) return nullptr;
  if (schema.others != nullptr) {
    auto inner = rule_type(*schema.others, schema.others->is_embedded);
    return inner ? cel::map_type(cel::type_of(CelKind::kString), inner) : nullptr;
  }
  cel::Type made{.kind = CelKind::kMap, .name = "object", .is_object = true};
  for (const auto& [name, property] : schema.properties) {
    auto type = rule_type(*property, property->is_embedded);
    auto key = escaped_name(name);
    if (type && key) made.fields[*key] = std::move(type);
  }
  if (is_resource) {
    made.fields["apiVersion"] = made.fields["kind"] = cel::type_of(CelKind::kString);
    made.fields["metadata"] = rule_type(metadata_schema(), false);
  }
  return std::make_shared<const cel::Type>(std::move(made));
}

}  // namespace keelson::sandbox
