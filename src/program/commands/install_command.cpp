#include "src/program/commands/install_command.hpp"
#include "keelson/schema/crd.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <ostream>
#include <span>
#include <utility>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/install/install.hpp"
#include "keelson/program/api_session.hpp"
#include "keelson/program/command.hpp"
#include "keelson/program/command_words.hpp"
#include "src/program/flags/flag_values.hpp"

namespace keelson::program {

namespace {

constexpr std::array kInstallFlags = {CommandFlag{"kubeconfig"}, CommandFlag{"dry-run", CommandFlag::Type::kBool},
                                      CommandFlag{"wait"}};
constexpr std::string_view kInstallHelp = R"( install [--kubeconfig FILE] [--dry-run] [--wait 30s]

Applies the CRDs of all kinds of this program by server-side apply, and waits until the API server serves them. It stops
before the first write if a CRD cannot be updated without losing objects.

  --kubeconfig FILE   the cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config
  --dry-run           print what would change; the API server stores nothing
  --wait DURATION     how long to wait until all CRDs are established (default 30s)

It applies only CRDs. Roles, the Deployment and webhooks are in config/default: make deploy, or kubectl apply -k.
Exit code: 0 if all kinds are served, 1 after a failure, 2 for invalid arguments.
)";

constexpr std::array kUninstallFlags = {CommandFlag{"kubeconfig"}, CommandFlag{"dry-run", CommandFlag::Type::kBool},
                                        CommandFlag{"timeout"},
                                        CommandFlag{"remove-finalizers", CommandFlag::Type::kBool}};
constexpr std::string_view kUninstallHelp =
    R"( uninstall [--kubeconfig FILE] [--dry-run] [--timeout 60s] [--remove-finalizers]

Deletes every object of the kinds of this program and waits until the objects and their children are gone. Then it
deletes the CRDs. The manager must run while it deletes objects that have finalizers of the manager. It does not ask for
confirmation.

  --kubeconfig FILE     the cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config
  --dry-run             print what would be deleted, and delete nothing
  --timeout DURATION    stop if no object has gone away for so long (default 60s); the CRDs remain then
  --remove-finalizers   remove the manager's own finalizers, for a manager that cannot run any more: what it would have
                        cleaned up remains

It deletes only objects of these kinds, and CRDs. Delete the rest afterward: kubectl delete -k config/default
Exit code: 0 if no object and no CRD remains, 1 after a failure, 2 for invalid arguments.
)";

struct Session {
  const std::string& program;
  const kube::OperatorName& name;
  std::ostream& out;
  std::ostream& errors;
};

Result<std::chrono::nanoseconds> duration_of(const CommandWords& words, std::string_view flag,
                                             std::string_view otherwise) {
  const auto text = words.flag(flag, otherwise);
  const auto parsed = parse_duration_flag(text);
  if (parsed && *parsed >= std::chrono::nanoseconds(0)) return *parsed;
  return invalid_error("invalid value " + base::quote_go(text) + " for flag -" + std::string(flag) +
                       ": must be a duration like 30s");
}

Result<CommandWords> parse(const std::vector<std::string>& arguments, std::span<const CommandFlag> flags) {
  KEELSON_LET(auto words, parse_command_words(arguments, flags));
  if (!words.arguments.empty()) return invalid_error("unexpected argument: " + words.arguments.front());
  return words;
}

int reject_words(const Session& session, const Error& error, std::string_view help) {
  session.errors << error.text << "\nUsage: " << session.program << help.substr(0, help.find('\n') + 1);
  return kUsageError;
}

using Work = std::function<boost::asio::awaitable<Result<void>>(ApiSession&)>;

int run_session(const Session& session, const CommandWords& words, const Work& work) {
  // For warnings of the API server.
  const auto sink = make_stderr_sink({.encoder = LogOptions::Encoder::kConsole});
  auto api = ApiSession::connect(
      {.program = session.program, .name = session.name, .kubeconfig = words.flag("kubeconfig")}, *sink);
  auto done = api ? (*api)->run([&] { return work(**api); }) : Result<void>(std::move(api).error());
  if (done) return 0;
  session.errors << session.program << ": error: " << base::for_terminal(done.error().message()) << "\n";
  return 1;
}

// Each line is flushed, because the user waits for the next one.
install::PrintLine printer(std::ostream& out) {
  return [&out](const std::string& line) { out << base::for_terminal(line) << std::endl; };
}

}  // namespace

std::vector<install::InstalledKind> installed_kinds(const std::vector<controller::Definition>& controllers) {
  std::vector<install::InstalledKind> kinds;
  for (const auto& kind : controller::kinds_of(controllers)) {
    kinds.push_back({kind.resource, {}, true, kube::custom_resource_definition(kind)});
  }
  for (const auto& definition : controllers) {
    const auto& own = definition.finalizers();
    if (own.empty()) continue;
    auto found = std::find_if(kinds.begin(), kinds.end(),
                              [&](const auto& kind) { return kind.resource == definition.resource(); });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {definition.resource(), {}, false});
    found->finalizers.insert(found->finalizers.end(), own.begin(), own.end());
  }
  return kinds;
}

int install_command(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<controller::Definition>& controllers, const kube::OperatorName& name,
                    std::ostream& out, std::ostream& errors) {
  const Session session{program, name, out, errors};
  if (asks_for_help(arguments)) {
    out << "Usage: " << program << kInstallHelp;
    return 0;
  }
  const auto words = parse(arguments, kInstallFlags);
  if (!words) return reject_words(session, words.error(), kInstallHelp);
  const auto wait = duration_of(*words, "wait", "30s");
  if (!wait) return reject_words(session, wait.error(), kInstallHelp);
  const install::InstallOptions options{controller::kinds_of(controllers), words->is_set("dry-run"), *wait};
  return run_session(session, *words, [&](ApiSession& api) {
    return install::install(api.client(), api.clock(), options, printer(out));
  });
}

int uninstall_command(const std::string& program, const std::vector<std::string>& arguments,
                      const std::vector<controller::Definition>& controllers, const kube::OperatorName& name,
                      std::ostream& out, std::ostream& errors) {
  const Session session{program, name, out, errors};
  if (asks_for_help(arguments)) {
    out << "Usage: " << program << kUninstallHelp;
    return 0;
  }
  const auto words = parse(arguments, kUninstallFlags);
  if (!words) return reject_words(session, words.error(), kUninstallHelp);
  const auto timeout = duration_of(*words, "timeout", "60s");
  if (!timeout) return reject_words(session, timeout.error(), kUninstallHelp);
  install::UninstallOptions options{
      installed_kinds(controllers), {}, words->is_set("dry-run"), words->is_set("remove-finalizers"), *timeout};
  for (const auto& webhook : controller::webhooks_of(controllers, {})) options.webhook_paths.push_back(webhook.path());
  return run_session(session, *words, [&](ApiSession& api) {
    return install::uninstall(api.client(), api.clock(), options, printer(out));
  });
}

}  // namespace keelson::program
