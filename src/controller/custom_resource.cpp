#include "keelson/controller/custom_resource.hpp"

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/schema/decoder.hpp"

namespace keelson::controller::detail {

kube::Kind kind_of(const kube::Identity& identity, std::string spec_schema, std::string status_schema) {
  kube::Kind kind;
  kind.resource = identity.resource();
  kind.singular = base::to_lower(identity.kind);
  // The text of kubebuilder.
  kind.description = kind.resource.kind + " is the Schema for the " + kind.resource.plural + " API.";
  kind.spec_schema = std::move(spec_schema);
  kind.status_schema = std::move(status_schema);
  return kind;
}

void check_conditions(const kube::Identity& identity, const kube::Description& status) {
  for (const auto& field : status.fields()) {
    const auto& rules = field.constraints.rules();
    const bool is_map =
        rules.list_type == kube::ListType::kMap && rules.map_keys == std::vector<std::string_view>{"type"};
    if (field.name != "conditions" || is_map) continue;
    throw base::Misuse("kind " + std::string(identity.kind) +
                       R"(: add .list_map({"type"}) to the field "conditions" of its status)");
  }
}

Result<void> read_member(const kube::Object& object, std::string_view name, const kube::Type& type, void* out) {
  std::string_view json;
  KEELSON_TRY(json::for_each_member(object.json(), [&](std::string_view member, std::string_view value) {
    if (member == name) json = value;
  }));
  return json.empty() ? Result<void>() : kube::detail::decode_json(json, type, out, name);
}

}  // namespace keelson::controller::detail
