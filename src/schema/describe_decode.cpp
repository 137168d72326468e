// Decodes JSON into described structs.
#include <limits>

#include "keelson/schema/describe.hpp"
#include "src/schema/field_path.hpp"
#include "src/schema/time_text.hpp"

namespace keelson::kube::detail {

namespace {

Result<void> decode_any(json::View value, const Type& type, void* out, const FieldPath& path);

Error wrong_type(const FieldPath& path, std::string_view expected) {
  return malformed_error(path.text() + ": expected " + std::string(expected));
}

Result<void> decode_fields(json::View value, const Description& description, void* out, const FieldPath& path) {
  if (!value.is_object()) return wrong_type(path, "an object");
  for (const Description::Field& field : description.fields()) {
    const json::View member = value.find(field.name);
    if (member.is_absent()) continue;
    void* place = static_cast<char*>(out) + field.offset;
    auto done = decode_any(member, *field.type, place, path.member(field.name));
    if (!done) return done;
  }
  return {};
}

Result<void> decode_list(json::View value, const Type& type, void* out, const FieldPath& path) {
  if (!value.is_array()) return wrong_type(path, "an array");
  type.clear(out);
  std::size_t index = 0;
  for (const json::View item : value.items()) {
    const FieldPath place = path.index(index++);
    if (item.is_null() && type.element->shape != Type::Shape::kRaw) return wrong_type(place, "a value, not null");
    auto done = decode_any(item, *type.element, type.add(out, {}), place);
    if (!done) return done;
  }
  return {};
}

Result<void> decode_map(json::View value, const Type& type, void* out, const FieldPath& path) {
  if (!value.is_object()) return wrong_type(path, "an object");
  type.clear(out);
  for (const auto& [key, member] : value.members()) {
    auto done = decode_any(member, *type.element, type.add(out, key), path.key(key));
    if (!done) return done;
  }
  return {};
}

Result<void> decode_int32(json::View value, void* out, const FieldPath& path) {
  const auto number = value.integer();
  if (!number) return wrong_type(path, "an integer");
  using Limits = std::numeric_limits<std::int32_t>;
  if (*number < Limits::min() || *number > Limits::max()) {
    return malformed_error(path.text() + ": " + std::to_string(*number) + " does not fit into 32 bits");
  }
  *static_cast<std::int32_t*>(out) = static_cast<std::int32_t>(*number);
  return {};
}

Result<void> decode_time(json::View value, void* out, const FieldPath& path) {
  const auto text = value.string();
  if (!text) return wrong_type(path, "a string");
  const auto time = parse_rfc3339(*text);
  if (!time) return wrong_type(path, "a time like 2006-01-02T15:04:05Z");
  *static_cast<Time*>(out) = *time;
  return {};
}

template <class T>
Result<void> store(std::optional<T> value, void* out, const FieldPath& path, std::string_view expected) {
  if (!value) return wrong_type(path, expected);
  *static_cast<T*>(out) = *value;
  return {};
}

Result<void> decode_string(json::View value, void* out, const FieldPath& path) {
  const auto text = value.string();
  if (!text) return wrong_type(path, "a string");
  static_cast<std::string*>(out)->assign(*text);
  return {};
}

Result<void> decode_custom(json::View value, const Type& type, void* out, const FieldPath& path) {
  auto read = type.custom->read(value, out);
  if (!read) return wrong_type(path, type.custom->expected);
  return {};
}

// As in Go: null empties optionals, lists and maps, and leaves other fields unchanged.
void decode_null(const Type& type, void* out) {
  if (type.container != nullptr) type.clear(out);
}

Result<void> decode_any(json::View value, const Type& type, void* out, const FieldPath& path) {
  if (type.shape == Type::Shape::kRaw) {
    static_cast<RawJson*>(out)->text = value.text();
    return {};
  }
  if (value.is_null()) {
    decode_null(type, out);
    return {};
  }
  switch (type.shape) {
    case Type::Shape::kBool:
      return store(value.boolean(), out, path, "true or false");
    case Type::Shape::kInt32:
      return decode_int32(value, out, path);
    case Type::Shape::kInt64:
      return store(value.integer(), out, path, "an integer");
    case Type::Shape::kNumber:
      return store(value.number(), out, path, "a number");
    case Type::Shape::kString:
      return decode_string(value, out, path);
    case Type::Shape::kTime:
      return decode_time(value, out, path);
    case Type::Shape::kCustom:
      return decode_custom(value, type, out, path);
    case Type::Shape::kOptional:
      return decode_any(value, *type.element, type.add(out, {}), path);
    case Type::Shape::kList:
      return decode_list(value, type, out, path);
    case Type::Shape::kMap:
      return decode_map(value, type, out, path);
    case Type::Shape::kStruct:
      return decode_fields(value, *type.fields(), out, path);
    case Type::Shape::kRaw:
      break;
  }
  return {};
}

}  // namespace

Result<void> decode_value(json::View value, const Type& type, void* out, std::string_view path) {
  if (!value.has_value()) return {};
  return decode_any(value, type, out, FieldPath(path));
}

}  // namespace keelson::kube::detail
