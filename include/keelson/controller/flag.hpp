// A flag of an operator's own: text, bool, number, duration or a list of texts.
//
// Declared by a Definition or an Operator, parsed as the built-in flags are, and read from Context::flag.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace keelson::controller {

// monostate: not given, and without a default.
using FlagValue =
    std::variant<std::monostate, bool, std::int64_t, std::string, std::chrono::nanoseconds, std::vector<std::string>>;

// The types that a flag can have. A duration is written as in Go ("1m30s"), a list with commas.
template <class T>
concept FlagType = std::same_as<T, bool> || std::same_as<T, std::int64_t> || std::same_as<T, std::string> ||
                   std::same_as<T, std::chrono::nanoseconds> || std::same_as<T, std::vector<std::string>>;

struct Flag {
  std::string name;  // "redis-image"
  FlagValue zero;    // of its type
  FlagValue default_value;
  std::string help;
};

// By name.
using FlagValues = std::map<std::string, FlagValue, std::less<>>;

template <FlagType T>
[[nodiscard]] Flag make_flag(std::string name, FlagValue default_value, std::string help) {
  return {std::move(name), FlagValue(T{}), std::move(default_value), std::move(help)};
}

// `given`, and the defaults of declared flags that were not given.
[[nodiscard]] FlagValues with_defaults(const std::vector<Flag>& declared, FlagValues given);

// "text", "bool", "number", "duration", "list of texts".
[[nodiscard]] std::string_view flag_type_name(const FlagValue& value);

namespace detail {
// Throws base::Misuse if no flag of the name is declared.
[[nodiscard]] const FlagValue& look_up(const FlagValues& values, std::string_view name);
[[noreturn]] void misuse_flag(std::string_view name, const FlagValue& value, const FlagValue& asked);
}  // namespace detail

// Null if the flag was not given and has no default. Throws base::Misuse if it is not declared, or has another type.
template <FlagType T>
[[nodiscard]] const T* find_flag(const FlagValues& values, std::string_view name) {
  const auto& value = detail::look_up(values, name);
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  const auto* found = std::get_if<T>(&value);
  if (found == nullptr) detail::misuse_flag(name, value, FlagValue(T{}));
  return found;
}

}  // namespace keelson::controller
