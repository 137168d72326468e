// The words that the completion scripts of all shells offer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cli/completion.hpp"

namespace keelson::cli {

// Whether no character means anything to a shell.
[[nodiscard]] bool is_plain(std::string_view text);
// The same, and it is one word.
[[nodiscard]] bool is_plain_word(std::string_view text);
// The name of a function in the script: "_complete_my_shop".
[[nodiscard]] std::string completion_function(std::string_view program);
// The next words of the commands that begin with `before`, sorted: "api" and "webhook" for "create ".
[[nodiscard]] std::vector<std::string_view> words_after(std::string_view before, std::span<const Command> commands);
// The first words of commands of two words: "create".
[[nodiscard]] std::vector<std::string_view> command_groups(std::span<const Command> commands);
// With a blank between two of them.
[[nodiscard]] std::string joined(const std::vector<std::string_view>& words);
// "text|json" as "text" and "json"; empty for the word of another value.
[[nodiscard]] std::vector<std::string_view> choices_of(const Flag& flag);
// The first line of a help, without a period at its end.
[[nodiscard]] std::string_view summary_of(std::string_view help);
// The help of the command with this name; for the first word of several commands, their names.
[[nodiscard]] std::string summary_of_command(std::string_view name, std::span<const Command> commands);

}  // namespace keelson::cli
