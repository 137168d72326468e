// Result<T>: a value, or the Error that occurred instead. Every function that can fail returns one.
//
// Room `base` has values without I/O that every other room uses: results and errors, logs, random numbers, backoff,
// limits, texts as Go writes them. Three sorts of failures have three forms:
//   - a failure of the environment (network, API server, user input) is a Result with an Error (error.hpp);
//   - a mistake in the code of an operator's author is a base::Misuse, which is an exception (misuse.hpp);
//   - a bug of Keelson is a KEELSON_ASSERT, which ends the process (assert.hpp).
//
// Ownership: everything here is a value, except LogSink and Random, which `main` owns and services refer to. Threads:
// there is one, so nothing locks. Cancellation is not an Error: it unwinds a coroutine as an exception
// (async/is_cancelled.hpp).
//
// Example (test/examples/base.cpp#result):
//   Result<int> parse_port(std::string_view text) {
//     int port = 0;
//     auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
//     bool is_number = failure == std::errc() && end == text.data() + text.size();
//     if (!is_number || port < 1 || port > 65535) {
//       return invalid_error("invalid port " + base::quote_go(text) + ": use a number from 1 to 65535");
//     }
//     return port;
//   }
//
//   Result<std::string> address_of(std::string_view host, std::string_view port_text) {
//     KEELSON_LET(auto port, parse_port(port_text));
//     return std::string(host) + ":" + std::to_string(port);
//   }
//
// Discarding a Result is a compiler warning, and warnings are errors. Reading the value of a failed Result, or the
// error of a successful one, is a bug and ends the process (KEELSON_ASSERT).
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/error.hpp"

namespace keelson {

// Converts from T and from Error, so that a function returns either of them: `return 5;`, `return invalid_error("…");`.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  [[nodiscard]] explicit operator bool() const { return has_value(); }

  // The value; only if has_value(). Move it out of a local with `std::move(*result)`.
  [[nodiscard]] T& value() & { return checked(); }
  [[nodiscard]] const T& value() const& { return const_cast<Result*>(this)->checked(); }
  [[nodiscard]] T&& value() && { return std::move(checked()); }
  [[nodiscard]] T& operator*() & { return checked(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(checked()); }
  [[nodiscard]] T* operator->() { return &checked(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  // The error; only if not has_value(). To return it with context: `return
  // std::move(result.error()).with_context("…");`.
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

// A success without a value, which `return {};` creates, or an Error.
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
