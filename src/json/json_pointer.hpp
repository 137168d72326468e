// RFC 6901 pointers, as the operations of a JSON patch name places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::json {

using Pointer = std::vector<std::string>;

// Nothing when the text is neither empty nor begins with a slash, or has a tilde that escapes nothing.
[[nodiscard]] std::optional<Pointer> parse_pointer(std::string_view text);

// `pointer` with one more step, escaped.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view step);

// A step as an array's index: digits without a leading zero.
[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view step);

}  // namespace keelson::json
