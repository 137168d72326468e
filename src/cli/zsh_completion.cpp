#include "src/cli/completion_words.hpp"

namespace keelson::cli {

namespace {

// `special` characters end a part of a specification of _arguments or _describe.
std::string escaped(std::string_view text, std::string_view special) {
  std::string made;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

// A text between single quotes.
std::string zsh_quoted(std::string_view text) {
  std::string made = "'";
  for (const char c : text) made.append(c == '\'' ? "'\\''" : std::string(1, c));
  return made + "'";
}

// '--output=[The format]:text|json:(text json)', which _arguments reads.
std::string specification(const Flag& flag) {
  std::string text = "--" + std::string(flag.name);
  const auto help = "[" + escaped(summary_of(flag.help), "[]:") + "]";
  if (flag.value.empty()) return zsh_quoted(text + help);
  text += "=" + help + ":" + escaped(flag.value, ":") + ":";
  const auto choices = choices_of(flag);
  if (choices.empty()) return zsh_quoted(text + "_files");
  std::string list;
  for (const auto choice : choices) list.append(list.empty() ? "(" : " ").append(choice);
  return zsh_quoted(text + list + ")");
}

std::string specifications(std::span<const Flag> flags) {
  std::string text;
  for (const auto& flag : flags) {
    if (is_plain_word(flag.name)) text += " " + specification(flag);
  }
  return text;
}

// The lines that offer the next word of the commands that begin with `before`.
std::string described_words(std::string_view before, std::span<const Command> commands) {
  std::string text = "    offered=(";
  for (const auto word : words_after(before, commands)) {
    const auto summary = summary_of_command(std::string(before) + std::string(word), commands);
    text += " " + zsh_quoted(std::string(word) + ":" + escaped(summary, ":"));
  }
  return text + " )\n    _describe command offered\n    return\n";
}

}  // namespace

std::string zsh_completion(std::string_view program, std::span<const Flag> flags, std::span<const Command> commands) {
  const auto function = completion_function(program);
  std::string script = "#compdef " + std::string(program) + "\n# Use it in ~/.zshrc, after compinit: source <(" +
                       std::string(program) + " completion zsh)\n" + function + "() {\n";
  script += "  local -a offered flags\n  if [[ $words[CURRENT] != -* ]] && (( CURRENT == 2 )); then\n" +
            described_words("", commands) + "  fi\n";
  for (const auto group : command_groups(commands)) {
    script += "  if (( CURRENT == 3 )) && [[ $words[2] == " + std::string(group) + " ]]; then\n" +
              described_words(std::string(group) + " ", commands) + "  fi\n";
  }
  script += "  case \"${words[2,3]} \" in\n";
  for (const auto& command : commands) {
    if (!is_plain(command.name)) continue;
    script += "    (" + zsh_quoted(std::string(command.name) + " ") + "*) flags=(" + specifications(command.flags) +
              " ) ;;\n";
  }
  script += "    (*) flags=(" + specifications(flags) + " '--version[Print the version]' ) ;;\n  esac\n";
  script += "  _arguments $flags '--help[Print the help]' '*: :_files'\n}\ncompdef " + function + " " +
            std::string(program) + "\n";
  // In a folder of fpath, zsh executes the script for the first completion.
  return script + "if [[ $funcstack[1] == _" + std::string(program) + " ]]; then " + function + "; fi\n";
}

}  // namespace keelson::cli
