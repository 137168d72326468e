// The types of operators and functions: operands, arguments and results.
#pragma once

#include <string>
#include <vector>

#include "src/cel/expression.hpp"

namespace keelson::cel {

// Whether a value of one type is valid where the other is expected.
[[nodiscard]] bool are_assignable(const Type& one, const Type& other);

// The type of a call, null if no overload has arguments of these types. Sets the overloads of the node.
[[nodiscard]] TypePointer resolve_call(Expression& node, const std::vector<TypePointer>& arguments);

}  // namespace keelson::cel
