// Which types operators and functions take, and what they give.
#pragma once

#include <string>
#include <vector>

#include "keelson/cel/type.hpp"

namespace keelson::cel {

// Whether a value of one type may stand where the other is expected.
[[nodiscard]] bool are_assignable(const Type& one, const Type& other);

// Null when these types do not fit; `is_known` says whether there is anything of that name.
[[nodiscard]] TypePointer result_of_call(const std::string& name, bool has_target,
                                         const std::vector<TypePointer>& arguments, bool& is_known);

}  // namespace keelson::cel
