// Percent-encodes the parts of a request target, as Go's net/url.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keelson::base {

// url.PathEscape: encodes everything that could end or split a path segment.
void append_path_segment(std::string& out, std::string_view segment);

// "a=1&b=x%2Cy", in the order given; a space becomes "+" as in url.QueryEscape. Empty for no parameters.
[[nodiscard]] std::string encode_query(const std::vector<std::pair<std::string, std::string>>& query);

}  // namespace keelson::base
