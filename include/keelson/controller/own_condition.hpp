// The condition types that the controller of a kind sets. Condition types of other controllers do not compile.
//
// The reason: a condition that the kind does not list belongs to another controller, and an apply of the status would
// take its ownership.
#pragma once

#include <string_view>

#include "keelson/base/misuse.hpp"
#include "keelson/schema/literal.hpp"

namespace keelson::controller {

// The framework sets this condition of every kind with conditions (pause.hpp), never an author's controller.
inline constexpr std::string_view kPausedCondition = "Paused";

namespace detail {
template <class T>
[[nodiscard]] constexpr bool lists_paused() {
  for (const std::string_view own : T::kConditions) {
    if (own == kPausedCondition) return true;
  }
  return false;
}
}  // namespace detail

// True for Ready, Reconciling and Stalled, for Conflict, which the framework sets for every kind, and for the types in
// `T::kConditions`.
template <class T>
[[nodiscard]] constexpr bool is_own_condition(std::string_view type) {
  if constexpr (requires { T::kConditions; }) {
    static_assert(!detail::lists_paused<T>(), "remove Paused from kConditions: the framework sets this condition");
    for (const std::string_view own : T::kConditions) {
      if (own == type) return true;
    }
  }
  return type == "Ready" || type == "Reconciling" || type == "Stalled" || type == "Conflict";
}

// A literal such as "Published", checked at compile time: the parameter of Pass<T>::condition.
template <class T>
class OwnCondition {
 public:
  // NOLINTBEGIN(google-explicit-constructor): literals convert to the parameter type
  consteval OwnCondition(const char* type) : OwnCondition(std::string_view(type)) {}
  consteval OwnCondition(std::string_view type) : type_(type) {
    if (!kube::detail::is_qualified_name(type)) {
      throw base::Misuse("the type of a condition is one word, such as \"Published\"");
    }
    if (type == kPausedCondition) throw base::Misuse("the framework sets the condition Paused (docs/operations.md)");
    if (!is_own_condition<T>(type)) {
      throw base::Misuse("list this condition in kConditions of the kind: others are left to other controllers");
    }
  }
  constexpr operator std::string_view() const { return type_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view type_;
};

}  // namespace keelson::controller
