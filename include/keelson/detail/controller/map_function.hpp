// A function that maps a changed object to the keys that are reconciled because of it, for Definition::watches.
//
// Example (test/examples/projections.cpp#map):
//   // Each Census of the namespace counts the object.
//   std::vector<kube::Key> to_census(const kube::Object& changed, cache::Cache& cache) {
//     std::vector<kube::Key> keys;
//     const auto censuses = cache.find(kube::resource_of<Census>());
//     if (!censuses) return keys;
//     for (const auto& census : (*censuses)->list(changed.ns())) keys.push_back(census.key());
//     return keys;
//   }
//
// map_by_label (definition.hpp) covers the usual case. Keys without an object are reconciled too, and
// the reconcile function is then not called; duplicates are removed by the queue.
#pragma once

#include <coroutine>
#include <functional>
#include <type_traits>
#include <vector>

#include "keelson/detail/cache/cache.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

// It returns keys of the controller's own kind; none: the event is ignored. It is called with the object before and
// after the event, so that an object which moves from one owner to another reconciles both. It runs within the event of
// a watch: keep it fast, and send no request. `cache` finds what the object itself does not contain. A field that the
// projection of the watch lacks cannot be read. An exception is logged and counted as a panic, and the event is lost
// for this source.
class MapFunction : public std::function<std::vector<kube::Key>(const kube::Object& changed, cache::Cache& cache)> {
  using Base = std::function<std::vector<kube::Key>(const kube::Object&, cache::Cache&)>;
  template <class Function>
  static constexpr bool kIsCoroutine = requires {
    typename std::coroutine_traits<std::invoke_result_t<Function, const kube::Object&, cache::Cache&>>::promise_type;
  };

 public:
  using Base::Base;
  // Accepts a coroutine only to reject it with a helpful compile error.
  template <class Function>
    requires kIsCoroutine<Function>
  MapFunction(Function&&) {  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
    static_assert(
        !kIsCoroutine<Function>,
        "a map function cannot be a coroutine: it runs within the event of a watch and reads the cache, which "
        "does not wait. Return std::vector<kube::Key>; send requests in the reconcile function");
  }
};

}  // namespace keelson::controller
