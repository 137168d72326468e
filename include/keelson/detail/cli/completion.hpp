// The command `completion` of every program: a script with which bash, zsh or fish completes its commands, flags and
// values.
//
// The script follows from the tables that the program parses and prints as help. Where it knows no word, the shell
// completes names of files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cli/command_line.hpp"

namespace keelson::cli {

inline constexpr Command kCompletionCommand{
    "completion", "bash|zsh|fish", "Print a script for a shell that completes commands and flags.", {}};

// `flags` are those of the program without a command. Names and values with characters other than letters, digits and
// a few that mean nothing to a shell are not completed.
[[nodiscard]] std::string bash_completion(std::string_view program, std::span<const Flag> flags,
                                          std::span<const Command> commands);
[[nodiscard]] std::string zsh_completion(std::string_view program, std::span<const Flag> flags,
                                         std::span<const Command> commands);
[[nodiscard]] std::string fish_completion(std::string_view program, std::span<const Flag> flags,
                                          std::span<const Command> commands);

// Runs the command with the words after its name. Returns the exit code.
int completion_command(const Console& console, const std::vector<std::string>& words, std::span<const Flag> flags,
                       std::span<const Command> commands);

}  // namespace keelson::cli
