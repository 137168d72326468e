// The parameter type for the function of a controller or a finalizer, which is called once for each pass.
//
// A function that would not work does not compile: one with captures, because the coroutine reads them from a lambda
// object that is gone, and one with another signature. The compile error names the fix.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/pass.hpp"

namespace keelson::controller {

template <kube::TypedObject T>
class PassFunction {
 public:
  using Pointer = Reconciled (*)(const T&, Pass<T>&);

  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): functions convert implicitly
  PassFunction(Pointer function) : function_(function) {}
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, PassFunction>)
  PassFunction(Function&& function) {
    constexpr bool kFits = std::is_convertible_v<Function, Pointer>;
    constexpr bool kHasSignature = std::is_invocable_r_v<Reconciled, Function&, const T&, Pass<T>&>;
    constexpr bool kHasNoCaptures = kFits || !kHasSignature;
    constexpr bool kIsPassFunction = kFits || kHasSignature;
    static_assert(kHasNoCaptures,
                  "the function of a controller cannot have captures: it is a coroutine, and would read them from a "
                  "lambda object that is gone. Use a function, or a lambda without captures: the object and the Pass "
                  "have what a pass needs. For state of your own, use a class: controller_for<T, Reconciler>()");
    static_assert(kIsPassFunction,
                  "the function of a controller is `Reconciled reconcile(const T& object, Pass<T>& pass)`, where T is "
                  "its kind: a coroutine that ends with `co_return done();`");
    if constexpr (kFits) function_ = std::forward<Function>(function);
  }
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  [[nodiscard]] Reconciled operator()(const T& object, Pass<T>& pass) const { return function_(object, pass); }

 private:
  Pointer function_ = nullptr;
};

}  // namespace keelson::controller
