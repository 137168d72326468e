// Decimal text to double, correctly rounded.
#pragma once

#include <optional>
#include <string_view>

namespace keelson::json {

// The text is a number by the grammar of JSON. Nothing when it is beyond a double; what is too small is zero.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

}  // namespace keelson::json
