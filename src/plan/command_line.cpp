#include "src/plan/command_line.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/cli/completion.hpp"
#include "keelson/detail/program/version.hpp"

namespace keelson::plan {

namespace {

constexpr const char* kFormats = "text|json";

// Both names of the flag for the format.
constexpr cli::Flag kFormatFlags[] = {{"output", kFormats, ""}, {"o", kFormats, ""}};

constexpr cli::Flag kUsedFlags[] = {
    {"kubeconfig", "FILE", "The cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config."},
    {"controllers", "LIST", "Which controllers run: \"*\" (all), names, or -name for all but that one."},
    {"watch-namespaces", "LIST", "The namespaces that they watch; otherwise all."},
    {"output", kFormats, "The format of the plan (default text). Short: -o."},
};

std::string usage(const std::string& program, const program::Syntax& syntax) {
  return "Usage: " + program + R"( [flags]

Prints what the controllers of this version would write to a cluster. Only reads from the cluster.
Exit code: 0 if nothing would be written, 2 if something would, 1 if there is no plan or a controller fails.

These flags have an effect; the other flags of the manager are accepted and ignored:
)" + cli::help_entries(used_flags(syntax)) +
         "\nCommands:\n" + cli::help_entry(cli::synopsis(cli::kCompletionCommand), cli::kCompletionCommand.help);
}

}  // namespace

std::vector<cli::Flag> used_flags(const program::Syntax& syntax) {
  std::vector<cli::Flag> flags(std::begin(kUsedFlags), std::end(kUsedFlags));
  const auto own = program::own_rows(syntax);
  flags.insert(flags.end(), own.begin(), own.end());
  return flags;
}

Result<CommandLine> parse_command_line(const std::string& program, const std::vector<std::string>& arguments,
                                       const program::Environment& environment, const program::Syntax& syntax,
                                       const program::OperatorVersion& version) {
  auto accepted = syntax;
  accepted.further = kFormatFlags;
  KEELSON_LET(auto flags, program::parse_flags(arguments, environment, accepted));
  CommandLine line;
  if (flags.help) line.answer = usage(program, syntax);
  if (flags.version) line.answer = program::version_text(syntax.name.text(), version);
  if (!line.answer && !flags.rest.empty()) return cli::unexpected_argument(flags.rest.front());
  if (!flags.further.empty() && flags.further.back().value == "json") line.format = Format::kJson;
  line.options = std::move(flags.options);
  return line;
}

}  // namespace keelson::plan
