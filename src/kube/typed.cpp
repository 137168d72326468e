#include "keelson/kube/typed.hpp"

#include "keelson/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube::detail {

std::string new_object(const Resource& resource, const Key& key, std::string_view spec) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind);
  writer.key("metadata").begin_object().field("name", key.name);
  if (!key.ns.empty()) writer.field("namespace", key.ns);
  writer.end_object().raw_field("spec", spec).end_object();
  return std::move(writer).take();
}

Result<std::string> change_of(std::string_view member, const Object& object, std::string_view before,
                              std::string_view after) {
  auto from = json::Document::parse(before);
  if (!from) return std::move(from).error();
  auto to = json::Document::parse(after);
  if (!to) return std::move(to).error();
  json::Writer writer;
  writer.begin_object().key("metadata").begin_object();
  writer.field("resourceVersion", std::to_string(object.resource_version())).field("uid", object.uid()).end_object();
  writer.raw_field(member, json::merge_diff(from->root(), to->root())).end_object();
  return std::move(writer).take();
}

}  // namespace keelson::kube::detail
