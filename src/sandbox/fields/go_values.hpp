// How Go names, prints and parses values: for errors that say what its decoder would.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// "string", "number", "bool", "object", "array".
[[nodiscard]] std::string go_kind(const Tree& value);

// As fmt prints it with %v: map[a:1 b:[x y]], the names in order.
[[nodiscard]] std::string go_print(const Tree& value);

// As json.Marshal writes it: the names in order.
[[nodiscard]] std::string go_json(const Tree& value);

// "illegal base64 data at input byte 4"; nothing for what can be decoded.
[[nodiscard]] std::optional<std::string> base64_error(std::string_view text);

// What time.Parse says of no RFC 3339 time: `parsing time "x" as "2006-…": cannot parse "x" as "2006"`.
[[nodiscard]] std::optional<std::string> time_error(std::string_view text, bool is_micro);

}  // namespace keelson::sandbox
