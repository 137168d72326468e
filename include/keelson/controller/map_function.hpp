// Which keys to reconcile because of a changed object. `cache` is for looking up what the object itself does not say.
#pragma once

#include <coroutine>
#include <functional>
#include <type_traits>
#include <vector>

#include "keelson/cache/cache.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

class MapFunction : public std::function<std::vector<kube::Key>(const kube::Object& changed, cache::Cache& cache)> {
  using Base = std::function<std::vector<kube::Key>(const kube::Object&, cache::Cache&)>;
  template <class Function>
  static constexpr bool kIsCoroutine = requires {
    typename std::coroutine_traits<std::invoke_result_t<Function, const kube::Object&, cache::Cache&>>::promise_type;
  };

 public:
  using Base::Base;
  // For the error that says what fits.
  template <class Function>
    requires kIsCoroutine<Function>
  MapFunction(Function&&) {  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
    static_assert(
        !kIsCoroutine<Function>,
        "a map function cannot be a coroutine: it runs within the event of a watch and reads the cache, which "
        "does not wait. Return std::vector<kube::Key>; what needs a request belongs into reconcile");
  }
};

}  // namespace keelson::controller
