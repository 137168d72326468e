// A value, or the Error that came instead of it.
//
// Discarding a Result is a compiler warning, and warnings are errors. Reading the value of a failed
// Result is our own mistake and ends the process (KEELSON_ASSERT).
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "keelson/base/assert.hpp"
#include "keelson/base/error.hpp"

namespace keelson {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  [[nodiscard]] explicit operator bool() const { return has_value(); }

  [[nodiscard]] T& value() & { return checked(); }
  [[nodiscard]] const T& value() const& { return const_cast<Result*>(this)->checked(); }
  [[nodiscard]] T&& value() && { return std::move(checked()); }
  [[nodiscard]] T& operator*() & { return checked(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(checked()); }
  [[nodiscard]] T* operator->() { return &checked(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] Error& error() & { return checked_error(); }
  [[nodiscard]] const Error& error() const& { return const_cast<Result*>(this)->checked_error(); }
  [[nodiscard]] Error&& error() && { return std::move(checked_error()); }

 private:
  T& checked() {
    KEELSON_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  Error& checked_error() {
    KEELSON_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  [[nodiscard]] explicit operator bool() const { return has_value(); }

  [[nodiscard]] Error& error() & { return checked_error(); }
  [[nodiscard]] const Error& error() const& { return const_cast<Result*>(this)->checked_error(); }
  [[nodiscard]] Error&& error() && { return std::move(checked_error()); }

 private:
  Error& checked_error() {
    KEELSON_ASSERT(error_.has_value());
    return *error_;
  }
  std::optional<Error> error_;
};

}  // namespace keelson
