// The words that may follow the program's name in place of flags, for the help and for who mistypes one.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/error.hpp"

namespace keelson::program {

struct Command {
  std::string_view name;
  std::string_view arguments;  // as the help shows them
  std::string_view help;
};

// The exit code of a command line that cannot be understood.
inline constexpr int kUsageError = 2;

[[nodiscard]] std::span<const Command> commands();

// Whether one of the words that follow a command is -h, -help or --help.
[[nodiscard]] bool asks_for_help(const std::vector<std::string>& arguments);

// Why the manager does not start with `rest`, which is not empty: a word among its flags is a command that was
// mistyped or stands in the wrong place, and what follows it would be ignored.
[[nodiscard]] Error unexpected_words(const std::vector<std::string>& rest);

// Flushes `out`, which a command has written to. Returns `status`, or 1 after an error message when a write failed: a
// script must not take a truncated output for a complete one.
[[nodiscard]] int check_output(std::ostream& out, std::ostream& errors, int status);

}  // namespace keelson::program
