// From described structs to JSON.
#include "keelson/kube/describe.hpp"
#include "src/kube/time_text.hpp"

namespace keelson::kube::detail {

namespace {

void encode_fields(json::Writer& writer, const Description& description, const void* value);
void encode_list(json::Writer& writer, const Type& type, const void* value);
void encode_map(json::Writer& writer, const Type& type, const void* value);

const RawJson& as_raw(const void* value) { return *static_cast<const RawJson*>(value); }

void encode_fields(json::Writer& writer, const Description& description, const void* value) {
  writer.begin_object();
  for (const Description::Field& field : description.fields()) {
    const void* member = static_cast<const char*>(value) + field.offset;
    if (!field.constraints.rules().required && is_empty(*field.type, member)) continue;
    writer.key(field.name);
    encode_value(writer, *field.type, member);
  }
  writer.end_object();
}

void encode_list(json::Writer& writer, const Type& type, const void* value) {
  writer.begin_array();
  type.each(value, [&](std::string_view, const void* element) { encode_value(writer, *type.element, element); });
  writer.end_array();
}

void encode_map(json::Writer& writer, const Type& type, const void* value) {
  writer.begin_object();
  type.each(value, [&](std::string_view key, const void* element) {
    writer.key(key);
    encode_value(writer, *type.element, element);
  });
  writer.end_object();
}

void encode_optional(json::Writer& writer, const Type& type, const void* value) {
  if (type.size(value) == 0) {
    writer.null();
    return;
  }
  type.each(value, [&](std::string_view, const void* element) { encode_value(writer, *type.element, element); });
}

void encode_raw(json::Writer& writer, const RawJson& value) {
  if (value.text.empty()) {
    writer.null();
    return;
  }
  writer.raw(value.text);
}

}  // namespace

bool is_empty(const Type& type, const void* value) {
  if (type.size != nullptr) return type.size(value) == 0;
  if (type.shape == Type::Shape::kString) return static_cast<const std::string*>(value)->empty();
  if (type.shape == Type::Shape::kRaw) return as_raw(value).text.empty();
  return false;
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
      writer.string(format_rfc3339(*static_cast<const DescribedTime*>(value)));
      break;
    case Type::Shape::kRaw:
      encode_raw(writer, as_raw(value));
      break;
    case Type::Shape::kOptional:
      encode_optional(writer, type, value);
      break;
    case Type::Shape::kList:
      encode_list(writer, type, value);
      break;
    case Type::Shape::kMap:
      encode_map(writer, type, value);
      break;
    case Type::Shape::kStruct:
      encode_fields(writer, *type.fields, value);
      break;
  }
}

}  // namespace keelson::kube::detail
