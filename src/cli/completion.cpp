#include "keelson/detail/cli/completion.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <set>

namespace keelson::cli {

namespace {

// The cases between these texts set `words`, of which one is completed, and `flags`: NAME: of a bool, NAME:VALUE of
// another one. Bash splits --NAME=VALUE into three words.
constexpr std::string_view kBegin = R"(
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" entry value= names= flags= words=
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "${COMP_WORDS[*]:1:2} " in
)";
constexpr std::string_view kEnd = R"(  esac
  if ((COMP_CWORD == 1)); then words="$commands"; fi
  for entry in $flags help:; do
    names+=" --${entry%%:*}"
    if [[ $before == "--${entry%%:*}" || $before == "-${entry%%:*}" ]]; then value="${entry#*:}"; fi
  done
  if [[ $value == *'|'* ]]; then
    words="${value//|/ }"
  elif [[ -n $value ]]; then
    words=
  elif [[ $word == -* ]]; then
    words="$names"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
)";

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// compgen expands its words as bash expands a command line.
bool is_plain(std::string_view text) {
  static constexpr std::string_view kOthers = "-_./| ";
  return std::ranges::all_of(text,
                             [](char c) { return is_alphanumeric(c) || kOthers.find(c) != std::string_view::npos; });
}

// `flags` is split at blanks.
bool is_plain_word(std::string_view text) { return is_plain(text) && text.find(' ') == std::string_view::npos; }

std::string entries_of(std::span<const Flag> flags) {
  std::string text;
  for (const auto& flag : flags) {
    if (!is_plain_word(flag.name)) continue;
    text.append(flag.name).append(":").append(is_plain_word(flag.value) ? flag.value : "VALUE").append(" ");
  }
  return text;
}

// The next words of the commands that begin with `before`: "api" and "webhook" for "create ".
std::string words_after(std::string_view before, std::span<const Command> commands) {
  std::set<std::string_view> words;
  for (const auto& command : commands) {
    if (!command.name.starts_with(before) || !is_plain(command.name)) continue;
    const auto rest = command.name.substr(before.size());
    words.insert(rest.substr(0, rest.find(' ')));
  }
  std::string text;
  for (const auto word : words) text.append(word).append(" ");
  return text;
}

std::string case_of(std::string_view words, std::string_view variable, std::string_view value) {
  std::string text("    ");
  return text.append(words).append("*) ").append(variable).append("='").append(value).append("' ;;\n");
}

}  // namespace

std::string bash_completion(std::string_view program, std::span<const Flag> flags, std::span<const Command> commands) {
  std::string function = "_complete_" + std::string(program);
  std::ranges::replace_if(
      function, [](char c) { return !is_alphanumeric(c); }, '_');
  std::string cases;
  std::set<std::string_view> groups;
  for (const auto& command : commands) {
    if (!is_plain(command.name)) continue;
    const auto space = command.name.find(' ');
    if (space != std::string_view::npos) groups.insert(command.name.substr(0, space));
    cases += case_of("'" + std::string(command.name) + " '", "flags", entries_of(command.flags));
  }
  for (const auto group : groups) {
    const auto words = std::string(group) + " ";
    cases += case_of("'" + words + "'", "((COMP_CWORD == 2)) && words", words_after(words, commands));
  }
  cases += case_of("", "flags", entries_of(flags) + "version:");
  std::string script = "# Use it in ~/.bashrc: source <(" + std::string(program) + " completion bash)\n" + function;
  script.append("() {\n  local commands='")
      .append(words_after("", commands))
      .append("'")
      .append(kBegin)
      .append(cases)
      .append(kEnd);
  return script + "complete -o default -F " + function + " " + std::string(program) + "\n";
}

int completion_command(const Console& console, const std::vector<std::string>& words, std::span<const Flag> flags,
                       std::span<const Command> commands) {
  return run_command(console, kCompletionCommand, words, [&](const Words& given) -> Result<int> {
    if (given.arguments != std::vector<std::string>{"bash"}) {
      return invalid_error("name the shell: " + console.program + " completion bash");
    }
    console.out << bash_completion(console.program, flags, commands);
    return EXIT_SUCCESS;
  });
}

}  // namespace keelson::cli
