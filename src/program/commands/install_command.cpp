#include "src/program/commands/install_command.hpp"
#include "keelson/detail/schema/crd.hpp"

#include <algorithm>
#include <functional>
#include <ostream>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/values.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/install/install.hpp"
#include "keelson/program/api_session.hpp"
#include "src/program/commands/commands.hpp"

namespace keelson::program {

namespace {

constexpr cli::Flag kInstallFlags[] = {
    kKubeconfigFlag,
    {"dry-run", "", "Print what would change; the API server stores nothing."},
    {"wait", "DURATION", "How long to wait until all CRDs are established (default 30s)."},
};

constexpr cli::Flag kUninstallFlags[] = {
    kKubeconfigFlag,
    {"dry-run", "", "Print what would be deleted, and delete nothing."},
    {"timeout", "DURATION", "Stop if no object has gone away for so long (default 60s); the CRDs remain then."},
    {"remove-finalizers", "",
     "Remove the manager's own finalizers, for a manager that cannot run any more: what it would have\n"
     "cleaned up remains."},
};

Result<std::chrono::nanoseconds> duration_of(const cli::Words& words, std::string_view flag,
                                             std::string_view otherwise) {
  const auto text = words.flag(flag, otherwise);
  const auto parsed = cli::parse_duration(text);
  if (parsed && *parsed >= std::chrono::nanoseconds(0)) return *parsed;
  return cli::invalid_value(flag, text, "must be a duration like 30s");
}

using Work = std::function<Task<void>(ApiSession&)>;

// Returns the exit code.
int run_session(const cli::Console& console, const kube::OperatorName& name, const cli::Words& words,
                const Work& work) {
  // For warnings of the API server.
  const auto sink = make_stderr_sink({.encoder = LogOptions::Encoder::kConsole});
  auto api =
      ApiSession::connect({.program = console.program, .name = name, .kubeconfig = words.flag("kubeconfig")}, *sink);
  auto done = api ? (*api)->run([&] { return work(**api); }) : Result<void>(std::move(api).error());
  if (done) return 0;
  console.errors << console.program << ": error: " << base::for_terminal(done.error().message()) << "\n";
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
    const auto& own = definition.parts().finalizers;
    if (own.empty()) continue;
    auto found = std::ranges::find_if(kinds, [&](const auto& kind) { return kind.resource == definition.resource(); });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {definition.resource(), {}, false});
    found->finalizers.insert(found->finalizers.end(), own.begin(), own.end());
  }
  return kinds;
}

constexpr cli::Command kInstallCommand{
    "install", "", "Apply the CRDs of the program's kinds to a cluster.", kInstallFlags,
    R"(Applies the CRDs of all kinds of this program by server-side apply, and waits until the API server serves them.
It stops before the first write if a CRD cannot be updated without losing objects.
It applies only CRDs. Roles, the Deployment and webhooks are in config/default: make deploy, or kubectl apply -k.
Exit code: 0 if all kinds are served, 1 after a failure, 2 for invalid arguments.)"};

constexpr cli::Command kUninstallCommand{
    "uninstall", "", "Delete every object of the program's kinds, and then their CRDs.", kUninstallFlags,
    R"(Deletes every object of the kinds of this program and waits until the objects and their children are gone. Then
it deletes the CRDs. The manager must run while it deletes objects that have finalizers of the manager. It does not ask
for confirmation.
It deletes only objects of these kinds, and CRDs. Delete the rest afterward: kubectl delete -k config/default
Exit code: 0 if no object and no CRD remains, 1 after a failure, 2 for invalid arguments.)"};

int install_command(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<controller::Definition>& controllers, const kube::OperatorName& name,
                    std::ostream& out, std::ostream& errors) {
  const cli::Console console{program, out, errors};
  return cli::run_command(console, kInstallCommand, arguments, [&](const cli::Words& words) -> Result<int> {
    KEELSON_LET(const auto wait, duration_of(words, "wait", "30s"));
    const install::InstallOptions options{controller::kinds_of(controllers), words.is_set("dry-run"), wait};
    return run_session(console, name, words, [&](ApiSession& api) {
      return install::install(api.client(), api.clock(), options, printer(out));
    });
  });
}

int uninstall_command(const std::string& program, const std::vector<std::string>& arguments,
                      const std::vector<controller::Definition>& controllers, const kube::OperatorName& name,
                      std::ostream& out, std::ostream& errors) {
  const cli::Console console{program, out, errors};
  return cli::run_command(console, kUninstallCommand, arguments, [&](const cli::Words& words) -> Result<int> {
    KEELSON_LET(const auto timeout, duration_of(words, "timeout", "60s"));
    install::UninstallOptions options{
        installed_kinds(controllers), {}, words.is_set("dry-run"), words.is_set("remove-finalizers"), timeout};
    for (const auto& webhook : controller::webhooks_of(controllers, {})) {
      options.webhook_paths.push_back(webhook.path());
    }
    return run_session(console, name, words, [&](ApiSession& api) {
      return install::uninstall(api.client(), api.clock(), options, printer(out));
    });
  });
}

}  // namespace keelson::program
