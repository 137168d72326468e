// What type an expression has, and which of its names, fields and calls there are not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/cel/program.hpp"
#include "src/cel/expression.hpp"

namespace keelson::cel {

// Also gives names of types their values.
[[nodiscard]] Result<TypePointer> check_expression(Expression& expression, const std::vector<Variable>& variables,
                                                   std::string_view text);

}  // namespace keelson::cel
