#include "keelson/detail/kube/fields.hpp"

#include "keelson/detail/json/projection.hpp"

namespace keelson::kube {

Result<Fields> Fields::of(Object object) {
  auto document = json::Document::parse(object.json());
  if (!document) return std::move(document.error()).with_context("reading " + object.key().text());
  return Fields(std::move(object), std::move(*document));
}

Result<json::View> Fields::at(std::initializer_list<std::string_view> path) const {
  const auto* projection = object_.projection();
  if (projection == nullptr || projection->covers(path)) return document_.root().at(path);
  std::string name;
  for (auto step : path) {
    if (!name.empty()) name += '.';
    name += step;
  }
  auto kind = document_.root().find("kind").string().value_or("object");
  return invalid_error(std::string(kind) + " " + object_.key().text() + ": " + name +
                       " is not stored in the cache: add it to the projection of the watch that declares this kind");
}

}  // namespace keelson::kube
