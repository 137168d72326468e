// Parsers of flag values, with the errors of Go's flag package.
//
// Pure functions. Errors are kInvalid; their text is the part of Go's message after the name of the flag.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::cli {

// strconv.ParseBool: 1 t T TRUE true True, 0 f F FALSE false False.
[[nodiscard]] Result<bool> parse_bool(std::string_view text);
// strconv.ParseInt with base 0: 10, -0x1F, 0o17, 017, 0b11, 1_000.
[[nodiscard]] Result<std::int64_t> parse_int(std::string_view text);
// The same, and "must be between 1 and 1000" for a number outside of the range.
[[nodiscard]] Result<std::int64_t> parse_int(std::string_view text, std::int64_t least, std::int64_t most);
// time.ParseDuration; Go's flag package replaces its message by "parse error".
[[nodiscard]] Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// The parts of a comma separated list without surrounding blanks; empty parts are dropped.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);

}  // namespace keelson::cli
