// Parses an expression.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "src/cel/expression.hpp"

namespace keelson::cel {

// Errors have the form of cel-go: "ERROR: <input>:1:5: Syntax error: …" and the line with a mark.
[[nodiscard]] Result<Expression> parse_expression(std::string_view text);

// Formats an error at a position of the text, as cel-go does.
[[nodiscard]] std::string error_at(std::string_view text, std::size_t offset, const std::string& why);

}  // namespace keelson::cel
