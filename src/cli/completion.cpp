#include "keelson/detail/cli/completion.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <set>

#include "src/cli/completion_words.hpp"

namespace keelson::cli {

namespace {

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

bool is_plain(std::string_view text) {
  static constexpr std::string_view kOthers = "-_./| ";
  return std::ranges::all_of(text,
                             [](char c) { return is_alphanumeric(c) || kOthers.find(c) != std::string_view::npos; });
}

bool is_plain_word(std::string_view text) { return is_plain(text) && text.find(' ') == std::string_view::npos; }

std::string completion_function(std::string_view program) {
  std::string function = "_complete_" + std::string(program);
  std::ranges::replace_if(
      function, [](char c) { return !is_alphanumeric(c); }, '_');
  return function;
}

std::vector<std::string_view> words_after(std::string_view before, std::span<const Command> commands) {
  std::set<std::string_view> words;
  for (const auto& command : commands) {
    if (!command.name.starts_with(before) || !is_plain(command.name)) continue;
    const auto rest = command.name.substr(before.size());
    words.insert(rest.substr(0, rest.find(' ')));
  }
  return {words.begin(), words.end()};
}

std::vector<std::string_view> command_groups(std::span<const Command> commands) {
  std::set<std::string_view> groups;
  for (const auto& command : commands) {
    const auto space = command.name.find(' ');
    if (space != std::string_view::npos && is_plain(command.name)) groups.insert(command.name.substr(0, space));
  }
  return {groups.begin(), groups.end()};
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::vector<std::string_view> choices_of(const Flag& flag) {
  std::vector<std::string_view> choices;
  auto rest = flag.value;
  if (rest.find('|') == std::string_view::npos || !is_plain_word(rest)) return choices;
  while (true) {
    const auto end = rest.find('|');
    choices.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) return choices;
    rest.remove_prefix(end + 1);
  }
}

std::string_view summary_of(std::string_view help) {
  auto line = help.substr(0, help.find('\n'));
  if (line.ends_with('.')) line.remove_suffix(1);
  return line;
}

std::string summary_of_command(std::string_view name, std::span<const Command> commands) {
  std::string names;
  for (const auto& command : commands) {
    if (command.name == name) return std::string(summary_of(command.help));
    if (command.name.starts_with(std::string(name) + " ")) names.append(names.empty() ? "" : ", ").append(command.name);
  }
  return names;
}

int completion_command(const Console& console, const std::vector<std::string>& words, std::span<const Flag> flags,
                       std::span<const Command> commands) {
  return run_command(console, kCompletionCommand, words, [&](const Words& given) -> Result<int> {
    const auto shell = given.arguments.size() == 1 ? given.arguments.front() : std::string();
    if (shell == "bash") {
      console.out << bash_completion(console.program, flags, commands);
    } else if (shell == "zsh") {
      console.out << zsh_completion(console.program, flags, commands);
    } else if (shell == "fish") {
      console.out << fish_completion(console.program, flags, commands);
    } else {
      return invalid_error("name the shell: " + console.program + " completion bash, zsh or fish");
    }
    return EXIT_SUCCESS;
  });
}

}  // namespace keelson::cli
