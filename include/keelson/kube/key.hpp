// Namespace and name: the identity of an object among the objects of its kind, and the argument of a reconciler.
//
// An object that is deleted and created again has the same key and another uid.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace keelson::kube {

// Ordered by namespace, then by name. A value that owns both texts.
struct Key {
  Key() = default;
  Key(std::string_view n, std::string_view object_name) : ns(n), name(object_name) {}

  std::string ns;    // empty for cluster-scoped objects
  std::string name;  // empty in requests for a whole collection

  // "default/web", or "web" for cluster-scoped objects.
  [[nodiscard]] std::string text() const { return ns.empty() ? name : ns + "/" + name; }
  auto operator<=>(const Key&) const = default;
};

}  // namespace keelson::kube

// For unordered containers.
template <>
struct std::hash<keelson::kube::Key> {
  std::size_t operator()(const keelson::kube::Key& key) const noexcept {
    // boost::hash_combine, so that ("a", "b") and ("b", "a") differ.
    auto first = std::hash<std::string>{}(key.ns);
    return first ^ (std::hash<std::string>{}(key.name) + 0x9e3779b97f4a7c15ULL + (first << 6) + (first >> 2));
  }
};
