#include "src/sandbox/http/protobuf.hpp"

#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/http/protobuf_schema.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

namespace {

Error broken() { return {Error::Kind::kMalformed, "the body is not protobuf"}; }

// A field on the wire.
struct WireField {
  std::uint32_t number = 0;
  bool is_number = false;
  std::uint64_t value = 0;
  std::string_view bytes;

  [[nodiscard]] bool is_zero() const { return is_number ? value == 0 : bytes.empty(); }
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

// Parses varints and length-delimited fields; the messages of Kubernetes use no other wire types.
std::optional<WireField> take_field(std::string_view& text) {
  constexpr std::uint64_t kMostFieldNumber = 0x1fffffff;
  auto tag = take_varint(text);
  if (!tag || (*tag >> 3) > kMostFieldNumber) return std::nullopt;
  WireField field;
  field.number = static_cast<std::uint32_t>(*tag >> 3);
  field.is_number = (*tag & 7) == 0;
  if (!field.is_number && (*tag & 7) != 2) return std::nullopt;
  auto value = take_varint(text);
  if (!value) return std::nullopt;
  field.value = *value;
  if (field.is_number) return field;
  if (*value > text.size()) return std::nullopt;
  field.bytes = text.substr(0, *value);
  text.remove_prefix(*value);
  return field;
}

std::optional<std::vector<WireField>> fields_of(std::string_view text) {
  std::vector<WireField> fields;
  while (!text.empty()) {
    auto field = take_field(text);
    if (!field) return std::nullopt;
    fields.push_back(*field);
  }
  return fields;
}

Result<Tree> time_of(std::string_view text, bool is_micro) {
  auto fields = fields_of(text);
  if (!fields) return broken();
  if (fields->empty()) return Tree();
  constexpr std::int64_t kMostSeconds = 9'000'000'000;  // until year 2255; nanoseconds end in 2262
  constexpr std::int64_t kMostNanoseconds = 999'999'999;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  for (const auto& field : *fields) {  // of repeated numbers the last one counts
    if (field.number == 1) seconds = static_cast<std::int64_t>(field.value);
    if (field.number == 2) nanoseconds = static_cast<std::int64_t>(field.value);
  }
  if (seconds > kMostSeconds || seconds < -kMostSeconds) return broken();
  if (nanoseconds > kMostNanoseconds || nanoseconds < 0) return broken();
  auto time = std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanoseconds);
  const kube::Time moment(std::chrono::duration_cast<kube::Time::duration>(time));
  return Tree(is_micro ? kube::format_micro_time(moment) : kube::format_time(moment));
}

Result<Tree> raw_json(std::string_view text) {
  auto fields = fields_of(text);
  if (!fields) return broken();
  return fields->empty() ? Result<Tree>(Tree()) : Tree::parse((*fields)[0].bytes);
}

// The first field of a message with a single string field.
Result<Tree> string_message(std::string_view text) {
  auto fields = fields_of(text);
  if (!fields) return broken();
  return fields->empty() ? Tree("") : Tree((*fields)[0].bytes);
}

Result<Tree> texts_of(std::string_view text) {
  auto fields = fields_of(text);
  if (!fields) return broken();
  auto list = Tree::array();
  for (const auto& field : *fields) list.items().emplace_back(field.bytes);
  return list;
}

Result<Tree> number_or_text(std::string_view text) {
  auto fields = fields_of(text);
  if (!fields) return broken();
  bool is_text = false;
  Tree number(0);
  Tree string("");
  for (const auto& field : *fields) {
    if (field.number == 1) is_text = field.value != 0;
    if (field.number == 2) number = Tree(static_cast<std::int64_t>(field.value));
    if (field.number == 3) string = Tree(field.bytes);
  }
  return is_text ? string : number;
}

Result<Tree> object_of(std::string_view text, std::string_view message, std::size_t depth);

Result<Tree> value_of(const WireField& field, const std::string& type, std::size_t depth) {
  const bool has_number = type == "integer" || type == "boolean";
  if (has_number != field.is_number) return broken();
  if (type == "integer") return Tree(static_cast<std::int64_t>(field.value));
  if (type == "boolean") return Tree(field.value != 0);
  if (type == "string") return Tree(field.bytes);
  if (type == "bytes") return Tree(base::base64_encode(field.bytes));
  if (type == "Time" || type == "MicroTime") return time_of(field.bytes, type == "MicroTime");
  if (type == "Raw") return raw_json(field.bytes);
  if (type == "Quantity") return string_message(field.bytes);
  if (type == "IntOrString") return number_or_text(field.bytes);
  if (type == "Strings") return texts_of(field.bytes);
  return object_of(field.bytes, type, depth + 1);
}

Result<void> add_to_map(Tree& map, std::string_view entry, const std::string& type, std::size_t depth) {
  auto parts = fields_of(entry);
  if (!parts) return broken();
  std::string key;
  Tree value("");
  for (const auto& part : *parts) {
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
    auto& list = object[field.name];
    if (!list.is_array()) list = Tree::array();
    list.items().push_back(std::move(value));
  } else if (field.keeps_zero || (!wire.is_zero() && !value.is_empty())) {
    object[field.name] = std::move(value);
  }
  return {};
}

Result<Tree> object_of(std::string_view text, std::string_view message, std::size_t depth) {
  const auto* known = protobuf_message(message);
  auto fields = fields_of(text);
  if (!fields || depth > limits::kJsonDepth) return broken();
  auto object = Tree::object();
  for (const auto& wire : *fields) {
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

std::string message_name(const Envelope& envelope) {
  if (envelope.kind == "DeleteOptions") return "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
  auto slash = envelope.api_version.find('/');
  const bool has_group = slash != std::string::npos;
  return definition_name(has_group ? envelope.api_version.substr(0, slash) : "",
                         has_group ? envelope.api_version.substr(slash + 1) : envelope.api_version, envelope.kind);
}

}  // namespace

Result<std::string> json_of_protobuf(std::string_view body) {
  auto envelope = open(body);
  if (!envelope) return broken();
  auto message = message_name(*envelope);
  if (protobuf_message(message) == nullptr) {
    return Error(Error::Kind::kInvalid, envelope->kind + " is not supported in protobuf; send JSON");
  }
  KEELSON_LET(auto object, object_of(envelope->raw, message, 0));
  object.members().emplace_front("apiVersion", envelope->api_version);
  object.members().emplace_front("kind", envelope->kind);
  return object.text();
}

}  // namespace keelson::sandbox
