// The names of a kind as a constant: group, version, kind and plural, and whether its objects are in namespaces.
//
//   static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Memcached"};
#pragma once

#include <string_view>

#include "keelson/kube/resource.hpp"

namespace keelson::kube {

enum class Scope { kNamespaced, kCluster };

struct Identity {
  std::string_view group;  // empty: the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural = {};  // empty: of the kind, by the rules of English ("policies", "ingresses")
  Scope scope = Scope::kNamespaced;

  [[nodiscard]] Resource resource() const;
};

template <class T>
[[nodiscard]] Resource resource_of() {
  return T::kIdentity.resource();
}

}  // namespace keelson::kube
