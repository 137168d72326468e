// Encodes described structs as JSON.
#include <algorithm>

#include "keelson/json/writer.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kube::detail {

namespace {

const RawJson& as_raw(const void* value) { return *static_cast<const RawJson*>(value); }

void encode_fields(json::Writer& writer, const Description& description, const void* value) {
  writer.begin_object();
  for (const Description::Field& field : description.fields()) encode_member(writer, field, value);
  writer.end_object();
}

// The items of a list, or the value of an optional.
void encode_elements(json::Writer& writer, const Type& type, const void* value) {
  type.each(value, [&](std::string_view, const void* element) { encode_value(writer, *type.element, element); });
}

void encode_map(json::Writer& writer, const Type& type, const void* value) {
  writer.begin_object();
  type.each(value, [&](std::string_view key, const void* element) {
    writer.key(key);
    encode_value(writer, *type.element, element);
  });
  writer.end_object();
}

bool is_empty(const Type& type, const void* value) {
  if (type.container != nullptr) return type.size(value) == 0;
  if (type.shape == Type::Shape::kCustom) return type.custom->is_empty(value);
  if (type.shape == Type::Shape::kString) return static_cast<const std::string*>(value)->empty();
  if (type.shape == Type::Shape::kRaw) return as_raw(value).text.empty();
  return false;
}

// True for the zero value of a shape that is_empty() does not know.
bool is_zero(const Type& type, const void* value) {
  switch (type.shape) {
    case Type::Shape::kBool:
      return !*static_cast<const bool*>(value);
    case Type::Shape::kInt32:
      return *static_cast<const std::int32_t*>(value) == 0;
    case Type::Shape::kInt64:
      return *static_cast<const std::int64_t*>(value) == 0;
    case Type::Shape::kNumber:
      return *static_cast<const double*>(value) == 0;
    case Type::Shape::kStruct:
      return std::ranges::all_of(type.fields()->fields(), [&](const Description::Field& field) {
        return is_left_out(field, static_cast<const char*>(value) + field.offset);
      });
    default:
      return false;
  }
}

}  // namespace

bool is_left_out(const Description::Field& field, const void* member) {
  const auto& rules = field.constraints.rules();
  return !rules.required && (is_empty(*field.type, member) || (rules.omit_zero && is_zero(*field.type, member)));
}

void encode_member(json::Writer& writer, const Description::Field& field, const void* self) {
  const void* member = static_cast<const char*>(self) + field.offset;
  if (is_left_out(field, member)) return;
  writer.key(field.name);
  encode_value(writer, *field.type, member);
}

std::string encode_text(const Type& type, const void* value) {
  json::Writer writer;
  encode_value(writer, type, value);
  return std::move(writer).take();
}

void encode_value(json::Writer& writer, const Type& type, const void* value) {
  switch (type.shape) {
    case Type::Shape::kBool:
      writer.boolean(*static_cast<const bool*>(value));
      break;
    case Type::Shape::kInt32:
      writer.integer(*static_cast<const std::int32_t*>(value));
      break;
    case Type::Shape::kInt64:
      writer.integer(*static_cast<const std::int64_t*>(value));
      break;
    case Type::Shape::kNumber:
      writer.number(*static_cast<const double*>(value));
      break;
    case Type::Shape::kString:
      writer.string(*static_cast<const std::string*>(value));
      break;
    case Type::Shape::kTime:
      writer.string(format_time(*static_cast<const Time*>(value)));
      break;
    case Type::Shape::kCustom:
      type.custom->write(writer, value);
      break;
    case Type::Shape::kRaw:
      writer.raw(as_raw(value).text.empty() ? std::string_view("null") : as_raw(value).text);
      break;
    case Type::Shape::kOptional:
      if (type.size(value) == 0) writer.null();
      encode_elements(writer, type, value);
      break;
    case Type::Shape::kList:
      writer.begin_array();
      encode_elements(writer, type, value);
      writer.end_array();
      break;
    case Type::Shape::kMap:
      encode_map(writer, type, value);
      break;
    case Type::Shape::kStruct:
      encode_fields(writer, *type.fields(), value);
      break;
  }
}

}  // namespace keelson::kube::detail
