#include <utility>

#include "src/cli/completion_words.hpp"

namespace keelson::cli {

namespace {

// In a text between single quotes, fish replaces a backslash before a quote or another backslash.
std::string fish_quoted(std::string_view text) {
  std::string made = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') made += '\\';
    made += c;
  }
  return made + "'";
}

class FishScript {
 public:
  FishScript(std::string_view program, std::span<const Command> commands)
      : function_(completion_function(program)), complete_("complete -c " + std::string(program)), commands_(commands) {
    text_ = "# Use it in ~/.config/fish/config.fish: " + std::string(program) + " completion fish | source\n";
    // The words before the cursor begin with those of a command.
    text_ += "function " + function_ + "\n  set -l words (commandline -opc)\n" +
             "  string match -q -- \"$argv[1] *\" \"$words[2..] \"\nend\n";
    // So many words precede the cursor.
    text_ += "function " + function_ + "_at\n  test (count (commandline -opc)) -eq $argv[1]\nend\n";
  }

  // The word of a command, if the condition holds.
  void add_words(const std::string& condition, std::string_view before) {
    for (const auto word : words_after(before, commands_)) {
      const auto name = std::string(before) + std::string(word);
      text_ += complete_ + " -f -n " + fish_quoted(condition) + " -a " + std::string(word) + " -d " +
               fish_quoted(summary_of_command(name, commands_)) + "\n";
    }
  }

  void add_flags(const std::string& condition, std::span<const Flag> flags) {
    for (const auto& flag : flags) {
      if (!is_plain_word(flag.name)) continue;
      text_ += complete_ + " -n " + fish_quoted(condition) + " -l " + std::string(flag.name);
      const auto choices = choices_of(flag);
      if (!choices.empty()) {
        text_ += " -x -a " + fish_quoted(joined(choices));
      } else if (!flag.value.empty()) {
        text_ += " -r";
      }
      text_ += " -d " + fish_quoted(summary_of(flag.help)) + "\n";
    }
  }

  [[nodiscard]] std::string is(std::string_view command) const { return function_ + " " + fish_quoted(command); }
  [[nodiscard]] std::string at(int words) const { return function_ + "_at " + std::to_string(words); }
  [[nodiscard]] std::string without_command() const {
    std::string text;
    for (const auto word : words_after("", commands_)) text += (text.empty() ? "not " : "; and not ") + is(word);
    return text.empty() ? "true" : text;
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string function_;
  std::string complete_;
  std::span<const Command> commands_;
  std::string text_;
};

}  // namespace

std::string fish_completion(std::string_view program, std::span<const Flag> flags, std::span<const Command> commands) {
  static constexpr Flag kOfAll[] = {{"help", "", "Print the help"}};
  static constexpr Flag kOfProgram[] = {{"version", "", "Print the version"}};
  FishScript script(program, commands);
  script.add_words(script.at(1), "");
  for (const auto group : command_groups(commands)) {
    script.add_words(script.at(2) + "; and " + script.is(group), std::string(group) + " ");
  }
  for (const auto& command : commands) {
    if (is_plain(command.name)) script.add_flags(script.is(command.name), command.flags);
  }
  script.add_flags(script.without_command(), flags);
  script.add_flags(script.without_command(), kOfProgram);
  script.add_flags("true", kOfAll);
  return std::move(script).take();
}

}  // namespace keelson::cli
