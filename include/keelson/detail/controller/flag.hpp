// A flag that an operator or a controller adds. The flags of every manager are in src/program/flags/flag_table.cpp.
//
// Its type is a text, bool, number, duration or list of texts.
//
// A Definition or an Operator declares it (`.flag<std::string>("redis-image", "redis:7", "The image.")`), the program
// parses it as its built-in flags, also from the file of --config, and Context::flag reads it.
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

// monostate: the flag has no default and was not given.
using FlagValue =
    std::variant<std::monostate, bool, std::int64_t, std::string, std::chrono::nanoseconds, std::vector<std::string>>;

// The types that a flag can have. A duration is written as in Go ("1m30s"), a list with commas.
template <class T>
concept FlagType = std::same_as<T, bool> || std::same_as<T, std::int64_t> || std::same_as<T, std::string> ||
                   std::same_as<T, std::chrono::nanoseconds> || std::same_as<T, std::vector<std::string>>;

struct Flag {
  std::string name;         // without dashes: "redis-image"
  FlagValue zero;           // a value of the flag's type, which is known even without a default
  FlagValue default_value;  // monostate: none, and the flag is read with optional_flag
  std::string help;         // a sentence, for --help and the reference
};

// The values by flag name.
using FlagValues = std::map<std::string, FlagValue, std::less<>>;

template <FlagType T>
[[nodiscard]] Flag make_flag(std::string name, FlagValue default_value, std::string help) {
  return {std::move(name), FlagValue(T{}), std::move(default_value), std::move(help)};
}

// `given`, plus the defaults of declared flags that were not given.
[[nodiscard]] FlagValues with_defaults(const std::vector<Flag>& declared, FlagValues given);

// "text", "bool", "number", "duration", "list of texts".
[[nodiscard]] std::string_view flag_type_name(const FlagValue& value);

namespace detail {
// Throws base::Misuse if no flag of the name is declared.
[[nodiscard]] const FlagValue& look_up(const FlagValues& values, std::string_view name);
[[noreturn]] void misuse_flag(std::string_view name, const FlagValue& value, const FlagValue& asked);
}  // namespace detail

// Null if the flag was not given and has no default. The result points into `values`. Throws base::Misuse if the flag
// is not declared, or has another type.
template <FlagType T>
[[nodiscard]] const T* find_flag(const FlagValues& values, std::string_view name) {
  const auto& value = detail::look_up(values, name);
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  const auto* found = std::get_if<T>(&value);
  if (found == nullptr) detail::misuse_flag(name, value, FlagValue(T{}));
  return found;
}

}  // namespace keelson::controller
