// JSON pointers (RFC 6901), the paths of JSON patch operations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::json {

using Pointer = std::vector<std::string>;

// nullopt if the text is neither empty nor starts with a slash, or if it has an invalid escape (~).
[[nodiscard]] std::optional<Pointer> parse_pointer(std::string_view text);

// `pointer` with one more step, escaped.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view step);

// A step as an array index; nullopt unless it consists of digits without a leading zero.
[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view step);

}  // namespace keelson::json
