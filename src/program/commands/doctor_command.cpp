#include "src/program/commands/doctor_command.hpp"

#include <filesystem>
#include <optional>
#include <ostream>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/program/api_session.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/commands/doctor_role.hpp"
#include "src/program/commands/doctor_run.hpp"
#include "src/program/metrics_policy.hpp"
#include "src/program/webhook_policy.hpp"

namespace keelson::program {

namespace asio = boost::asio;

namespace {

struct DoctorQuestion {
  std::string kubeconfig;
  std::string ns;
  bool is_role = false;
  bool is_watch = false;
  DoctorWatch watch;
};

constexpr cli::Flag kDoctorFlags[] = {
    {"output", "text|json", "The format of the report (default text)."},
    kKubeconfigFlag,
    kNamespaceFlag,
    {"watch", "",
     "Examine again and again until SIGINT or SIGTERM, and print only what was found and what has\n"
     "cleared: a line each, with --output json an object each."},
    {"interval", "DURATION", "The time between two examinations of --watch, at least 10s (default 30s)."},
    {"role", "",
     "Print the role that the checks need, for the manager's ServiceAccount, and examine nothing:\n"
     "doctor --role | kubectl apply -f -"},
};

// An examination takes about three seconds and up to a hundred requests.
constexpr std::chrono::seconds kShortestInterval{10};

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

Task<void> run_checks(ApiSession& session, doctor::Examined examined, doctor::Report& report, std::ostream& progress) {
  co_await examine_with_progress(session.client(), session.clock(), std::move(examined), report, progress);
  co_return Result<void>();
}

Result<doctor::Report> examine_cluster(const ProgramParts& parts, ApiSession& session, const std::string& ns,
                                       std::ostream& progress) {
  doctor::Report report;
  auto examined = examined_of(parts, session, ns);
  KEELSON_TRY(session.run([&] { return run_checks(session, std::move(examined), report, progress); }));
  return report;
}

// The report of the last examination before a signal.
Result<doctor::Report> watch_cluster(const ProgramParts& parts, ApiSession& session, const DoctorQuestion& question,
                                     std::ostream& out, std::ostream& progress) {
  std::optional<doctor::Report> last;
  auto examined = examined_of(parts, session, question.ns);
  auto ended = session.run([&] {
    return watch_findings(session.client(), session.clock(), std::move(examined), question.watch, last, out, progress);
  });
  const bool is_canceled = !ended && ended.error().kind == Error::Kind::kTimeout;
  if (!is_canceled || !last) return std::move(ended).error();
  return std::move(*last);
}

Result<DoctorQuestion> doctor_question(const cli::Words& words) {
  DoctorQuestion question;
  question.watch.wants_json = words.flag("output") == "json";
  question.kubeconfig = words.flag("kubeconfig");
  question.ns = words.flag("namespace");
  question.is_watch = words.is_set("watch");
  question.is_role = words.is_set("role");
  const auto interval = words.flag("interval");
  if (!interval.empty() && !question.is_watch) return invalid_error("--interval needs --watch");
  const auto parsed = base::parse_go_duration(interval.empty() ? "30s" : interval);
  if (!parsed) return invalid_error("--interval: " + parsed.error().message());
  if (*parsed < kShortestInterval) {
    return invalid_error("--interval: " + interval +
                         " is too short; use at least 10s, because an examination sends up "
                         "to a hundred requests");
  }
  question.watch.interval = std::chrono::duration_cast<async::Duration>(*parsed);
  return question;
}

Result<doctor::Report> ask_cluster(const ProgramParts& parts, const DoctorQuestion& question, std::ostream& out,
                                   std::ostream& progress) {
  LogOptions log;
  const auto sink = make_stderr_sink(log);
  KEELSON_LET(auto session, ApiSession::connect({.program = parts.program,
                                                 .name = parts.syntax.name,
                                                 .kubeconfig = question.kubeconfig,
                                                 .request_timeout = kDoctorRequestTimeout},
                                                *sink));
  if (question.is_watch) return watch_cluster(parts, *session, question, out, progress);
  return examine_cluster(parts, *session, question.ns, progress);
}

// Returns the exit code; an error is one of the command line.
Result<int> run_doctor(const ProgramParts& parts, const cli::Words& words, std::ostream& out, std::ostream& errors) {
  KEELSON_LET(const auto question, doctor_question(words));
  const auto& name = parts.syntax.name;
  if (question.is_role) {
    out << doctor_role(name, parts.controllers, question.ns.empty() ? name.with("system") : question.ns);
    return 0;
  }
  const auto report = ask_cluster(parts, question, out, errors);
  if (!report) {
    errors << parts.program << " doctor: " << base::for_terminal(report.error().message()) << "\n";
    return cli::kUsageError;
  }
  if (question.is_watch) return doctor::exit_code(*report);
  out << (question.watch.wants_json ? doctor::report_json(*report) + "\n" : doctor::report_text(*report));
  return doctor::exit_code(*report);
}

}  // namespace

constexpr cli::Command kDoctorCommand{
    "doctor", "", "Examine the installation in a cluster, and print what is wrong with it.", kDoctorFlags,
    R"(Examines the installation of this operator in a cluster. Stores nothing: it only reads, reviews permissions, and
sends dry runs. docs/doctor.md explains the findings.
Exit code: 0 if no problem was found, 1 after warnings or checks that could not be made, 2 after errors; with --watch
that of the last examination.)"};

int doctor_command(const ProgramParts& parts, const std::vector<std::string>& arguments, std::ostream& out,
                   std::ostream& errors) {
  return cli::run_command({parts.program, out, errors}, kDoctorCommand, arguments,
                          [&](const cli::Words& words) { return run_doctor(parts, words, out, errors); });
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
