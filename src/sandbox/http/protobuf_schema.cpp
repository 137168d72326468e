#include "src/sandbox/http/protobuf_schema.hpp"

#include <sstream>

#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

namespace {

// A type in the data: `[T]` is a list, `{T}` a map, `T*` is present even if it is zero, `.T` is in the same package,
// `string=v1.T` has a named type in Go.
ProtobufField field_of(std::string name, std::string type, std::string_view package) {
  using Repeats = ProtobufField::Repeats;
  ProtobufField field{.name = std::move(name), .type = {}};
  field.keeps_zero = type.ends_with('*');
  if (field.keeps_zero) type.pop_back();
  if (type.front() == '[' || type.front() == '{') {
    field.repeats = type.front() == '[' ? Repeats::kList : Repeats::kMap;
    type = type.substr(1, type.size() - 2);
  }
  if (const auto named = type.find('='); named != std::string::npos) {
    field.named_type = type.substr(named + 1);
    type.resize(named);
  }
  field.type = type.front() == '.' ? std::string(package) + type : std::move(type);
  return field;
}

using NumberedFields = std::vector<std::pair<std::uint32_t, ProtobufField>>;

NumberedFields numbered_fields(std::string_view name, std::string_view json) {
  NumberedFields fields;
  auto text = Tree::parse(json);
  std::istringstream stream(text ? text->scalar() : "");
  std::uint32_t number = 0;
  std::string field;
  std::string type;
  while (stream >> number >> field >> type) {
    fields.emplace_back(number, field_of(field, type, name.substr(0, name.rfind('.'))));
  }
  return fields;
}

ProtobufMessage message_of(std::string_view name, std::string_view json) {
  ProtobufMessage message;
  for (auto& [number, field] : numbered_fields(name, json)) message.emplace(number, std::move(field));
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

std::vector<ProtobufField> protobuf_fields(std::string_view name) {
  std::vector<ProtobufField> fields;
  const auto* data = find_definition("protobuf." + std::string(name));
  if (data == nullptr) return fields;
  for (auto& [number, field] : numbered_fields(name, data->json)) fields.push_back(std::move(field));
  return fields;
}

std::string protobuf_message_name(const std::string& api_version, const std::string& kind) {
  const auto slash = api_version.find('/');
  const bool has_group = slash != std::string::npos;
  const auto group = has_group ? api_version.substr(0, slash) : "";
  constexpr const char* kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  const bool is_shared = kind == "DeleteOptions" || (!has_group && find_definition("protobuf." + (kMeta + kind)));
  if (is_shared || group == "meta.k8s.io") return kMeta + kind;
  return definition_name(group, has_group ? api_version.substr(slash + 1) : api_version, kind);
}

}  // namespace keelson::sandbox
