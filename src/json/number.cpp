#include "src/json/number.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace keelson::json {

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars does not report whether an out-of-range number is too large or too small.
  if (read.ec == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace keelson::json
