#include "src/scaffold/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <optional>
#include <ostream>
#include <span>

#include "keelson/base/go_text.hpp"
#include "keelson/base/nearest.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/program/command_words.hpp"
#include "keelson/program/version.hpp"
#include "keelson/program/version_command.hpp"
#include "src/scaffold/commands.hpp"

namespace keelson::scaffold {

namespace {

constexpr int kUsageError = 2;
using program::CommandFlag;
using program::CommandWords;
constexpr auto kBool = CommandFlag::Type::kBool;

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

int run_init(const CommandWords& words, const Console& console) {
  InitOptions options;
  options.domain = words.flag("domain", options.domain);
  options.name = words.flag("name", words.flag("project-name"));
  options.version = program::version();
  const auto change = init(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, "Next: keelson create api --group GROUP --version v1 --kind KIND\n");
}

KindOptions kind_options(const CommandWords& words) {
  return {words.flag("group"), words.flag("version"), words.flag("kind"), words.flag("plural"), words.flag("external")};
}

std::optional<bool> bool_flag(const CommandWords& words, std::string_view name) {
  if (!words.flags.contains(name)) return std::nullopt;
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

int run_create_api(const CommandWords& words, const Console& console) {
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

int run_create_webhook(const CommandWords& words, const Console& console) {
  if (words.is_set("conversion")) {
    return report_error(console,
                        invalid_error("there are no conversion webhooks: the API server converts between versions "
                                      "that differ in fields only (Kind::other_versions in keelson/schema/kind.hpp)"));
  }
  WebhookOptions options;
  options.kind = kind_options(words);
  options.has_defaulter = words.is_set("defaulting");
  options.has_validator = words.is_set("programmatic-validation");
  const auto change = create_webhook(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, "Next: change set_defaults() and validate(), then run make test and make manifests\n");
}

int run_edit(const CommandWords& words, const Console& console) {
  EditOptions options;
  options.is_namespaced = bool_flag(words, "namespaced");
  if (!options.is_namespaced && !words.flags.contains("multigroup")) {
    return report_error(console, invalid_error("there is nothing to change: use --namespaced or --namespaced=false"));
  }
  const auto change = edit(console.root, options);
  if (!change) return report_error(console, change.error());
  return apply(console, *change, change->changed().empty() ? "Nothing to change.\n" : "");
}

int run_update(const CommandWords&, const Console& console) {
  const auto result = update(console.root, program::version());
  if (!result) return report_error(console, result.error());
  const bool is_up_to_date = result->change.changed().empty() && result->change.created().empty();
  const auto code = apply(console, result->change, is_up_to_date ? "Nothing to update.\n" : "");
  if (code != EXIT_SUCCESS) return code;
  for (const auto& path : result->deleted) console.out << "deleted by you, and not created again: " << path << "\n";
  // The names of files are those of the folder, not ours.
  for (const auto& path : result->abandoned) console.out << "no longer generated: " << base::on_one_line(path) << "\n";
  for (const auto& path : result->conflicts)
    console.errors << "keelson: conflict in " << path << ": resolve its markers\n";
  return result->conflicts.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

struct FlagHelp {
  CommandFlag flag;
  std::string_view value;  // as in the help
  std::string_view help;
};

constexpr FlagHelp kInitFlags[] = {
    {{"domain"}, "DOMAIN", "The domain of the API groups (default: my.domain)."},
    {{"name"}, "NAME", "The name of the project and of its operator (default: the name of the folder)."},
    {{"project-name"}, "NAME", "The same as --name."},
};
constexpr FlagHelp kApiFlags[] = {
    {{"group"}, "GROUP", "The API group, without the domain."},
    {{"version"}, "VERSION", "The API version, such as v1."},
    {{"kind"}, "KIND", "The kind in CamelCase, such as Website."},
    {{"plural"}, "PLURAL", "The plural in URLs and RBAC rules (default: derived from the kind)."},
    {{"namespaced", kBool}, "", "Whether objects are in namespaces (default: true)."},
    {{"external"}, "GROUP/VERSION/KIND", "A kind that exists without this operator, such as apps/v1/Deployment."},
    {{"resource", kBool}, "", "Define the kind: its types and its CRD. Without this flag the command asks."},
    {{"controller", kBool}, "", "Create a controller of the kind. Without this flag the command asks."},
};
constexpr FlagHelp kWebhookFlags[] = {
    {{"group"}, "GROUP", "The group, the version and the kind, as in create api."},
    {{"version"}, "VERSION", ""},
    {{"kind"}, "KIND", ""},
    {{"external"}, "GROUP/VERSION/KIND", ""},
    {{"defaulting", kBool}, "", "Create a webhook that sets defaults."},
    {{"programmatic-validation", kBool}, "", "Create a webhook that rejects invalid objects."},
    {{"conversion", kBool}, "", "Not supported: the API server converts between versions."},
};

constexpr FlagHelp kEditFlags[] = {
    {{"namespaced", kBool},
     "",
     "The operator works only in its own namespace, with a Role instead of a ClusterRole, without webhooks."},
    {{"multigroup", kBool}, "", "Accepted and without effect: a project may always have several groups."},
};

struct CommandEntry {
  std::vector<std::string_view> words;
  std::string_view help;
  std::span<const FlagHelp> flags;
  int (*run)(const CommandWords& words, const Console& console);
};

const std::vector<CommandEntry>& commands() {
  static const std::vector<CommandEntry> all{
      {{"init"}, "Create a project in the current folder.", kInitFlags, run_init},
      {{"create", "api"}, "Add a kind: its types and its controller.", kApiFlags, run_create_api},
      {{"create", "webhook"}, "Add webhooks of a kind.", kWebhookFlags, run_create_webhook},
      {{"edit"}, "Change a feature of the project.", kEditFlags, run_edit},
      {{"update"}, "Bring generated files forward to this version, and keep all of your changes.", {}, run_update},
  };
  return all;
}

std::string name_of(const CommandEntry& command) {
  std::string name;
  for (const auto word : command.words) name += (name.empty() ? "" : " ") + std::string(word);
  return name;
}

// The commands that begin with `words`, a line each.
std::string list_commands(std::span<const std::string> words) {
  std::string text;
  for (const auto& command : commands()) {
    if (words.size() > command.words.size()) continue;
    if (!std::equal(words.begin(), words.end(), command.words.begin())) continue;
    auto name = name_of(command);
    name.resize(16, ' ');
    text += "  keelson " + name + std::string(command.help) + "\n";
  }
  return text;
}

std::string usage() {
  return "Creates projects for Kubernetes operators.\n\nUsage:\n" + list_commands({}) +
         "  keelson version         Print the version. --licenses prints the licenses of the linked libraries.\n\n"
         "keelson COMMAND --help prints the flags of a command.\n";
}

std::string usage_of_create(std::span<const std::string> words) {
  return "Add a kind or webhooks to the project in the current folder.\n\nUsage:\n" + list_commands(words) +
         "\nkeelson create api --help and keelson create webhook --help print the flags.\n";
}

std::string usage_of(const CommandEntry& command) {
  std::string text = std::string(command.help) + "\n\nUsage:\n  keelson " + name_of(command) +
                     (command.flags.empty() ? "\n" : " [flags]\n\nFlags:\n");
  for (const auto& entry : command.flags) {
    text += "  --" + std::string(entry.flag.name) + (entry.value.empty() ? "" : " " + std::string(entry.value)) + "\n";
    if (!entry.help.empty()) text += "      " + std::string(entry.help) + "\n";
  }
  return text;
}

int report_usage(const Console& console, const std::string& text) {
  console.errors << "keelson: " << base::for_terminal(text) << "\nRun 'keelson --help' for usage.\n";
  return kUsageError;
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h" || word == "-help"; }

int print(const Console& console, const std::string& text) {
  console.out << text;
  return EXIT_SUCCESS;
}

int run_command(const CommandEntry& command, const std::vector<std::string>& words, const Console& console) {
  if (std::any_of(words.begin(), words.end(), is_help)) return print(console, usage_of(command));
  std::vector<CommandFlag> flags;
  for (const auto& entry : command.flags) flags.push_back(entry.flag);
  const auto parsed = program::parse_command_words(words, flags);
  if (!parsed) return report_usage(console, parsed.error().text);
  if (!parsed->arguments.empty()) {
    return report_usage(console, "unexpected argument " + base::quote_go(parsed->arguments.front()));
  }
  return command.run(*parsed, console);
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& root, std::istream& in,
                std::ostream& out, std::ostream& errors) {
  const Console console{root, in, out, errors};
  auto words = arguments;
  // `keelson help create api` is `keelson create api --help`.
  if (words.size() > 1 && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.empty() || words.front() == "help" || is_help(words.front())) return print(console, usage());
  if (words.front() == "version" || words.front() == "--version") {
    return program::version_command("keelson", {words.begin() + 1, words.end()}, out, errors);
  }
  std::vector<std::string_view> known;
  for (const auto& command : commands()) {
    const auto size = command.words.size();
    if (words.size() >= size && std::equal(command.words.begin(), command.words.end(), words.begin())) {
      return run_command(command, {words.begin() + static_cast<std::ptrdiff_t>(size), words.end()}, console);
    }
    known.push_back(command.words.front());
  }
  if (words.front() == "create") {
    if (words.size() > 1 && is_help(words[1])) return print(console, usage_of_create(std::span(words).first(1)));
    return report_usage(console, "missing or unknown subcommand: use create api or create webhook");
  }
  auto text = "unknown command " + base::quote_go(words.front());
  if (const auto meant = base::nearest(words.front(), known)) text += ": did you mean " + std::string(*meant) + "?";
  return report_usage(console, text);
}

}  // namespace keelson::scaffold
