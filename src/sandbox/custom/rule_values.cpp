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
    if (key) {
      made.add(cel::Value::of_string(*key), rule_value(member, part, part != nullptr && part->is_embedded, steps));
    }
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
      if (schema != nullptr && schema->list_type == "map") {
        return cel::Value::of_map_list(std::move(items), base::join(schema->list_keys, "\n"));
      }
      const bool is_set = schema != nullptr && schema->list_type == "set";
      return is_set ? cel::Value::of_set(std::move(items)) : cel::Value::of_list(std::move(items));
    }
    case Tree::Type::kObject:
      return object_value(value, schema, is_resource, steps);
    default:
      return {};
  }
}

namespace {

// What the API server assumes about the sizes of values (apiserver/pkg/cel/common/schemas.go): the largest request, and
// the longest texts of formats.
constexpr std::uint64_t kMostRequestBytes = std::uint64_t{3} << 20;

cel::TypePointer sized(cel::Type type, std::uint64_t most, std::uint64_t least_bytes) {
  type.most_elements = most;
  type.least_bytes = least_bytes;
  return std::make_shared<const cel::Type>(std::move(type));
}

std::uint64_t limit_or(const std::optional<std::int64_t>& limit, std::uint64_t otherwise) {
  return limit ? static_cast<std::uint64_t>(std::max<std::int64_t>(*limit, 0)) : otherwise;
}

// maxLength counts characters, of up to 4 bytes.
std::uint64_t most_bytes_of(const ValueSchema& schema) {
  return schema.max_length ? 4 * limit_or(schema.max_length, 0) : kMostRequestBytes - 2;
}

cel::TypePointer text_type(const ValueSchema& schema) {
  const auto kind = text_kind(&schema);
  if (kind == CelKind::kDuration) return sized({.kind = kind}, 32, 3);
  if (kind == CelKind::kTimestamp) {
    return schema.format == "date" ? sized({.kind = kind}, 12, 12) : sized({.kind = kind}, 32, 21);
  }
  if (kind == CelKind::kBytes) return sized({.kind = kind}, limit_or(schema.max_length, kMostRequestBytes - 2), 2);
  auto most = most_bytes_of(schema);
  if (!schema.max_length && !schema.values.empty()) {
    most = 0;
    for (const auto& value : schema.values) {
      if (value.type() == Tree::Type::kString) most = std::max<std::uint64_t>(most, value.scalar().size());
    }
  }
  return sized({.kind = kind}, most, 2);
}

cel::TypePointer object_type(const ValueSchema& schema, bool is_resource) {
  cel::Type made{.kind = CelKind::kMap, .name = "object", .is_object = true};
  std::uint64_t least = 2;
  for (const auto& [name, property] : schema.properties) {
    auto type = rule_type(*property, property->is_embedded);
    if (!type) continue;
    const bool is_required = std::ranges::find(schema.required, name) != schema.required.end();
    if (is_required && !property->default_value) least += name.size() + type->least_bytes + 4;
    if (auto key = escaped_name(name)) made.fields[*key] = std::move(type);
  }
  if (is_resource) {
    static const auto text = sized({.kind = CelKind::kString}, kMostRequestBytes - 2, 2);
    made.fields["apiVersion"] = made.fields["kind"] = text;
    made.fields["metadata"] = rule_type(metadata_schema(), false);
  }
  return sized(std::move(made), 0, least);
}

}  // namespace

cel::TypePointer rule_type(const ValueSchema& schema, bool is_resource) {
  if (schema.type == "integer,string") return sized({}, most_bytes_of(schema), 1);
  if (schema.type == "array") {
    auto inner = schema.items ? rule_type(*schema.items, schema.items->is_embedded) : nullptr;
    if (!inner) return nullptr;
    const auto most = limit_or(schema.max_items, (kMostRequestBytes - 2) / (inner->least_bytes + 1));
    return sized({.kind = CelKind::kList, .element = std::move(inner)}, most, 2);
  }
  if (schema.type == "string") return text_type(schema);
  if (schema.type == "boolean") return sized({.kind = CelKind::kBool}, 0, 4);
  if (schema.type == "integer") return sized({.kind = CelKind::kInt}, 0, 1);
  if (schema.type == "number") return sized({.kind = CelKind::kDouble}, 0, 1);
  const bool is_object = schema.type == "object" || is_resource;
  if (!is_object) return nullptr;
  if (schema.others == nullptr) return object_type(schema, is_resource);
  auto inner = rule_type(*schema.others, schema.others->is_embedded);
  if (!inner) return nullptr;
  const auto most = limit_or(schema.max_properties, (kMostRequestBytes - 2) / (inner->least_bytes + 6));
  return sized({.kind = CelKind::kMap, .key = cel::type_of(CelKind::kString), .element = std::move(inner)}, most, 2);
}

std::uint64_t most_repetitions(const cel::Type& type) { return kMostRequestBytes / (type.least_bytes + 1); }

}  // namespace keelson::sandbox
