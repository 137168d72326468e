// The commands of a program, for the help and for suggestions after a typing error.
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
  std::string_view arguments;  // as in the help
  std::string_view help;
};

// The built-in commands, and those of the operator before `help`. `syntax` must outlive the result.
[[nodiscard]] std::vector<CommandHelp> all_commands(const Syntax& syntax);

// Throws base::Misuse for a command that has no function, a name that is taken, or a name that begins with a dash.
void check_commands(const std::vector<Command>& commands);

// The error for `rest`, which is not empty: a word among the flags is a misspelled or misplaced command. The manager
// does not start, because the arguments after it would be ignored.
[[nodiscard]] Error unexpected_words(const std::vector<std::string>& rest, const Syntax& syntax = {});

// Flushes the output of a command. Returns `status`, or 1 after an error message if a write failed, because a script
// must not mistake a truncated output for a complete one.
[[nodiscard]] int check_output(std::ostream& out, std::ostream& errors, int status);

}  // namespace keelson::program
