// The types of operators and functions: operands, arguments and results.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/cel/type.hpp"

namespace keelson::cel {

// Whether a value of one type is valid where the other is expected.
[[nodiscard]] bool are_assignable(const Type& one, const Type& other);

// Null if the types do not match; `is_known`: whether an operator or function of that name exists.
[[nodiscard]] TypePointer result_of_call(const std::string& name, bool has_target,
                                         const std::vector<TypePointer>& arguments, bool& is_known);

}  // namespace keelson::cel
