#include "src/json/number.hpp"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>

namespace keelson::json {

std::optional<double> parse_double(std::string_view text) {
  // strtod() expects a zero after the text, and the decimal point of the process's locale.
  std::string number(text);
  const std::string_view point = std::localeconv()->decimal_point;
  const auto place = number.find('.');
  if (point != "." && place != std::string::npos) number.replace(place, 1, point);
  const double value = std::strtod(number.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> whole_number(double real) {
  // 2^63 is a double, the largest int64 is not.
  const bool fits = real >= -0x1p63 && real < 0x1p63 && std::trunc(real) == real;
  return fits ? std::optional(static_cast<std::int64_t>(real)) : std::nullopt;
}

}  // namespace keelson::json
