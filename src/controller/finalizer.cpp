#include "keelson/detail/controller/finalizer.hpp"

#include <utility>
#include <vector>

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {

namespace {

std::vector<std::string> finalizers_of(const kube::Object& object) {
  std::vector<std::string> finalizers;
  auto document = json::Document::parse(object.json());
  if (!document) return finalizers;
  for (json::View item : document->root().at({"metadata", "finalizers"}).items()) {
    finalizers.emplace_back(item.string().value_or(std::string_view()));
  }
  return finalizers;
}

std::optional<std::size_t> place_of(const std::vector<std::string>& finalizers, std::string_view finalizer) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    if (finalizers[i] == finalizer) return i;
  }
  return std::nullopt;
}

// A JSON patch requests optimistic locking by replacing the resourceVersion with the one that was read.
void write_lock(json::Writer& writer, const kube::Object& object) {
  writer.begin_object()
      .field("op", "replace")
      .field("path", "/metadata/resourceVersion")
      .field("value", std::to_string(object.resource_version()))
      .end_object();
}

}  // namespace

bool has_finalizer(const kube::Object& object, std::string_view finalizer) {
  return place_of(finalizers_of(object), finalizer).has_value();
}

std::optional<std::string> add_finalizer_patch(const kube::Object& object, std::string_view finalizer) {
  auto finalizers = finalizers_of(object);
  if (place_of(finalizers, finalizer)) return std::nullopt;
  json::Writer writer;
  writer.begin_array();
  write_lock(writer, object);
  writer.begin_object().field("op", "add");
  if (finalizers.empty()) {
    writer.field("path", "/metadata/finalizers").key("value").begin_array().string(finalizer).end_array();
  } else {
    writer.field("path", "/metadata/finalizers/-").field("value", finalizer);
  }
  writer.end_object().end_array();
  return std::move(writer).take();
}

std::optional<std::string> remove_finalizer_patch(const kube::Object& object, std::string_view finalizer) {
  auto place = place_of(finalizers_of(object), finalizer);
  if (!place) return std::nullopt;
  json::Writer writer;
  writer.begin_array();
  write_lock(writer, object);
  writer.begin_object()
      .field("op", "remove")
      .field("path", "/metadata/finalizers/" + std::to_string(*place))
      .end_object()
      .end_array();
  return std::move(writer).take();
}

}  // namespace keelson::controller
