#include "src/sandbox/http/protobuf_encoding.hpp"

#include <charconv>
#include <cstdlib>
#include <utility>

#include "keelson/detail/base/base64.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/http/protobuf_schema.hpp"
#include "src/sandbox/http/protobuf_writer.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kListMetaMessage = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

ProtobufWriter message_from(const Tree& object, std::string_view message);

std::uint64_t integer_from(const Tree& value) {
  std::int64_t number = 0;
  const auto& text = value.scalar();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return static_cast<std::uint64_t>(number);
}

std::string bytes_from(const Tree& value) {
  auto bytes = base::base64_decode(value.scalar());
  return bytes ? std::move(*bytes) : std::string();
}

// A metav1.Time has whole seconds; its fraction is omitted.
ProtobufWriter time_from(const Tree& value, bool is_micro) {
  ProtobufWriter out;
  const auto time = parse_go_time(value.scalar());
  if (!time) return out;
  out.number(1, static_cast<std::uint64_t>(time->at.time_since_epoch().count()));
  out.number(2, is_micro ? static_cast<std::uint64_t>(time->nanoseconds) : 0);
  return out;
}

ProtobufWriter number_or_text_from(const Tree& value) {
  ProtobufWriter out;
  out.number(1, value.is_string() ? 1 : 0);
  if (!value.is_string()) return out.number(2, integer_from(value));
  return out.bytes(3, value.scalar());
}

ProtobufWriter texts_from(const Tree& value, std::uint32_t number) {
  ProtobufWriter out;
  for (const auto& text : value.items()) out.bytes(number, text.scalar());
  return out;
}

// JSONSchemaPropsOrArray, JSONSchemaPropsOrBool and JSONSchemaPropsOrStringArray.
ProtobufWriter schema_or_other_from(const Tree& value, const std::string& type) {
  if (type == "SchemaOrStrings" && value.is_array()) return texts_from(value, 2);
  ProtobufWriter out;
  if (type == "SchemaOrBool") out.number(1, value.is_object() || value.scalar() == "true" ? 1 : 0);
  if (value.is_object()) return out.message(type == "SchemaOrBool" ? 2 : 1, message_from(value, kSchemaMessage));
  for (const auto& schema : value.items()) out.message(2, message_from(schema, kSchemaMessage));
  return out;
}

ProtobufWriter special_message_from(const Tree& value, const std::string& type) {
  if (type == "Time" || type == "MicroTime") return time_from(value, type == "MicroTime");
  if (type == "Raw") return ProtobufWriter().bytes(1, value.text());
  if (type == "Quantity") return ProtobufWriter().bytes(1, value.scalar());
  if (type == "IntOrString") return number_or_text_from(value);
  if (type == "Strings") return texts_from(value, 1);
  if (type == "OneOrList" || type.starts_with("SchemaOr")) return schema_or_other_from(value, type);
  return message_from(value, type);
}

void add_value(ProtobufWriter& out, std::uint32_t number, const Tree& value, const std::string& type) {
  if (type == "integer") {
    out.number(number, integer_from(value));
  } else if (type == "boolean") {
    out.number(number, value.scalar() == "true" ? 1 : 0);
  } else if (type == "number") {
    out.floating(number, std::strtod(value.scalar().c_str(), nullptr));
  } else if (type == "string") {
    out.bytes(number, value.scalar());
  } else if (type == "bytes") {
    out.bytes(number, bytes_from(value));
  } else {
    out.message(number, special_message_from(value, type));
  }
}

void add_field_from(ProtobufWriter& out, std::uint32_t number, const ProtobufField& field, const Tree& value) {
  using Repeats = ProtobufField::Repeats;
  if (field.repeats == Repeats::kOnce) return add_value(out, number, value, field.type);
  for (const auto& item : value.items()) add_value(out, number, item, field.type);
  for (const auto& [key, item] : value.members()) {
    ProtobufWriter entry;
    entry.bytes(1, key);
    add_value(entry, 2, item, field.type);
    out.message(number, entry);
  }
}

ProtobufWriter message_from(const Tree& object, std::string_view message) {
  ProtobufWriter out;
  const auto* known = protobuf_message(message);
  if (known == nullptr || !object.is_object()) return out;
  for (const auto& [number, field] : *known) {
    const Tree* value = field.is_inline() ? &object : object.find(field.name);
    if (value != nullptr && !value->is_null()) add_field_from(out, number, field, *value);
  }
  return out;
}

// runtime.Unknown, with the prefix of the encoding.
std::string enveloped(const std::string& api_version, const std::string& kind, std::string_view raw) {
  ProtobufWriter type;
  type.bytes(1, api_version.empty() ? "v1" : api_version).bytes(2, kind);
  ProtobufWriter unknown;
  unknown.message(1, type).bytes(2, raw).bytes(3, "").bytes(4, "");
  return std::string("k8s\0", 4) + unknown.written();
}

std::string item_kind_of(const std::string& list_kind) {
  return list_kind.ends_with("List") ? list_kind.substr(0, list_kind.size() - 4) : std::string();
}

}  // namespace

bool has_protobuf(const std::string& api_version, const std::string& kind) {
  return protobuf_message(protobuf_message_name(api_version, kind)) != nullptr;
}

std::string protobuf_of(const Tree& object) {
  const auto api_version = object.text_at({"apiVersion"});
  const auto kind = object.text_at({"kind"});
  if (has_protobuf(api_version, kind)) {
    return enveloped(api_version, kind, message_from(object, protobuf_message_name(api_version, kind)).written());
  }
  ProtobufList list(api_version, kind, object.copy_at({"metadata"}));
  for (const auto& item : object.items_at({"items"})) list.add(item);
  return std::move(list).take();
}

ProtobufList::ProtobufList(std::string api_version, std::string list_kind, const Tree& metadata)
    : api_version_(std::move(api_version)),
      kind_(std::move(list_kind)),
      item_message_(protobuf_message_name(api_version_, item_kind_of(kind_))),
      raw_(ProtobufWriter().message(1, message_from(metadata, kListMetaMessage)).written()) {}

void ProtobufList::add(const Tree& item) {
  raw_ += ProtobufWriter().message(2, message_from(item, item_message_)).written();
}

std::string ProtobufList::take() && { return enveloped(api_version_, kind_, raw_); }

std::string protobuf_event(std::string_view type, const Tree& object) {
  ProtobufWriter writer;
  writer.bytes(1, type).message(2, ProtobufWriter().bytes(1, protobuf_of(object)));
  const auto& event = writer.written();
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(event.size() >> shift & 0xFFU);
  return frame + event;
}

}  // namespace keelson::sandbox
