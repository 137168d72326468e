#include "src/program/commands/doctor_command.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <ostream>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/program/api_session.hpp"
#include "keelson/program/command_words.hpp"
#include "keelson/program/version.hpp"
#include "src/program/metrics_policy.hpp"
#include "src/program/webhook_policy.hpp"

namespace keelson::program {

namespace asio = boost::asio;

namespace {

constexpr auto kDoctorFlags = std::to_array<CommandFlag>({{"output"}, {"kubeconfig"}, {"namespace"}});
// An engineer on call waits for the reply.
constexpr std::chrono::seconds kDoctorRequestTimeout{10};

std::string doctor_usage(const std::string& program) {
  return "Usage: " + program + " doctor " + kDoctorArguments + R"(

Examines the installation of this operator in a cluster. Stores nothing: it only reads, reviews permissions, and sends
dry runs. docs/doctor.md explains the findings.
Exit code: 0 if no problem was found, 1 after warnings or checks that could not be made, 2 after errors.

  --output text|json     the format of the report (default text)
  --kubeconfig FILE      the cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config
  --namespace NAMESPACE  where the Deployment is; otherwise it is searched in all namespaces
)";
}

// Of the files in the pod only the mounted Secrets are known. `container` must outlive the result.
ProcessEnvironment environment_of_pod(const doctor::ManagerContainer& container) {
  ProcessEnvironment environment;
  environment.environment = [&container](const std::string& name) {
    const auto found = container.environment.find(name);
    return found == container.environment.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  environment.exists = [&container](const std::string& path) {
    return container.secrets.contains(std::filesystem::path(path).parent_path().string());
  };
  return environment;
}

doctor::DeployedFlags::Metrics metrics_of(const Options& options, const ProcessEnvironment& environment) {
  using Metrics = doctor::DeployedFlags::Metrics;
  const auto plan = decide_metrics(options, environment);
  if (plan.serve == MetricsPolicy::Serve::kSecure) return Metrics::kSecure;
  return plan.serve == MetricsPolicy::Serve::kPlain ? Metrics::kPlain : Metrics::kOff;
}

doctor::DeployedFlags::Webhooks webhooks_of_plan(const WebhookPolicy& plan) {
  using Webhooks = doctor::DeployedFlags::Webhooks;
  switch (plan.certificate) {
    case WebhookPolicy::Certificate::kNone:
      return Webhooks::kOff;
    case WebhookPolicy::Certificate::kSelfSigned:
      return Webhooks::kSelfSigned;
    case WebhookPolicy::Certificate::kFiles:
      return Webhooks::kFiles;
    case WebhookPolicy::Certificate::kForUrl:
      return Webhooks::kUrl;
  }
  return Webhooks::kOff;
}

asio::awaitable<Result<void>> run_checks(ApiSession& session, doctor::Examined examined, doctor::Report& report) {
  co_await doctor::examine(session.client(), session.clock(), std::move(examined), report);
  co_return Result<void>();
}

Result<doctor::Report> examine_cluster(const DoctorParts& parts, const CommandWords& words) {
  LogOptions log;
  const auto sink = make_stderr_sink(log);
  KEELSON_LET(auto session, ApiSession::connect({.program = parts.program,
                                                 .name = parts.syntax.name,
                                                 .kubeconfig = words.flag("kubeconfig"),
                                                 .request_timeout = kDoctorRequestTimeout},
                                                *sink));
  doctor::Examined examined{.program = parts.program,
                            .version = parts.additions.version.version,
                            .server = session->server(),
                            .name = parts.syntax.name,
                            .controllers = parts.controllers,
                            .webhooks = parts.additions.webhooks,
                            .permissions = parts.additions.permissions,
                            .ns = words.flag("namespace"),
                            .default_ns = session->ns(),
                            .parse_flags = [&parts](const doctor::ManagerContainer& container) {
                              return deployed_flags(parts.syntax, parts.controllers, container);
                            }};
  doctor::Report report;
  KEELSON_TRY(session->run([&] { return run_checks(*session, std::move(examined), report); }));
  return report;
}

}  // namespace

int doctor_command(const DoctorParts& parts, const std::vector<std::string>& arguments, std::ostream& out,
                   std::ostream& errors) {
  if (asks_for_help(arguments)) {
    out << doctor_usage(parts.program);
    return 0;
  }
  const auto words = parse_command_words(arguments, kDoctorFlags);
  auto format = words ? wants_json(*words) : Result<bool>(words.error());
  if (format && !words->arguments.empty()) {
    format = invalid_error("unexpected argument " + base::quote_go(words->arguments.front()));
  }
  if (!format) {
    errors << format.error().message() << "\nRun '" << parts.program << " doctor --help' for usage.\n";
    return kUsageError;
  }
  const auto report = examine_cluster(parts, *words);
  if (!report) {
    errors << parts.program << " doctor: " << base::for_terminal(report.error().message()) << "\n";
    return kUsageError;
  }
  out << (*format ? doctor::report_json(*report) + "\n" : doctor::report_text(*report));
  return doctor::exit_code(*report);
}

Result<doctor::DeployedFlags> deployed_flags(const Syntax& syntax,
                                             const std::vector<controller::Definition>& controllers,
                                             const doctor::ManagerContainer& container) {
  const auto pod = environment_of_pod(container);
  const auto no_file = [](const std::string&) { return Result<std::string>("{}"); };
  KEELSON_LET(auto parsed, parse_flags(container.arguments, pod.environment, syntax, no_file));
  const auto& options = parsed.options;
  std::vector<std::string> known;
  for (const auto& definition : controllers) known.push_back(definition.name());
  doctor::DeployedFlags flags;
  if (!known.empty()) {
    KEELSON_LET(flags.controllers, select_controllers(options.controllers, known));
  }
  flags.watch_namespaces = options.watch_namespaces;
  flags.dry_run = options.dry_run;
  flags.leader_elect = options.leader_elect && !options.dry_run;
  flags.lease_name = options.leader_election_id;
  flags.lease_namespace = options.leader_election_namespace;
  flags.metrics = metrics_of(options, pod);
  flags.metrics_bind_address = options.metrics_bind_address;
  WebhookEnvironment around{pod};
  around.has_webhooks = true;
  const auto plan = decide_webhooks(options, around);
  flags.webhooks = webhooks_of_plan(plan);
  flags.webhooks_off_because = plan.why_not;
  flags.webhook_port = options.webhook_port;
  flags.webhook_secret = options.webhook_secret;
  flags.webhook_cert_folder = std::filesystem::path(plan.paths.certificate).parent_path().string();
  flags.mutating_configuration = options.webhook_mutating_configuration;
  flags.validating_configuration = options.webhook_validating_configuration;
  flags.notices = compatibility_notices(options);
  flags.are_in_file = !options.config.empty();
  return flags;
}

}  // namespace keelson::program
