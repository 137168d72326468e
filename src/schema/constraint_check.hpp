// Checks that the constraints of a described struct fit its fields: the API server would reject the schema, or a
// constraint would have no effect.
#pragma once

#include <regex>
#include <string_view>
#include <vector>

#include "keelson/schema/describe.hpp"

namespace keelson::kube::detail {

// Throws base::Misuse with the fix; `owner` is the name of the C++ type.
void check_constraints(const Type& type, std::string_view owner);

// Throws base::Misuse if `pattern` is not a regular expression.
[[nodiscard]] std::regex compiled(std::string_view pattern);

// The errors of one value under the constraints of its field; null: it has none.
[[nodiscard]] std::vector<FieldError> validate_field(const Type& type, const Constraints* constraints,
                                                     const void* value, std::string_view path);

}  // namespace keelson::kube::detail
