// Command lines of the framework's programs and their commands: a table of flags, one parser in the syntax of Go's flag
// package, the help, and the errors. The flags of `manager` are in src/program/flags/flag_table.cpp.
//
// The tables are constants, and views refer to them; functions without a stream are pure. Errors are
// kInvalid with Go's texts, sometimes followed by a second line "did you mean …?"; the caller exits with kUsageError.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::cli {

// The exit code for a command line that cannot be parsed, as in Go's flag package.
inline constexpr int kUsageError = 2;

struct Flag {
  std::string_view name;   // without dashes: "output"
  std::string_view value;  // its word in the help, "FILE"; "text|json" lists the valid values; empty: a bool
  std::string_view help;   // sentences; lines are separated by "\n"
  bool is_required = false;
};

// A program or a command of one.
struct Command {
  std::string_view name;          // "doctor", "create api"
  std::string_view arguments;     // as in the help, "KIND NAMESPACE/NAME"; empty: it has none
  std::string_view help;          // a sentence, for the list of commands
  std::span<const Flag> flags;    // in the order of the help
  std::string_view details = {};  // paragraphs for its own help, which otherwise has `help`
};

struct GivenFlag {
  std::string_view name;  // that of the table
  std::string value;      // a bool has "true" or "false"
};

// A parsed command line.
struct Words {
  std::vector<GivenFlag> flags;  // in their order
  std::vector<std::string> arguments;
  bool wants_help = false;     // -h or --help: no word after it is read
  bool wants_version = false;  // --version, the same
  bool has_dashes = false;     // the arguments follow `--`

  // The last value of a flag; null if it is not given.
  [[nodiscard]] const std::string* given(std::string_view name) const;
  [[nodiscard]] std::string flag(std::string_view name, std::string_view otherwise = "") const;
  [[nodiscard]] bool is_set(std::string_view name) const { return flag(name) == "true"; }
};

// kProgram: the first word that is not a flag is a command, and ends the flags; --version is known.
// kCommand: flags may stand before, between and after the arguments.
enum class Form { kProgram, kCommand };

// Flags have one or two dashes. A value follows after `=` or as the next word, that of a bool only after `=`. All words
// after `--` are arguments, and so is `-`.
[[nodiscard]] Result<Words> parse(const std::vector<std::string>& words, std::span<const Flag> flags, Form form);

// True for -h, -help and --help, for a word that is not parsed.
[[nodiscard]] bool asks_for_help(std::string_view word);

// `invalid value "x" for flag -output: must be text or json`.
[[nodiscard]] Error invalid_value(std::string_view flag, std::string_view value, std::string_view reason);
// The error for a value that is not one of `choices`, "text|json".
[[nodiscard]] Result<void> check_choice(std::string_view flag, std::string_view value, std::string_view choices);
[[nodiscard]] Error unexpected_argument(std::string_view word);
[[nodiscard]] Error unknown_command(std::string_view word, const std::vector<std::string_view>& known);
// "\ndid you mean --output?" with the nearest known name after `dashes`; empty if none is near.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string_view>& known,
                                     std::string_view dashes = "");

// An entry of the help: a line for `name`, and the help below it, as Go's PrintDefaults indents it.
[[nodiscard]] std::string help_entry(std::string_view name, std::string_view help);
[[nodiscard]] std::string help_entries(std::span<const Flag> flags);
// "doctor [--output text|json] [--watch]".
[[nodiscard]] std::string synopsis(const Command& command);
// The text of `PROGRAM COMMAND --help`.
[[nodiscard]] std::string usage(std::string_view program, const Command& command);

struct Console {
  std::string program;  // the name of the binary
  std::ostream& out;
  std::ostream& errors;
};

// Prints an error of a command line and how to get the help of `command`, which is empty for the program itself.
// Returns kUsageError.
int reject(const Console& console, std::string_view command, const Error& error);

// Parses `words`, which follow the command's name, and calls `work`, whose result is the exit code. An error of `work`
// is one of the command line. --help is printed without a call.
int run_command(const Console& console, const Command& command, const std::vector<std::string>& words,
                const std::function<Result<int>(const Words&)>& work);

// Flushes the output of a program. Returns `status`, or 1 after an error message if a write failed, because a script
// must not mistake a truncated output for a complete one.
[[nodiscard]] int check_output(std::ostream& out, std::ostream& errors, int status);

// The words after the program's name.
[[nodiscard]] std::vector<std::string> words_of(int argc, char** argv);
// The program's name without its folder; `otherwise` without any word.
[[nodiscard]] std::string program_name(int argc, char** argv, std::string_view otherwise);

}  // namespace keelson::cli
