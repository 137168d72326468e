// format(): "%s is %d".format([name, 3]).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cel/type.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

[[nodiscard]] Value formatted_text(const Values& arguments, Budget& budget);

// The error in a format whose arguments have these types; empty if it is correct. `at` is set to the argument that is
// wrong.
[[nodiscard]] std::string static_format_error(std::string_view format, const std::vector<TypePointer>& types,
                                              std::optional<std::size_t>& at);

}  // namespace keelson::cel
