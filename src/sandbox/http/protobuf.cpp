#include "src/sandbox/http/protobuf.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/http/protobuf_schema.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

namespace {

Error broken() { return {Error::Kind::kMalformed, "the body is not protobuf"}; }

// A field on the wire.
struct WireField {
  std::uint32_t number = 0;
  bool is_number = false;
  bool is_floating = false;
  std::uint64_t value = 0;  // of a floating-point number: its bits
  std::string_view bytes;

  [[nodiscard]] bool is_zero() const { return is_number || is_floating ? value == 0 : bytes.empty(); }
};

std::optional<std::uint64_t> take_varint(std::string_view& text) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> take_fixed(std::string_view& text) {
  if (text.size() < 8) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  text.remove_prefix(8);
  return bits;
}

// Parses varints, numbers of 64 bits and length-delimited fields; the messages of Kubernetes use no other wire types.
std::optional<WireField> take_field(std::string_view& text) {
  constexpr std::uint64_t kMostFieldNumber = 0x1fffffff;
  auto tag = take_varint(text);
  if (!tag || (*tag >> 3) > kMostFieldNumber) return std::nullopt;
  WireField field;
  field.number = static_cast<std::uint32_t>(*tag >> 3);
  field.is_number = (*tag & 7) == 0;
  field.is_floating = (*tag & 7) == 1;
  if (!field.is_number && !field.is_floating && (*tag & 7) != 2) return std::nullopt;
  auto value = field.is_floating ? take_fixed(text) : take_varint(text);
  if (!value) return std::nullopt;
  field.value = *value;
  if (field.is_number || field.is_floating) return field;
  if (*value > text.size()) return std::nullopt;
  field.bytes = text.substr(0, *value);
  text.remove_prefix(*value);
  return field;
}

Result<std::vector<WireField>> fields_of(std::string_view text) {
  std::vector<WireField> fields;
  while (!text.empty()) {
    auto field = take_field(text);
    if (!field) return broken();
    fields.push_back(*field);
  }
  return fields;
}

Result<Tree> time_of(std::string_view text, bool is_micro) {
  KEELSON_LET(const auto fields, fields_of(text));
  if (fields.empty()) return Tree();
  constexpr std::int64_t kLeastSeconds = -62'167'219'200;  // year 0
  constexpr std::int64_t kMostSeconds = 253'402'300'799;   // year 9999
  constexpr std::int64_t kZeroTime = -62'135'596'800;      // the beginning of year 1, which is null in JSON
  constexpr std::int64_t kMostNanoseconds = 999'999'999;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  for (const auto& field : fields) {  // of repeated numbers the last one counts
    if (field.number == 1) seconds = static_cast<std::int64_t>(field.value);
    if (field.number == 2) nanoseconds = static_cast<std::int64_t>(field.value);
  }
  if (seconds > kMostSeconds || seconds < kLeastSeconds) return broken();
  if (nanoseconds > kMostNanoseconds || nanoseconds < 0) return broken();
  if (seconds == kZeroTime && nanoseconds == 0) return Tree();
  const GoTime time{std::chrono::sys_seconds(std::chrono::seconds(seconds)), static_cast<int>(nanoseconds)};
  return Tree(format_go_time(time, is_micro));
}

Result<Tree> raw_json(std::string_view text) {
  KEELSON_LET(const auto fields, fields_of(text));
  return fields.empty() ? Result<Tree>(Tree()) : Tree::parse(fields[0].bytes);
}

// The first field of a message with a single string field.
Result<Tree> string_message(std::string_view text) {
  KEELSON_LET(const auto fields, fields_of(text));
  return fields.empty() ? Tree("") : Tree(fields[0].bytes);
}

Result<Tree> texts_of(std::string_view text) {
  KEELSON_LET(const auto fields, fields_of(text));
  auto list = Tree::array();
  for (const auto& field : fields) list.items().emplace_back(field.bytes);
  return list;
}

Result<Tree> number_or_text(std::string_view text) {
  KEELSON_LET(const auto fields, fields_of(text));
  bool is_text = false;
  Tree number(0);
  Tree string("");
  for (const auto& field : fields) {
    if (field.number == 1) is_text = field.value != 0;
    if (field.number == 2) number = Tree(static_cast<std::int64_t>(field.value));
    if (field.number == 3) string = Tree(field.bytes);
  }
  return is_text ? string : number;
}

// As Go writes a float64 in JSON.
Result<Tree> floating_number(std::uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  if (!std::isfinite(value)) return broken();
  const auto size = std::abs(value);
  const bool is_plain = value == 0 || (size >= 1e-6 && size < 1e21);
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  return Tree::parse(std::string_view(text, end.ptr));
}

Result<Tree> object_of(std::string_view text, std::string_view message, std::size_t depth);

// The parts of JSONSchemaPropsOrArray, JSONSchemaPropsOrBool and JSONSchemaPropsOrStringArray: in JSON, they are a
// schema, or else a value of another type.
Result<Tree> schema_or_other(std::string_view text, const std::string& type, std::size_t depth) {
  KEELSON_LET(const auto fields, fields_of(text));
  const bool has_flag = type == "SchemaOrBool";
  const std::uint32_t schema_number = has_flag ? 2 : 1;
  auto other = has_flag ? Tree(false) : Tree::array();
  for (const auto& field : fields) {
    if (field.number == schema_number) return object_of(field.bytes, kSchemaMessage, depth + 1);
    if (has_flag) {
      other = Tree(field.value != 0);
    } else if (type == "SchemaOrStrings") {
      other.items().emplace_back(field.bytes);
    } else {
      KEELSON_LET(auto schema, object_of(field.bytes, kSchemaMessage, depth + 1));
      other.items().push_back(std::move(schema));
    }
  }
  return other;
}

Result<Tree> value_of(const WireField& field, const std::string& type, std::size_t depth) {
  const bool has_number = type == "integer" || type == "boolean";
  if (has_number != field.is_number || (type == "number") != field.is_floating) return broken();
  if (type == "number") return floating_number(field.value);
  if (type == "integer") return Tree(static_cast<std::int64_t>(field.value));
  if (type == "boolean") return Tree(field.value != 0);
  if (type == "string") return Tree(field.bytes);
  if (type == "bytes") return Tree(base::base64_encode(field.bytes));
  if (type == "Time" || type == "MicroTime") return time_of(field.bytes, type == "MicroTime");
  if (type == "Raw") return raw_json(field.bytes);
  if (type == "Quantity") return string_message(field.bytes);
  if (type == "IntOrString") return number_or_text(field.bytes);
  if (type == "Strings") return texts_of(field.bytes);
  if (type == "OneOrList" || type.starts_with("SchemaOr")) return schema_or_other(field.bytes, type, depth);
  return object_of(field.bytes, type, depth + 1);
}

Result<void> add_to_map(Tree& map, std::string_view entry, const std::string& type, std::size_t depth) {
  KEELSON_LET(const auto parts, fields_of(entry));
  std::string key;
  Tree value("");
  for (const auto& part : parts) {
    if (part.number == 1) key = part.bytes;
    if (part.number != 2) continue;
    KEELSON_LET(auto decoded, value_of(part, type, depth));
    value = std::move(decoded);
  }
  map[key] = std::move(value);
  return {};
}

Result<void> add_field(Tree& object, const WireField& wire, const ProtobufField& field, std::size_t depth) {
  using Repeats = ProtobufField::Repeats;
  if (field.repeats == Repeats::kMap) return add_to_map(object[field.name], wire.bytes, field.type, depth);
  KEELSON_LET(auto value, value_of(wire, field.type, depth));
  if (field.is_inline()) {
    for (auto& [name, inner] : value.members()) object[name] = std::move(inner);
  } else if (field.repeats == Repeats::kList) {
    list_in(object, field.name).push_back(std::move(value));
  } else if (field.keeps_zero || (!wire.is_zero() && !value.is_empty())) {
    object[field.name] = std::move(value);
  }
  return {};
}

Result<Tree> object_of(std::string_view text, std::string_view message, std::size_t depth) {
  const auto* known = protobuf_message(message);
  KEELSON_LET(const auto fields, fields_of(text));
  if (depth > limits::kJsonDepth) return broken();
  auto object = Tree::object();
  for (const auto& wire : fields) {
    auto field = known != nullptr ? known->find(wire.number) : ProtobufMessage::const_iterator();
    const bool is_known = known != nullptr && field != known->end();
    if (!is_known && wire.is_zero()) continue;
    if (!is_known) {
      auto name = std::string(message.substr(message.rfind('.') + 1));
      return Error(Error::Kind::kInvalid,
                   "field " + std::to_string(wire.number) + " of " + name + " is not supported in protobuf; send JSON");
    }
    KEELSON_TRY(add_field(object, wire, field->second, depth));
  }
  return object;
}

// runtime.Unknown: the type of the object, and its bytes.
struct Envelope {
  std::string api_version;
  std::string kind;
  std::string_view raw;
};

std::optional<Envelope> open(std::string_view body) {
  constexpr std::string_view kMagic("k8s\0", 4);
  if (!body.starts_with(kMagic)) return std::nullopt;
  auto fields = fields_of(body.substr(kMagic.size()));
  if (!fields) return std::nullopt;
  Envelope envelope;
  for (const auto& field : *fields) {
    if (field.number == 2) envelope.raw = field.bytes;
    if (field.number != 1) continue;
    auto type = fields_of(field.bytes);
    if (!type) return std::nullopt;
    for (const auto& part : *type) (part.number == 1 ? envelope.api_version : envelope.kind) = part.bytes;
  }
  return envelope;
}

}  // namespace

Result<std::string> json_of_protobuf(std::string_view body) {
  auto envelope = open(body);
  if (!envelope) return broken();
  auto message = protobuf_message_name(envelope->api_version, envelope->kind);
  if (protobuf_message(message) == nullptr) {
    return Error(Error::Kind::kInvalid, envelope->kind + " is not supported in protobuf; send JSON");
  }
  KEELSON_LET(auto object, object_of(envelope->raw, message, 0));
  object.members().emplace_front("apiVersion", envelope->api_version);
  object.members().emplace_front("kind", envelope->kind);
  return object.text();
}

}  // namespace keelson::sandbox
