// The named classes of characters in regular expressions: \d, [:alpha:], \pL.
#pragma once

#include <optional>
#include <string_view>

#include "src/cel/pattern_syntax.hpp"

namespace keelson::cel {

// 'd', 's', 'w' and their capitals.
[[nodiscard]] std::optional<CodeRanges> perl_class(char letter);
// "alpha", "^digit".
[[nodiscard]] std::optional<CodeRanges> posix_class(std::string_view name);
// "L", "Lu", "Greek".
[[nodiscard]] CodeRanges unicode_class(std::string_view name);

// Adds the other case of its ASCII letters.
[[nodiscard]] CodeRanges folded_ranges(CodeRanges ranges);

}  // namespace keelson::cel
