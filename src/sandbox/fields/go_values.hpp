// Names, prints and parses values as Go does, for errors with the text of its decoder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// "string", "number", "bool", "object", "array".
[[nodiscard]] std::string go_kind(const Tree& value);

// The output of fmt with %v: map[a:1 b:[x y]], sorted by name.
[[nodiscard]] std::string go_print(const Tree& value);

// The output of json.Marshal, sorted by name.
[[nodiscard]] std::string go_json(const Tree& value);

// The error of time.Parse for an invalid RFC 3339 time: `parsing time "x" as "2006-…": cannot parse "x" as "2006"`.
[[nodiscard]] std::optional<std::string> time_error(std::string_view text, bool is_micro);

}  // namespace keelson::sandbox
