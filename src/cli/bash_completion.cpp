#include "src/cli/completion_words.hpp"

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

std::string entries_of(std::span<const Flag> flags) {
  std::string text;
  for (const auto& flag : flags) {
    if (!is_plain_word(flag.name)) continue;
    text.append(flag.name).append(":").append(is_plain_word(flag.value) ? flag.value : "VALUE").append(" ");
  }
  return text;
}

std::string case_of(std::string_view words, std::string_view variable, std::string_view value) {
  std::string text("    ");
  return text.append(words).append("*) ").append(variable).append("='").append(value).append("' ;;\n");
}

}  // namespace

std::string bash_completion(std::string_view program, std::span<const Flag> flags, std::span<const Command> commands) {
  const auto function = completion_function(program);
  std::string cases;
  for (const auto& command : commands) {
    if (!is_plain(command.name)) continue;
    cases += case_of("'" + std::string(command.name) + " '", "flags", entries_of(command.flags));
  }
  for (const auto group : command_groups(commands)) {
    const auto words = std::string(group) + " ";
    cases += case_of("'" + words + "'", "((COMP_CWORD == 2)) && words", joined(words_after(words, commands)));
  }
  cases += case_of("", "flags", entries_of(flags) + "version:");
  std::string script = "# Use it in ~/.bashrc: source <(" + std::string(program) + " completion bash)\n" + function;
  script.append("() {\n  local commands='")
      .append(joined(words_after("", commands)))
      .append("'")
      .append(kBegin)
      .append(cases)
      .append(kEnd);
  return script + "complete -o default -F " + function + " " + std::string(program) + "\n";
}

}  // namespace keelson::cli
