// Names, prints and parses values as Go does, for errors with the text of its decoder.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// "string", "number", "bool", "object", "array".
[[nodiscard]] std::string go_kind(const Tree& value);

// Go visits the members of a map by name.
[[nodiscard]] std::vector<const Tree::Members::value_type*> sorted_members(const Tree& object);

// The output of fmt with %v: map[a:1 b:[x y]], sorted by name.
[[nodiscard]] std::string go_print(const Tree& value);

// The output of json.Marshal, sorted by name.
[[nodiscard]] std::string go_json(const Tree& value);

// The error of time.Parse for an invalid RFC 3339 time: `parsing time "x" as "2006-…": cannot parse "x" as "2006"`.
[[nodiscard]] std::optional<std::string> time_error(std::string_view text, bool is_micro);

// A time of any year from 0 to 9999.
struct GoTime {
  std::chrono::sys_seconds at{};
  int nanoseconds = 0;
};
// nullopt for a text that is not an RFC 3339 time.
[[nodiscard]] std::optional<GoTime> parse_go_time(std::string_view text);
// In UTC: "0001-01-01T00:00:02Z", or with six digits of a second for a MicroTime.
[[nodiscard]] std::string format_go_time(const GoTime& time, bool is_micro);

}  // namespace keelson::sandbox
