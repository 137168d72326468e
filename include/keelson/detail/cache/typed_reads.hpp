// Cached objects as C++ structs: those of keelson/api, and any other with `kIdentity`, `metadata` and described fields.
//
// Example (test/examples/cache.cpp#typed_reads):
//   // The images of the Pods on a node; the informer has an index "node".
//   Result<std::vector<std::string>> images_on(const cache::Informer& informer, std::string_view node) {
//     KEELSON_LET(const auto pods, cache::by_index<core::v1::Pod>(informer, "node", node));
//     std::vector<std::string> images;
//     for (const auto& pod : pods) {
//       for (const auto& container : pod.spec.containers) images.push_back(container.image);
//     }
//     return images;
//   }
//
// Every call decodes the bytes again, so read an object once per pass. Fields that the informer does not store
// (InformerOptions::content) have the value of T{}. If an object cannot be decoded, the whole read is
// an Error that names the object and the field. Reading an informer as a struct of another kind throws base::Misuse.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::cache {

namespace detail {
// Throws base::Misuse unless the informer is one of this kind; the version may differ.
void check_kind(const Informer& informer, const kube::Identity& identity);
// The error with the key of the object.
[[nodiscard]] Error about(const kube::Object& object, Error error);
}  // namespace detail

// Decodes all objects, or fails at the first that cannot be decoded. `decode` is kube::decode_object<T> or another
// reader of one object.
template <class T>
[[nodiscard]] Result<std::vector<T>> decode_all(const std::vector<kube::Object>& objects,
                                                Result<T> (*decode)(const kube::Object&) = kube::decode_object<T>) {
  std::vector<T> all;
  all.reserve(objects.size());
  for (const auto& object : objects) {
    auto decoded = decode(object);
    if (!decoded) return detail::about(object, std::move(decoded).error());
    all.push_back(std::move(*decoded));
  }
  return all;
}

// The same for an object that may not exist.
template <kube::TypedObject T>
[[nodiscard]] Result<std::optional<T>> decode_found(const std::optional<kube::Object>& object) {
  if (!object) return std::optional<T>();
  auto decoded = kube::decode_object<T>(*object);
  if (!decoded) return detail::about(*object, std::move(decoded).error());
  return std::optional<T>(std::move(*decoded));
}

// nullopt if the cache has no object of that key.
template <kube::TypedObject T>
[[nodiscard]] Result<std::optional<T>> get(const Informer& informer, const kube::Key& key) {
  detail::check_kind(informer, T::kIdentity);
  return decode_found<T>(informer.get(key));
}

// The objects of a namespace, or of all namespaces if `ns` is empty, in no particular order.
template <kube::TypedObject T>
[[nodiscard]] Result<std::vector<T>> list(const Informer& informer, std::string_view ns = "") {
  detail::check_kind(informer, T::kIdentity);
  return decode_all<T>(informer.list(ns));
}

// The objects of all namespaces that have this value in the index. Throws base::Misuse if the index is not declared.
template <kube::TypedObject T>
[[nodiscard]] Result<std::vector<T>> by_index(const Informer& informer, std::string_view index,
                                              std::string_view value) {
  detail::check_kind(informer, T::kIdentity);
  return decode_all<T>(informer.by_index(index, value));
}

}  // namespace keelson::cache
