// The condition types that the controller of a kind sets, and their documentation. Pass::condition() rejects other
// types at compile time; a status with other types is a base::Misuse at the end of the pass.
//
// The reason: a condition that the kind does not list belongs to another controller, and an apply of the status would
// take its ownership.
//
// Example (test/examples/controller.cpp#own_condition):
//   struct ArticleStatus {
//     std::vector<kube::Condition> conditions;
//   };
//   void describe(kube::Description& d, ArticleStatus& status);
//
//   struct Article : CustomResource<GreetingSpec, ArticleStatus> {
//     static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Article"};
//     static constexpr std::array kConditions{std::string_view("Published")};
//   };
//
//   // After Article, because it reads kConditions.
//   void describe(kube::Description& d, ArticleStatus& status) {
//     controller::describe_conditions<Article>(d, status.conditions);
//   }
//
//   Reconciled publish(const Article&, Pass<Article>& pass) {
//     pass.condition("Published", true, "Uploaded", "The article is online.");  // other types do not compile
//     co_return done();
//   }
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::controller {

// The framework sets these conditions of every kind with conditions, never an author's controller: Paused (pause.hpp),
// and Conflict if another writer changes children back (Pass::apply).
inline constexpr std::string_view kPausedCondition = "Paused";
// The reason of Paused for a pause of children, in contrast to one of the object itself.
inline constexpr std::string_view kChildPausedReason = "ChildPaused";
inline constexpr std::string_view kConflictCondition = "Conflict";
// The reason of our Conflict. Another controller may set a condition of this type for another reason.
inline constexpr std::string_view kFieldConflict = "FieldConflict";

[[nodiscard]] constexpr bool is_reserved_condition(std::string_view type) {
  return type == kPausedCondition || type == kConflictCondition;
}

// All conditions that a controller with a Pass sets: Ready, `own` (kConditions), and those of the framework.
[[nodiscard]] std::vector<std::string> all_conditions(std::span<const std::string_view> own);

namespace detail {
// Whether kConditions has a reserved type, which no kind may list.
template <class T>
[[nodiscard]] constexpr bool lists_reserved() {
  for (const std::string_view own : T::kConditions) {
    if (is_reserved_condition(own)) return true;
  }
  return false;
}
}  // namespace detail

// True for Ready, Reconciling and Stalled, for Conflict, and for the types in `T::kConditions`. The framework writes
// Conflict with the status. It patches Paused separately (pause.hpp), so Paused is not one of them.
template <class T>
[[nodiscard]] constexpr bool is_own_condition(std::string_view type) {
  if constexpr (requires { T::kConditions; }) {
    static_assert(!detail::lists_reserved<T>(),
                  "remove Paused and Conflict from kConditions: the framework sets these conditions");
    for (const std::string_view own : T::kConditions) {
      if (own == type) return true;
    }
  }
  return type == "Ready" || type == "Reconciling" || type == "Stalled" || type == kConflictCondition;
}

namespace detail {

// "Ready, Available and Progressing; Reconciling and Stalled while they hold."
class ConditionsText {
 public:
  // A text of more than 1024 characters does not compile: name fewer conditions, or document them by hand.
  template <std::size_t N>
  consteval explicit ConditionsText(const std::array<std::string_view, N>& types) {
    add("Ready");
    for (std::size_t i = 0; i < N; ++i) {
      add(i + 1 == N ? " and " : ", ");
      add(types[i]);
    }
    add("; Reconciling and Stalled while they hold.");
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  constexpr void add(std::string_view part) {
    if (part.size() > text_.size() - size_) throw base::Misuse("kConditions: too long for a documentation");
    for (const char c : part) text_[size_++] = c;
  }

  std::array<char, 1024> text_{};
  std::size_t size_ = 0;
};

// Without kConditions only Ready, Reconciling and Stalled.
template <class T>
consteval ConditionsText conditions_text() {
  if constexpr (requires { T::kConditions; }) {
    return ConditionsText(T::kConditions);
  } else {
    return ConditionsText(std::array<std::string_view, 0>{});
  }
}

template <class T>
inline constexpr ConditionsText kConditionsText = conditions_text<T>();

}  // namespace detail

// Describes the field "conditions" of the status of `T`: a list by type, with `T::kConditions` in its documentation.
// Further constraints can be chained to it. Call it from the describe() of the status, as in the example above.
template <class T>
kube::Constraints& describe_conditions(kube::Description& d, std::vector<kube::Condition>& conditions) {
  return d.field("conditions", conditions, detail::kConditionsText<T>.view()).list_map({"type"});
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
    if (is_reserved_condition(type)) {
      throw base::Misuse("the framework sets the conditions Paused and Conflict (docs/operations.md)");
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
