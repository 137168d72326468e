#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/program/flags.hpp"
#include "keelson/json/writer.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/flags/flag_table.hpp"

namespace keelson::program {

namespace {

// Go does not print a default that is the zero value of the type.
bool default_is_zero(const Flag& flag) {
  return flag.default_text.empty() || flag.default_text == "false" || flag.default_text == "0" ||
         flag.default_text == "0s";
}

std::string default_note(const Flag& flag) {
  if (default_is_zero(flag)) return "";
  bool quoted = flag.type == FlagType::kString || flag.type == FlagType::kList;
  return " (default " + (quoted ? base::quote_go(flag.default_text) : std::string(flag.default_text)) + ")";
}

// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|' || c == '*' || c == '<') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

}  // namespace

std::string_view type_name(FlagType type) {
  switch (type) {
    case FlagType::kBool:
      return "";
    case FlagType::kString:
      return "string";
    case FlagType::kInt:
      return "int";
    case FlagType::kDuration:
      return "duration";
    case FlagType::kList:
      return "list";
    case FlagType::kValue:
      return "value";
  }
  return "";
}

std::string usage(std::string_view program, const Syntax& syntax) {
  std::string out = "Usage of " + std::string(program) + ":\n\nCommands (without a command, the controllers run):\n";
  for (const auto& command : all_commands(syntax)) out += cli::help_entry(cli::synopsis(command), command.help);
  out += "\nFlags:\n";
  for (const auto& flag : flag_table(syntax)) {
    auto name = "-" + std::string(flag.name);
    if (flag.type != FlagType::kBool) name.append(" ").append(type_name(flag.type));
    out += cli::help_entry(name, std::string(flag.help) + default_note(flag));
  }
  return out;
}

std::string flags_markdown(const Syntax& syntax) {
  std::string out = "| flag | type | default | |\n|---|---|---|---|\n";
  for (const auto& flag : flag_table(syntax)) {
    auto type = flag.type == FlagType::kBool ? std::string_view("bool") : type_name(flag.type);
    out.append("| `--").append(flag.name).append("` | ").append(type).append(" | ");
    if (!flag.default_text.empty()) out.append("`").append(flag.default_text).append("`");
    out.append(" | ").append(cell(flag.help)).append(" |\n");
  }
  return out;
}

}  // namespace keelson::program
