// Type-checks an expression: its static type, or errors for unknown names, fields and calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/cel/program.hpp"
#include "src/cel/expression.hpp"

namespace keelson::cel {

// Also sets the types of all nodes, the overloads of calls and the values of names of types, such as `int`. Subtracts
// the cost of patterns that are literals from the budget.
[[nodiscard]] Result<TypePointer> check_expression(Expression& expression, const std::vector<Variable>& variables,
                                                   std::string_view text, std::size_t& pattern_budget);

}  // namespace keelson::cel
