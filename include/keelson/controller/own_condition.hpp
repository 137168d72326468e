// The types of the conditions that the controller of a kind sets; those of other controllers do not compile.
#pragma once

#include <string_view>

#include "keelson/base/misuse.hpp"
#include "keelson/kube/literal.hpp"

namespace keelson::controller {

// Ready, Reconciling, Stalled, and what kConditions of the kind lists.
template <class T>
[[nodiscard]] constexpr bool is_own_condition(std::string_view type) {
  if constexpr (requires { T::kConditions; }) {
    for (const std::string_view own : T::kConditions) {
      if (own == type) return true;
    }
  }
  return type == "Ready" || type == "Reconciling" || type == "Stalled";
}

template <class T>
class OwnCondition {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a literal stands wherever one is asked for
  consteval OwnCondition(const char* type) : OwnCondition(std::string_view(type)) {}
  consteval OwnCondition(std::string_view type) : type_(type) {
    if (!kube::detail::is_qualified_name(type)) {
      throw base::Misuse("the type of a condition is one word, such as \"Published\"");
    }
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
