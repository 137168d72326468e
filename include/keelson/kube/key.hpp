// Namespace and name: what identifies an object of a kind, and what reconcilers are called with.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace keelson::kube {

struct Key {
  Key() = default;
  Key(std::string_view n, std::string_view object_name) : ns(n), name(object_name) {}

  std::string ns;  // empty for cluster-scoped objects
  std::string name;

  // "default/web", or "web" for cluster-scoped objects.
  [[nodiscard]] std::string text() const { return ns.empty() ? name : ns + "/" + name; }
  auto operator<=>(const Key&) const = default;
};

}  // namespace keelson::kube

template <>
struct std::hash<keelson::kube::Key> {
  std::size_t operator()(const keelson::kube::Key& key) const noexcept {
    auto first = std::hash<std::string>{}(key.ns);
    return first ^ (std::hash<std::string>{}(key.name) + 0x9e3779b97f4a7c15ULL + (first << 6) + (first >> 2));
  }
};
