#include "src/sandbox/http/protobuf_schema.hpp"

#include <sstream>

#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

namespace {

// A type in the data: `[T]` is a list, `{T}` a map, `T*` is present even if it is zero, `.T` is in the same package.
ProtobufField field_of(std::string name, std::string type, std::string_view package) {
  using Repeats = ProtobufField::Repeats;
  ProtobufField field{.name = std::move(name), .type = {}};
  field.keeps_zero = type.ends_with('*');
  if (field.keeps_zero) type.pop_back();
  if (type.front() == '[' || type.front() == '{') {
    field.repeats = type.front() == '[' ? Repeats::kList : Repeats::kMap;
    type = type.substr(1, type.size() - 2);
  }
  field.type = type.front() == '.' ? std::string(package) + type : std::move(type);
  return field;
}

ProtobufMessage message_of(std::string_view name, std::string_view json) {
  ProtobufMessage message;
  auto text = Tree::parse(json);
  std::istringstream stream(text ? text->scalar() : "");
  std::uint32_t number = 0;
  std::string field;
  std::string type;
  while (stream >> number >> field >> type) {
    message.emplace(number, field_of(field, type, name.substr(0, name.rfind('.'))));
  }
  return message;
}

}  // namespace

const ProtobufMessage* protobuf_message(std::string_view name) {
  static std::map<std::string, ProtobufMessage, std::less<>> read;
  auto found = read.find(name);
  if (found != read.end()) return &found->second;
  const auto* data = find_definition("protobuf." + std::string(name));
  return data == nullptr ? nullptr : &read.emplace(name, message_of(name, data->json)).first->second;
}

}  // namespace keelson::sandbox
