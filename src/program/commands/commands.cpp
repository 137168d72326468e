#include "src/program/commands/commands.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/cli/completion.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/program/version_command.hpp"
#include "src/program/commands/doctor_command.hpp"
#include "src/program/commands/explain_command.hpp"
#include "src/program/commands/generate.hpp"
#include "src/program/commands/install_command.hpp"
#include "src/program/commands/support_bundle_command.hpp"
#include "src/program/flags/flag_table.hpp"

namespace keelson::program {

namespace {

using Arguments = std::vector<std::string>;

constexpr cli::Command kHelpCommand{"help", "", "Print this text, as --help does.", {}};

struct BuiltInCommand {
  const cli::Command& command;
  int (*run)(const ProgramParts& parts, const Arguments& arguments, std::ostream& out, std::ostream& errors);
};

const BuiltInCommand kCommands[] = {
    {kVersionCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       const auto text = version_text(parts.syntax.name.text(), parts.additions.version);
       return version_command(parts.program, text, arguments, out, errors);
     }},
    {kExplainCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       return explain_command({parts.program, parts.syntax.name, parts.controllers}, arguments, out, errors);
     }},
    {kGenerateCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       const Declarations declared{parts.controllers, parts.additions.webhooks, parts.syntax.name,
                                   parts.additions.permissions};
       return generate_command(parts.program, arguments, declared, out, errors);
     }},
    {kInstallCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       return install_command(parts.program, arguments, parts.controllers, parts.syntax.name, out, errors);
     }},
    {kUninstallCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       return uninstall_command(parts.program, arguments, parts.controllers, parts.syntax.name, out, errors);
     }},
    {kDoctorCommand, doctor_command},
    {kSupportBundleCommand, support_bundle_command},
    {cli::kCompletionCommand,
     [](const auto& parts, const auto& arguments, auto& out, auto& errors) {
       const auto table = flag_table(parts.syntax);
       return cli::completion_command({parts.program, out, errors}, arguments, rows_of(table),
                                      all_commands(parts.syntax));
     }},
    {kHelpCommand,
     [](const auto& parts, const auto&, auto& out, auto&) {
       out << usage(parts.program, parts.syntax);
       return EXIT_SUCCESS;
     }},
};

}  // namespace

std::vector<cli::Command> all_commands(const Syntax& syntax) {
  std::vector<cli::Command> all;
  for (const auto& built_in : kCommands) all.push_back(built_in.command);
  for (const auto& own : syntax.commands) all.insert(all.end() - 1, {own.name, own.arguments, own.help, {}});
  return all;
}

std::optional<int> run_command(const ProgramParts& parts, const Arguments& words, std::ostream& out,
                               std::ostream& errors) {
  if (words.empty()) return std::nullopt;
  const Arguments arguments(words.begin() + 1, words.end());
  for (const auto& built_in : kCommands) {
    if (built_in.command.name == words.front()) return built_in.run(parts, arguments, out, errors);
  }
  for (const auto& own : parts.syntax.commands) {
    if (own.name == words.front()) return own.run(arguments, out, errors);
  }
  return std::nullopt;
}

void check_commands(const std::vector<Command>& commands) {
  std::vector<std::string_view> before;
  for (const auto& built_in : kCommands) before.push_back(built_in.command.name);
  for (const auto& command : commands) {
    const auto named = "the command " + base::quote_go(command.name);
    if (command.name.empty() || command.name.front() == '-') {
      throw base::Misuse(named + " needs a name that is a word and does not begin with a dash");
    }
    if (!command.run) throw base::Misuse(named + " has no function: set Command::run");
    if (std::ranges::find(before, command.name) != before.end()) {
      throw base::Misuse(named + " exists already: give this one another name");
    }
    before.push_back(command.name);
  }
}

Error unexpected_words(const std::vector<std::string>& rest, const Syntax& syntax) {
  const auto& word = rest.front();
  std::vector<std::string_view> names;
  for (const auto& command : all_commands(syntax)) names.push_back(command.name);
  if (std::ranges::find(names, word) != names.end()) {
    return invalid_error("the command " + base::quote_go(word) + " must come first");
  }
  return cli::unknown_command(word, names);
}

}  // namespace keelson::program
