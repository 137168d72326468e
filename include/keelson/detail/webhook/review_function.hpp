// The parameter type for the coroutine function of a webhook for whole objects (whole_object.hpp). A function that
// would not work does not compile, and the compile error names the fix.
//
// Calls run concurrently, on the event loop: a function must not block, and after a co_await other calls may have run.
// An exception is a panic: the request is answered with 500, and failure_policy does not apply to it.
//
// A function is not called for an object that does not fit T: the request is denied (admission.hpp).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "keelson/detail/webhook/decision.hpp"
#include "keelson/detail/webhook/request.hpp"

namespace keelson::webhook {

// The parameter of a validating webhook's function. Changes of `object` have no effect: only mutating webhooks patch. A
// struct has what T describes; request.object.read() reads other fields.
template <class T>
struct Review {
  const Request& request;       // who writes, and what: lives until the coroutine has returned
  T object;                     // of a delete: the object to be deleted
  std::optional<T> old_object;  // of an update; empty if it does not fit T
};

// A value that is one function pointer. A mutating webhook has a `ReviewFunction<T&, const Request&>`, a validating one
// a `ReviewFunction<const Review<T>&>`.
template <class... Arguments>
class ReviewFunction {
 public:
  using Pointer = boost::asio::awaitable<Decision> (*)(Arguments...);

  // Accepts everything that can be passed, only to reject what would not work with a helpful compile error: a lambda
  // with captures, another signature, and a function that is no coroutine.
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): functions convert implicitly
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, ReviewFunction>)
  ReviewFunction(Function&& function) {
    constexpr bool kFits = std::is_convertible_v<Function, Pointer>;
    constexpr bool kHasSignature = std::is_invocable_r_v<boost::asio::awaitable<Decision>, Function&, Arguments...>;
    constexpr bool kHasNoCaptures = kFits || !kHasSignature;
    constexpr bool kIsReviewFunction = kFits || kHasSignature;
    static_assert(kHasNoCaptures,
                  "the function of a webhook cannot have captures: it is a coroutine, and would read them from a "
                  "lambda object that is gone. Use a function, or a lambda without captures. For state of your own, "
                  "use a class that is constructed with the controller::Context: webhook::mutating<T, Handler>()");
    static_assert(kIsReviewFunction,
                  "the function of a mutating webhook is `boost::asio::awaitable<webhook::Decision> f(T& object, const "
                  "webhook::Request& request)`, that of a validating one `boost::asio::awaitable<webhook::Decision> "
                  "f(const webhook::Review<T>& review)`");
    if constexpr (kFits) function_ = std::forward<Function>(function);
  }
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  // The arguments must outlive the coroutine.
  [[nodiscard]] boost::asio::awaitable<Decision> operator()(Arguments... arguments) const {
    return function_(arguments...);
  }

 private:
  Pointer function_ = nullptr;
};

}  // namespace keelson::webhook
