#include "keelson/kube/typed_object.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube::detail {

std::string object_text(const Identity& identity, const Type& type, const void* object, Parts parts) {
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", identity.resource().api_version()).field("kind", identity.kind);
  for (const auto& field : type.fields()->fields()) {
    if (parts == Parts::kWithoutStatus && field.name == "status") continue;
    encode_member(writer, field, object);
  }
  writer.end_object();
  return std::move(writer).take();
}

Result<void> read_object(const Object& object, const Type& type, void* out) {
  return decode_json(object.json(), type, out, {});
}

Result<std::string> object_patch(const Type& type, const void* before, const void* after,
                                 std::string_view resource_version) {
  const auto written_json = [&](const void* value) {
    json::Writer writer;
    encode_value(writer, type, value);
    return std::move(writer).take();
  };
  KEELSON_LET(auto from, json::Document::parse(written_json(before)));
  KEELSON_LET(auto to, json::Document::parse(written_json(after)));
  KEELSON_LET(const auto difference, json::Document::parse(json::merge_diff(from.root(), to.root())));
  if (difference.root().size() == 0) return std::string();
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : difference.root().members()) {
    if (name != "metadata") writer.field(name, value);
  }
  // The resourceVersion that was read, for optimistic locking.
  writer.key("metadata").begin_object();
  for (const auto& [name, value] : difference.root().find("metadata").members()) {
    if (name != "resourceVersion") writer.field(name, value);
  }
  writer.field("resourceVersion", resource_version).end_object().end_object();
  return std::move(writer).take();
}

}  // namespace keelson::kube::detail
