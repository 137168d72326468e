// Percent-encoding of request targets, as in Go's net/url.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keelson::base {

// url.PathEscape: encodes everything that could end or split a path segment.
void append_path_segment(std::string& out, std::string_view segment);

// The encoding of URL.EscapedPath for a decoded path: slashes are retained.
[[nodiscard]] std::string encode_path(std::string_view path);

// "a=1&b=x%2Cy", in the order given; a space becomes "+" as in url.QueryEscape. Empty for no parameters.
[[nodiscard]] std::string encode_query(const std::vector<std::pair<std::string, std::string>>& query);

// "%XX" for each byte for which `is_plain` is false, with capital letters.
[[nodiscard]] std::string percent_encode(std::string_view text, bool (*is_plain)(char));

// Decodes "%XX", with letters of any case. Absent if a '%' is not followed by two hexadecimal digits. "+" is not
// special: it is a space in queries only.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

}  // namespace keelson::base
