#include "src/json/number.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

namespace keelson::json {

std::optional<double> parse_double(std::string_view text) {
  // strtod() expects a zero after the text.
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace keelson::json
