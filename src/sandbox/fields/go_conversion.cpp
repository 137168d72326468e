#include "src/sandbox/fields/go_conversion.hpp"

#include "keelson/detail/base/base64.hpp"

namespace keelson::sandbox {

namespace {

using Type = Schema::Type;

bool is_whole(const Tree& number) { return number.scalar().find_first_of(".eE") == std::string::npos; }

// The reflect.Kind of a decoded JSON value.
std::string kind_of(const Tree& value) {
  switch (value.type()) {
    case Tree::Type::kBool:
      return "bool";
    case Tree::Type::kNumber:
      return is_whole(value) ? "int64" : "float64";
    case Tree::Type::kString:
      return "string";
    case Tree::Type::kArray:
      return "slice";
    default:
      return "map";
  }
}

// The reflect.Kind of a field: named string types are strings.
std::string scalar_kind(const Schema& schema) {
  if (schema.type == Type::kString) return "string";
  return schema.go_type;
}

std::optional<std::string> scalar_error(const Tree& value, const Schema& schema) {
  const bool is_number = value.type() == Tree::Type::kNumber;
  bool fits = true;
  if (schema.type == Type::kString) fits = value.is_string();
  if (schema.type == Type::kBool) fits = value.type() == Tree::Type::kBool;
  if (schema.type == Type::kInteger) fits = is_number && is_whole(value);
  if (schema.type == Type::kNumber) fits = is_number;
  if (fits) return std::nullopt;
  // Go converts numbers to numbers, and a whole number to a text, but not as this conversion needs it.
  const bool is_convertible = schema.type == Type::kInteger || schema.type == Type::kNumber ||
                              (schema.type == Type::kString && is_whole(value));
  if (is_number && is_convertible) return "cannot convert " + kind_of(value) + " to " + scalar_kind(schema);
  return "unrecognized type: " + scalar_kind(schema);
}

// A list of numbers is bytes, too.
std::optional<std::string> bytes_error(const Tree& value) {
  if (value.is_array()) return std::nullopt;
  if (!value.is_string()) return "cannot restore slice from " + kind_of(value);
  const auto bytes = base::base64_decode(value.scalar());
  return bytes ? std::nullopt : std::optional("error decoding from json: " + bytes.error().text);
}

std::optional<std::string> inner_error(const Tree& value, const Schema& schema) {
  for (const auto& item : value.items()) {
    if (auto wrong = conversion_error(item, schema.items.schema())) return wrong;
  }
  for (const auto& [name, member] : value.members()) {
    const auto* field = schema.find(name);
    if (schema.type == Type::kObject && field == nullptr) continue;
    if (auto wrong = conversion_error(member, field != nullptr ? field->part.schema() : schema.items.schema())) {
      return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> conversion_error(const Tree& value, const Schema& schema) {
  if (value.is_null()) return std::nullopt;
  switch (schema.type) {
    case Type::kObject:
      return value.is_object() ? inner_error(value, schema)
                               : std::optional("cannot restore struct from: " + kind_of(value));
    case Type::kMap:
      return value.is_object() ? inner_error(value, schema)
                               : std::optional("cannot restore map from " + kind_of(value));
    case Type::kList:
      return value.is_array() ? inner_error(value, schema)
                              : std::optional("cannot restore slice from " + kind_of(value));
    case Type::kBytes:
      return bytes_error(value);
    default:
      return scalar_error(value, schema);
  }
}

}  // namespace keelson::sandbox
