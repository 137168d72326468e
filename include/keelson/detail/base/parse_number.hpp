// Reads a number from a text, such as a flag, a header or an annotation.
//
// A number is the whole text: blanks, a unit or other characters after it are errors, and so are a plus sign and an
// empty text. Only signed types accept a minus sign. It depends on no locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace keelson::base {

// nullopt if the text is anything else, or a number that does not fit into `Number`, which is an integer or a
// floating-point type. Floating-point types accept "inf" and "nan", so compare the result with the range that makes
// sense. `radix` of integers: 2 to 36.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, int radix) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, radix);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace keelson::base
