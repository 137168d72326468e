// Decimal text to double, correctly rounded, and double to integer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace keelson::json {

// `text` must be a number by JSON's grammar. nullopt if it is too large for a double; a number that is too small is
// zero.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

// The same number; nullopt if it has a fraction, or does not fit into int64.
[[nodiscard]] std::optional<std::int64_t> whole_number(double real);

}  // namespace keelson::json
