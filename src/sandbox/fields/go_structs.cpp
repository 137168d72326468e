#include "src/sandbox/fields/go_structs.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "src/sandbox/http/protobuf_schema.hpp"

namespace keelson::sandbox {

namespace {

// The struct of a field; the values of some special messages are schemas.
std::string definition_of_field(const ProtobufField& field) {
  constexpr auto kSchemas = std::to_array<std::string_view>({"OneOrList", "SchemaOrBool", "SchemaOrStrings"});
  if (std::ranges::find(kSchemas, field.type) != kSchemas.end()) return kSchemaMessage;
  return field.type.find('.') != std::string::npos ? field.type : "";
}

void add_members(std::string_view definition, const std::string& embedded, GoStruct& made) {
  for (const auto& field : protobuf_fields(definition)) {
    if (field.is_inline()) {
      const auto name = field.type.substr(field.type.rfind('.') + 1);
      add_members(field.type, embedded.empty() ? name : embedded + "." + name, made);
      continue;
    }
    // An outer field hides that of an embedded struct.
    if (!made.places.emplace(field.name, made.members.size()).second) continue;
    made.members.push_back({.name = field.name,
                            .embedded = embedded,
                            .named_type = field.named_type,
                            .definition = definition_of_field(field),
                            .is_map = field.repeats == ProtobufField::Repeats::kMap});
  }
}

void sort_members(Tree& object) {
  object.members().sort([](const auto& a, const auto& b) { return a.first < b.first; });
}

void order_field(Tree& value, const GoMember& member) {
  if (value.is_array()) {
    for (auto& item : value.items()) {
      if (item.is_object() && !member.definition.empty()) order_as_go(item, member.definition);
    }
  } else if (value.is_object() && member.is_map) {
    sort_members(value);
    for (auto& [name, part] : value.members()) {
      if (part.is_object() && !member.definition.empty()) order_as_go(part, member.definition);
    }
  } else if (value.is_object() && !member.definition.empty()) {
    order_as_go(value, member.definition);
  }
}

}  // namespace

const GoMember* GoStruct::find(std::string_view name) const {
  const auto found = places.find(name);
  return found == places.end() ? nullptr : &members[found->second];
}

const GoStruct* go_struct(std::string_view definition) {
  // The structs are read from constants in the binary, so all servers of the process can share them.
  static base::TextMap<std::string, std::unique_ptr<const GoStruct>> known;
  auto found = known.find(definition);
  if (found == known.end()) {
    auto made = std::make_unique<GoStruct>();
    add_members(definition, "", *made);
    found = known.emplace(std::string(definition), made->members.empty() ? nullptr : std::move(made)).first;
  }
  return found->second.get();
}

void order_as_go(Tree& object, std::string_view definition) {
  const auto* order = go_struct(definition);
  if (order == nullptr) return sort_all_members(object);
  // A struct that declares neither `kind` nor `apiVersion` begins with its embedded TypeMeta.
  const auto rank = [order](const std::string& name) -> std::size_t {
    const auto place = order->places.find(name);
    if (place != order->places.end()) return place->second + 2;
    return name == "kind" ? 0 : name == "apiVersion" ? 1 : order->members.size() + 2;
  };
  object.members().sort([&rank](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
  for (auto& [name, value] : object.members()) {
    if (const auto* member = order->find(name)) order_field(value, *member);
  }
}

std::string html_safe(std::string json) {
  if (json.find_first_of("<>&") == std::string::npos) return json;
  std::string safe;
  for (char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      safe += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

void sort_all_members(Tree& value) {
  if (value.is_object()) {
    sort_members(value);
    for (auto& [name, member] : value.members()) sort_all_members(member);
  } else if (value.is_array()) {
    for (auto& item : value.items()) sort_all_members(item);
  }
}

}  // namespace keelson::sandbox
