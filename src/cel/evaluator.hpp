// Computes the value of an expression.
#pragma once

#include <vector>

#include "keelson/detail/cel/program.hpp"
#include "src/cel/expression.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

[[nodiscard]] Value evaluate(const Expression& expression, const std::vector<Binding>& bindings, Budget& budget);

}  // namespace keelson::cel
