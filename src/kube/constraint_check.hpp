// Whether the constraints of a described struct fit its fields: what the API server would reject of the schema, or what
// would have no effect.
#pragma once

#include <regex>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"

namespace keelson::kube::detail {

// Throws base::Misuse; `owner` is the C++ type.
void check_constraints(const Type& type, std::string_view owner);

// Throws base::Misuse for what is no regular expression.
[[nodiscard]] std::regex compiled(std::string_view pattern);

// What the constraints of one field reject of its value.
[[nodiscard]] std::vector<FieldError> validate_field(const Type& type, const Constraints& constraints,
                                                     const void* value, std::string_view path);

}  // namespace keelson::kube::detail
