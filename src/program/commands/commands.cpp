#include "src/program/commands/commands.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <system_error>

#include "keelson/base/go_text.hpp"
#include "keelson/base/misuse.hpp"
#include "keelson/base/nearest.hpp"
#include "src/program/commands/doctor_command.hpp"
#include "src/program/commands/explain_command.hpp"
#include "src/program/commands/support_bundle_command.hpp"

namespace keelson::program {

namespace {

constexpr auto kCommands = std::to_array<CommandHelp>({
    {"version", "[--licenses]",
     "Print the versions of the program and of its libraries, as --version does, or their licenses."},
    {"explain", kExplainArguments,
     "Ask the running manager why an object is in its state: its place in the queue and its last reconciles."},
    {"generate", "crd|rbac|samples|webhook|all|kube-state-metrics --output DIR",
     "Generate the files of config/ that follow from the controllers, or a file for kube-state-metrics."},
    {"install", "[--kubeconfig FILE] [--dry-run] [--wait 30s]", "Apply the CRDs of the program's kinds to a cluster."},
    {"uninstall", "[--kubeconfig FILE] [--dry-run] [--timeout 60s] [--remove-finalizers]",
     "Delete every object of the program's kinds, and then their CRDs."},
    {"doctor", kDoctorArguments, "Examine the installation in a cluster, and print what is wrong with it."},
    {"support-bundle", kSupportBundleArguments,
     "Write the state of the installation into one file without secrets, for a report of a bug."},
});
constexpr CommandHelp kHelp{"help", "", "Print this text, as --help does."};

}  // namespace

std::vector<CommandHelp> all_commands(const Syntax& syntax) {
  std::vector<CommandHelp> all(kCommands.begin(), kCommands.end());
  for (const auto& command : syntax.commands) all.push_back({command.name, command.arguments, command.help});
  all.push_back(kHelp);
  return all;
}

void check_commands(const std::vector<Command>& commands) {
  std::vector<std::string_view> before = {kHelp.name};
  for (const auto& command : kCommands) before.push_back(command.name);
  for (const auto& command : commands) {
    const auto named = "the command " + base::quote_go(command.name);
    if (command.name.empty() || command.name.front() == '-') {
      throw base::Misuse(named + " needs a name that is a word and does not begin with a dash");
    }
    if (!command.run) throw base::Misuse(named + " has no function: set Command::run");
    if (std::find(before.begin(), before.end(), command.name) != before.end()) {
      throw base::Misuse(named + " exists already: give this one another name");
    }
    before.push_back(command.name);
  }
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const auto& word) { return word == "-h" || word == "-help" || word == "--help"; });
}

Error unexpected_words(const std::vector<std::string>& rest, const Syntax& syntax) {
  const auto& word = rest.front();
  std::vector<std::string_view> names;
  for (const auto& command : all_commands(syntax)) names.push_back(command.name);
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return invalid_error("the command " + base::quote_go(word) + " must come first");
  }
  auto text = "unknown command " + base::quote_go(word);
  if (auto meant = base::nearest(word, names)) text += "\ndid you mean " + std::string(*meant) + "?";
  return invalid_error(std::move(text));
}

int check_output(std::ostream& out, std::ostream& errors, int status) {
  errno = 0;
  out.flush();
  if (out) return status;
  // If an earlier write failed, its reason is lost.
  errors << "write to standard output failed";
  if (errno != 0) errors << ": " << std::generic_category().message(errno);
  errors << "\n";
  return EXIT_FAILURE;
}

}  // namespace keelson::program
