// Forms of texts in built-in kinds: names, label keys, addresses, schedules, with the error texts of Kubernetes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

// The errors of a text in this format: one that the rules define (rule_table.hpp), or one of the source. Empty if the
// text has the format.
[[nodiscard]] std::vector<std::string> format_errors(std::string_view format, const std::string& text);

// Whether the text is a network ("10.0.0.0/8"), and whether the first one contains the second one and is larger.
[[nodiscard]] bool contains_network(const std::string& outer, const std::string& inner);

}  // namespace keelson::sandbox
