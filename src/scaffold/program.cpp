#include "src/scaffold/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <optional>
#include <ostream>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/completion.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/program/version_command.hpp"
#include "keelson/program/operator.hpp"
#include "src/scaffold/commands.hpp"

namespace keelson::scaffold {

namespace {

using cli::Words;

struct Console {
  std::filesystem::path root;
  std::istream& in;
  std::ostream& out;
  std::ostream& errors;
};

int report_error(const Console& console, const Error& error) {
  console.errors << "keelson: " << base::for_terminal(error.text) << "\nNo file was changed.\n";
  return EXIT_FAILURE;
}

// Writes the files and lists them.
int apply(const Console& console, const TreeChange& change, const std::string& next_steps) {
  const auto created = change.created();
  const auto changed = change.changed();
  const auto done = change.apply();
  if (!done) return report_error(console, done.error());
  for (const auto& path : created) console.out << "created  " << path << "\n";
  for (const auto& path : changed) console.out << "changed  " << path << "\n";
  console.out << next_steps;
  return EXIT_SUCCESS;
}

int run_init(const Words& words, const Console& console) {
  InitOptions options;
  options.domain = words.flag("domain", options.domain);
  options.name = words.flag("name", words.flag("project-name"));
  options.version = program::version();
  const auto change = init(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, "Next: keelson create api --group GROUP --version v1 --kind KIND\n");
}

KindOptions kind_options(const Words& words) {
  return {words.flag("group"), words.flag("version"), words.flag("kind"), words.flag("plural"), words.flag("external")};
}

std::optional<bool> bool_flag(const Words& words, std::string_view name) {
  if (!words.given(name)) return std::nullopt;
  return words.is_set(name);
}

// Asks until the answer is yes or no, as kubebuilder does.
Result<bool> ask(const Console& console, const std::string& question) {
  std::string answer;
  for (;;) {
    console.out << question << std::endl;
    if (!std::getline(console.in, answer)) {
      return invalid_error("no answer to \"" + question +
                           "\": answer y or n, or use the flags --resource and --controller (or --resource=false)");
    }
    if (answer == "y" || answer == "yes") return true;
    if (answer == "n" || answer == "no") return false;
  }
}

int run_create_api(const Words& words, const Console& console) {
  ApiOptions options;
  options.kind = kind_options(words);
  options.is_namespaced = words.flag("namespaced", "true") == "true";
  options.has_resource = bool_flag(words, "resource");
  options.has_controller = bool_flag(words, "controller");
  options.ask = [&console](const std::string& question) { return ask(console, question); };
  const auto change = create_api(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change,
               "Next: change the types and the reconcile function, then run make test and make manifests\n");
}

int run_create_webhook(const Words& words, const Console& console) {
  if (words.is_set("conversion")) {
    return report_error(
        console, invalid_error("there are no conversion webhooks: the API server converts between versions "
                               "that differ in fields only (Kind::other_versions in keelson/detail/schema/kind.hpp)"));
  }
  WebhookOptions options;
  options.kind = kind_options(words);
  options.has_defaulter = words.is_set("defaulting");
  options.has_validator = words.is_set("programmatic-validation");
  const auto change = create_webhook(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, "Next: change set_defaults() and validate(), then run make test and make manifests\n");
}

int run_edit(const Words& words, const Console& console) {
  EditOptions options;
  options.is_namespaced = bool_flag(words, "namespaced");
  if (!options.is_namespaced && !words.given("multigroup")) {
    return report_error(console, invalid_error("there is nothing to change: use --namespaced or --namespaced=false"));
  }
  const auto change = edit(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, change->changed().empty() ? "Nothing to change.\n" : "");
}

int run_update(const Words&, const Console& console) {
  const auto result = update(console.root, program::version());
  if (!result) return report_error(console, result.error());
  const bool is_up_to_date = result->change.changed().empty() && result->change.created().empty();
  const auto code = apply(console, result->change, is_up_to_date ? "Nothing to update.\n" : "");
  if (code != EXIT_SUCCESS) return code;
  for (const auto& path : result->deleted) console.out << "deleted by you, and not created again: " << path << "\n";
  // The names of files are those of the folder, not ours.
  for (const auto& path : result->abandoned) console.out << "no longer generated: " << base::on_one_line(path) << "\n";
  for (const auto& path : result->conflicts) {
    console.errors << "keelson: conflict in " << path << ": resolve its markers\n";
  }
  return result->conflicts.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

constexpr cli::Flag kInitFlags[] = {
    {"domain", "DOMAIN", "The domain of the API groups (default: my.domain)."},
    {"name", "NAME", "The name of the project and of its operator (default: the name of the folder)."},
    {"project-name", "NAME", "The same as --name."},
};
constexpr cli::Flag kApiFlags[] = {
    {"group", "GROUP", "The API group, without the domain."},
    {"version", "VERSION", "The API version, such as v1."},
    {"kind", "KIND", "The kind in CamelCase, such as Website."},
    {"plural", "PLURAL", "The plural in URLs and RBAC rules (default: derived from the kind)."},
    {"namespaced", "", "Whether objects are in namespaces (default: true)."},
    {"external", "GROUP/VERSION/KIND", "A kind that exists without this operator, such as apps/v1/Deployment."},
    {"resource", "", "Define the kind: its types and its CRD. Without this flag the command asks."},
    {"controller", "", "Create a controller of the kind. Without this flag the command asks."},
};
constexpr cli::Flag kWebhookFlags[] = {
    {"group", "GROUP", "The group, the version and the kind, as in create api."},
    {"version", "VERSION", ""},
    {"kind", "KIND", ""},
    {"external", "GROUP/VERSION/KIND", ""},
    {"defaulting", "", "Create a webhook that sets defaults."},
    {"programmatic-validation", "", "Create a webhook that rejects invalid objects."},
    {"conversion", "", "Not supported: the API server converts between versions."},
};

constexpr cli::Flag kEditFlags[] = {
    {"namespaced", "",
     "The operator works only in its own namespace, with a Role instead of a ClusterRole, without webhooks."},
    {"multigroup", "", "Accepted and without effect: a project may always have several groups."},
};

struct CommandEntry {
  cli::Command command;
  int (*run)(const Words& words, const Console& console);
};

constexpr CommandEntry kCommands[] = {
    {{"init", "", "Create a project in the current folder.", kInitFlags}, run_init},
    {{"create api", "", "Add a kind: its types and its controller.", kApiFlags}, run_create_api},
    {{"create webhook", "", "Add webhooks of a kind.", kWebhookFlags}, run_create_webhook},
    {{"edit", "", "Change a feature of the project.", kEditFlags}, run_edit},
    {{"update", "", "Bring generated files forward to this version, and keep all of your changes.", {}}, run_update},
};

// The commands whose name begins with `prefix`.
std::string list_commands(std::string_view prefix) {
  std::string text;
  for (const auto& [command, run] : kCommands) {
    if (command.name.starts_with(prefix)) text += cli::help_entry("keelson " + std::string(command.name), command.help);
  }
  return text;
}

std::string usage() {
  return "Creates projects for Kubernetes operators.\n\nUsage:\n" + list_commands("") +
         cli::help_entry("keelson " + cli::synopsis(program::kVersionCommand), program::kVersionCommand.help) +
         cli::help_entry("keelson " + cli::synopsis(cli::kCompletionCommand), cli::kCompletionCommand.help) +
         "\nkeelson COMMAND --help prints the flags of a command.\n";
}

std::vector<cli::Command> all_commands() {
  std::vector<cli::Command> all;
  for (const auto& entry : kCommands) all.push_back(entry.command);
  all.insert(all.end(), {program::kVersionCommand, cli::kCompletionCommand, {"help", "", "", {}}});
  return all;
}

std::string usage_of_create() {
  return "Add a kind or webhooks to the project in the current folder.\n\nUsage:\n" + list_commands("create ") +
         "\nkeelson create api --help and keelson create webhook --help print the flags.\n";
}

int print(const Console& console, const std::string& text) {
  console.out << text;
  return EXIT_SUCCESS;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& root, std::istream& in,
                std::ostream& out, std::ostream& errors) {
  const Console console{root, in, out, errors};
  const cli::Console terminal{"keelson", out, errors};
  auto words = arguments;
  // `keelson help create api` is `keelson create api --help`.
  if (words.size() > 1 && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.empty() || words.front() == "help" || cli::asks_for_help(words.front())) return print(console, usage());
  if (words.front() == "version" || words.front() == "--version") {
    return program::version_command("keelson", {words.begin() + 1, words.end()}, out, errors);
  }
  if (words.front() == cli::kCompletionCommand.name) {
    return cli::completion_command(terminal, {words.begin() + 1, words.end()}, {}, all_commands());
  }
  const bool is_create = words.front() == "create";
  if (is_create && words.size() > 1 && cli::asks_for_help(words[1])) return print(console, usage_of_create());
  // The name of a command of `create` has two words.
  const auto size = std::min<std::size_t>(is_create ? 2 : 1, words.size());
  const auto rest = words.begin() + static_cast<std::ptrdiff_t>(size);
  const auto name = base::join({words.begin(), rest}, " ");
  std::vector<std::string_view> known;
  for (const auto& entry : kCommands) {
    if (entry.command.name == name) {
      return cli::run_command(terminal, entry.command, {rest, words.end()},
                              [&](const Words& parsed) -> Result<int> { return entry.run(parsed, console); });
    }
    known.push_back(entry.command.name);
  }
  return cli::reject(terminal, is_create ? "create" : "", cli::unknown_command(name, known));
}

}  // namespace keelson::scaffold
