// The parameter type for the function of a controller or a finalizer, which is called once for each pass.
//
// A function that would not work does not compile: one with captures, because the coroutine reads them from a lambda
// object that is gone, and one with another signature. The compile error names the fix.
//
// The function is a coroutine `Reconciled f(const T& object, Pass<T>& pass)`. Calls for different objects run
// concurrently, calls for one object never. Both parameters live until the coroutine has returned. `object` is a copy
// of the cached object that does not change during the call.
//
// State: a function has none of its own, but the Pass has the flags and clients. Static variables are shared by the
// controllers of a process, and by simulated replicas in a test, so use a class instead (controller_for.hpp).
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/pass.hpp"

namespace keelson::controller {

// A value that is one function pointer. Authors pass a function where a PassFunction is expected.
template <kube::TypedObject T>
class PassFunction {
 public:
  using Pointer = Reconciled (*)(const T&, Pass<T>&);

  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): functions convert implicitly
  // Selects the right one of several functions of the same name, for operators with several kinds.
  PassFunction(Pointer function) : function_(function) {}
  // Accepts anything else that can be called, only to reject what would not work with a helpful compile error.
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
                  "have what a pass needs. For state of your own, use a class with reconcile() and finalize(): "
                  "controller_for<T, Reconciler>(), or controller_for<T>(factory) with a factory that captures");
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
