// The words that may follow the program's name in place of flags, for the help and for who mistypes one.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/error.hpp"
#include "keelson/program/flags.hpp"

namespace keelson::program {

struct CommandHelp {
  std::string_view name;
  std::string_view arguments;  // as the help shows them
  std::string_view help;
};

// The built-in ones, with those of the operator before `help`. `syntax` must outlive the result.
[[nodiscard]] std::vector<CommandHelp> all_commands(const Syntax& syntax);

// Throws base::Misuse if one has the name of a built-in command or of another, no function, or begins with a dash.
void check_commands(const std::vector<Command>& commands);

// Why the manager does not start with `rest`, which is not empty: a word among its flags is a command that was
// mistyped or stands in the wrong place, and what follows it would be ignored.
[[nodiscard]] Error unexpected_words(const std::vector<std::string>& rest, const Syntax& syntax = {});

// Flushes `out`, which a command has written to. Returns `status`, or 1 after an error message when a write failed: a
// script must not take a truncated output for a complete one.
[[nodiscard]] int check_output(std::ostream& out, std::ostream& errors, int status);

}  // namespace keelson::program
