// Decimal text to double, correctly rounded.
#pragma once

#include <optional>
#include <string_view>

namespace keelson::json {

// `text` must be a number by JSON's grammar. nullopt if it is too large for a double; a number that is too small is
// zero.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

}  // namespace keelson::json
