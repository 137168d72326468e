// The names of a kind as a constant: group, version, kind and plural, and whether its objects are in namespaces.
// A struct with a `kIdentity` can be used with the typed verbs (typed_object.hpp).
//
// Example (test/examples/schema.cpp#identity):
//   static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Memcached"};
//
// Names that the API server would reject do not compile; the compiler's note shows the `throw` with the fix.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/detail/schema/resource.hpp"

namespace keelson::kube {

// kCluster: objects have no namespace, like Node and Namespace.
enum class Scope { kNamespaced, kCluster };

// Refers to string literals; always a `static constexpr` constant.
struct Identity {
  // `group` is empty for the core group. An empty `plural` is derived from the kind by kubebuilder's rules ("policies",
  // "ingresses"), which do not know irregular words: name the plural of "Person" or "Endpoints".
  consteval Identity(std::string_view its_group, std::string_view its_version, std::string_view its_kind,
                     std::string_view its_plural = {}, Scope its_scope = Scope::kNamespaced)
      : group(its_group), version(its_version), kind(its_kind), plural(its_plural), scope(its_scope) {
    if (!group.empty() && !detail::is_subdomain(group)) {
      throw base::Misuse("the group is a DNS name in lower case, such as \"web.example.com\"");
    }
    if (!detail::is_label(version)) throw base::Misuse("the version is a label in lower case, such as \"v1beta1\"");
    if (!detail::is_kind_name(kind)) throw base::Misuse("the kind is one word in CamelCase, such as \"Website\"");
    if (!plural.empty() && !detail::is_label(plural)) {
      throw base::Misuse("the plural is one word in lower case, such as \"websites\"");
    }
  }

  std::string_view group;    // "cache.example.com"; empty: the core group
  std::string_view version;  // "v1beta1"
  std::string_view kind;     // "Memcached"
  std::string_view plural;   // "memcacheds"; empty: derived
  Scope scope;

  // The same with its plural, as the verbs of client.hpp take it.
  [[nodiscard]] Resource resource() const;
};

// The plural that is derived from a kind: "policies" for "Policy".
[[nodiscard]] std::string plural_of(std::string_view kind);

// The Resource of a struct: resource_of<apps::v1::Deployment>().
template <class T>
[[nodiscard]] Resource resource_of() {
  return T::kIdentity.resource();
}

}  // namespace keelson::kube
