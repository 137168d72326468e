#include "src/program/flags/flag_table.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/values.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/flags/flag_values.hpp"
#include "src/program/webhook_registration.hpp"

namespace keelson::program {

namespace {

// The largest value of --reconcile-history: 1.1 GB.
constexpr int kMostReconcileHistory = 1'000'000;

constexpr std::int64_t kLastPort = 65535;

template <auto Member>
Result<void> set_string(FlagDraft& draft, std::string_view text) {
  draft.options.*Member = std::string(text);
  return {};
}

// The port is bound later, when the program knows that it is going to serve.
template <auto Member>
Result<void> set_address(FlagDraft& draft, std::string_view text) {
  const bool is_off = text.empty() || text == "0";
  if (!is_off && !net::parse_bind_address(text)) {
    return invalid_error("must be HOST:PORT or :PORT with a port up to 65535, or 0 to disable the server");
  }
  draft.options.*Member = std::string(text);
  return {};
}

template <auto Member>
Result<void> set_duration(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto value, cli::parse_duration(text));
  draft.options.*Member = value;
  return {};
}

// The parser and the file of --config accept only "true" and "false".
template <auto Member>
Result<void> set_bool(FlagDraft& draft, std::string_view text) {
  draft.options.*Member = text == "true";
  return {};
}

template <auto Member>
Result<void> set_leader_timing(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto value, cli::parse_duration(text));
  draft.options.leader_timing.*Member = value;
  return {};
}

Result<void> set_max_concurrent_reconciles(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto value, cli::parse_int(text, 1, limits::kConcurrentReconciles));
  draft.options.max_concurrent_reconciles = static_cast<int>(value);
  return {};
}

Result<void> set_reconcile_history(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto value, cli::parse_int(text, 0, kMostReconcileHistory));
  draft.options.reconcile_history = static_cast<int>(value);
  return {};
}

Result<void> set_sync_period(FlagDraft& draft, std::string_view text) {
  auto set = set_duration<&Options::sync_period>(draft, text);
  if (set && draft.options.sync_period < std::chrono::nanoseconds(0)) return invalid_error("must not be negative");
  return set;
}

Result<void> set_watch_namespaces(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto namespaces, parse_namespaces(text));
  draft.options.watch_namespaces = std::move(namespaces);
  draft.watch_namespaces_given = true;
  return {};
}

Result<void> set_webhook_port(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto value, cli::parse_int(text, 0, kLastPort));
  draft.options.webhook_port = static_cast<int>(value);
  return {};
}

Result<void> set_webhook_service_name(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto name, parse_service_name(text));
  draft.options.webhook_service_name = std::move(name);
  return {};
}

Result<void> set_webhook_url(FlagDraft& draft, std::string_view text) {
  if (!text.empty()) {
    KEELSON_TRY(check_webhook_url(text));
  }
  draft.options.webhook_url = text;
  return {};
}

Result<void> set_zap_devel(FlagDraft& draft, std::string_view text) {
  draft.zap_devel = text == "true";
  return {};
}

Result<void> set_zap_encoder(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto encoder, parse_zap_encoder(text));
  draft.zap_encoder = encoder;
  return {};
}

Result<void> set_zap_log_level(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto verbosity, parse_zap_log_level(text));
  draft.zap_verbosity = verbosity;
  return {};
}

Result<void> set_zap_stacktrace_level(FlagDraft& draft, std::string_view text) {
  draft.options.stacktrace_level_given = true;
  return check_zap_stacktrace_level(text);
}

Result<void> set_zap_time_encoding(FlagDraft& draft, std::string_view text) {
  KEELSON_LET(auto encoding, parse_zap_time_encoding(text));
  draft.options.log.time_encoding = encoding;
  return {};
}

template <class Value>
Result<void> store_own(FlagDraft& draft, Result<Value> value) {
  if (!value) return value.error();
  draft.options.own_flags.insert_or_assign(std::string(draft.name), std::move(*value));
  return {};
}

Result<void> set_own_bool(FlagDraft& draft, std::string_view text) {
  return store_own(draft, Result<bool>(text == "true"));
}

Result<void> set_own_number(FlagDraft& draft, std::string_view text) { return store_own(draft, cli::parse_int(text)); }

Result<void> set_own_text(FlagDraft& draft, std::string_view text) {
  return store_own(draft, Result<std::string>(std::string(text)));
}

Result<void> set_own_duration(FlagDraft& draft, std::string_view text) {
  return store_own(draft, cli::parse_duration(text));
}

Result<void> set_own_list(FlagDraft& draft, std::string_view text) {
  const auto parts = cli::split_list(text);
  return store_own(draft, Result<std::vector<std::string>>(std::vector<std::string>(parts.begin(), parts.end())));
}

// The text of a default, as Go prints it.
std::string flag_value_text(const controller::FlagValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* duration = std::get_if<std::chrono::nanoseconds>(&value)) return base::format_go_duration(*duration);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return base::join(*list, ",");
  return "";
}

Flag own_flag(const controller::Flag& flag) {
  struct OfType {
    FlagType type;
    Result<void> (*set)(FlagDraft& draft, std::string_view text);
  };
  // In the order of controller::FlagValue.
  constexpr std::array<OfType, std::variant_size_v<controller::FlagValue>> kTypes{
      {{FlagType::kValue, set_own_text},
       {FlagType::kBool, set_own_bool},
       {FlagType::kInt, set_own_number},
       {FlagType::kString, set_own_text},
       {FlagType::kDuration, set_own_duration},
       {FlagType::kList, set_own_list}}};
  const auto& [type, set] = kTypes.at(flag.zero.index());
  return {flag.name, type, flag_value_text(flag.default_value), flag.help, set};
}

template <auto Member>
std::string print(const FlagDraft& draft) {
  return flag_value_text(controller::FlagValue(draft.options.*Member));
}

template <auto Member>
std::string print_leader_timing(const FlagDraft& draft) {
  return flag_value_text(controller::FlagValue(draft.options.leader_timing.*Member));
}

std::string print_zap_devel(const FlagDraft& draft) { return flag_value_text(controller::FlagValue(draft.zap_devel)); }

std::string print_zap_time_encoding(const FlagDraft& draft) {
  return std::string(name_of(draft.options.log.time_encoding));
}

// The default depends on other flags, or the flag has no option.
constexpr std::string (*kNoDefault)(const FlagDraft&) = nullptr;

// A flag that every manager has.
struct BuiltInFlag {
  std::string_view name;
  FlagType type;
  std::string (*print)(const FlagDraft& draft);  // prints the default, which is that of Options
  std::string_view help;
  Result<void> (*set)(FlagDraft& draft, std::string_view text);
  Commas commas = Commas::kNone;
};

constexpr auto kFlags = std::to_array<BuiltInFlag>({
    {"config", FlagType::kString, print<&Options::config>,
     "A YAML file that maps names of flags to values. A flag on the command line takes precedence over the file, and "
     "the file over environment variables.",
     set_string<&Options::config>},
    {"controllers", FlagType::kString, print<&Options::controllers>,
     "Controllers to run: a comma separated list of lower-case kinds, * for all; -kind excludes one.",
     set_string<&Options::controllers>, Commas::kSeparate},
    {"dry-run", FlagType::kBool, print<&Options::dry_run>,
     "Store nothing: every write is a server-side dry run, and the fields that it would change are logged and counted. "
     "No Events are sent, no lease is acquired, and the manager does not register webhooks.",
     set_bool<&Options::dry_run>},
    {"enable-http2", FlagType::kBool, print<&Options::enable_http2>,
     "Accepted for compatibility with existing manifests; the servers use HTTP/1.1 in any case.",
     set_bool<&Options::enable_http2>},
    {"enable-leader-election", FlagType::kBool, print<&Options::leader_elect>, "The former name of --leader-elect.",
     set_bool<&Options::leader_elect>},
    {"graceful-shutdown-timeout", FlagType::kDuration, print<&Options::graceful_shutdown_timeout>,
     "Time for running reconciles to finish after SIGTERM; 0 does not wait, a negative value waits without a limit.",
     set_duration<&Options::graceful_shutdown_timeout>},
    {"health-probe-bind-address", FlagType::kString, print<&Options::health_probe_bind_address>,
     "The address the probe endpoint binds to. Use 0 to disable it.", set_address<&Options::health_probe_bind_address>},
    {"kubeconfig", FlagType::kString, print<&Options::kubeconfig>,
     "Paths to a kubeconfig. Only required if out-of-cluster.", set_string<&Options::kubeconfig>},
    {"leader-elect", FlagType::kBool, print<&Options::leader_elect>,
     "Run leader election: only one replica reconciles at a time; the others stand by with warm caches and serve "
     "webhooks.",
     set_bool<&Options::leader_elect>},
    {"leader-elect-lease-duration", FlagType::kDuration, print_leader_timing<&leader::Timing::lease_duration>,
     "Time without a renewal after which a standby acquires the lease; longer than the renew deadline.",
     set_leader_timing<&leader::Timing::lease_duration>},
    {"leader-elect-renew-deadline", FlagType::kDuration, print_leader_timing<&leader::Timing::renew_deadline>,
     "Time without a successful renewal after which the leader stops writing and exits; shorter than the lease "
     "duration.",
     set_leader_timing<&leader::Timing::renew_deadline>},
    {"leader-elect-retry-period", FlagType::kDuration, print_leader_timing<&leader::Timing::retry_period>,
     "Interval in which the leader renews its lease.", set_leader_timing<&leader::Timing::retry_period>},
    {"leader-election-id", FlagType::kString, print<&Options::leader_election_id>,
     "The name of the Lease that replicas compete for.", set_string<&Options::leader_election_id>},
    {"leader-election-namespace", FlagType::kString, print<&Options::leader_election_namespace>,
     "The namespace of that Lease. When empty, the namespace of the pod, or outside of a cluster that of the "
     "kubeconfig's context.",
     set_string<&Options::leader_election_namespace>},
    {"max-concurrent-reconciles", FlagType::kInt, print<&Options::max_concurrent_reconciles>,
     "Maximum number of objects that each controller reconciles at the same time.", set_max_concurrent_reconciles},
    {"metrics-addr", FlagType::kString, print<&Options::metrics_bind_address>,
     "The former name of --metrics-bind-address.", set_address<&Options::metrics_bind_address>},
    {"metrics-bind-address", FlagType::kString, print<&Options::metrics_bind_address>,
     "The address the metrics endpoint binds to. Use 0 to disable it.", set_address<&Options::metrics_bind_address>},
    {"metrics-cert-key", FlagType::kString, print<&Options::metrics_cert_key>,
     "The name of the metrics server's key file.", set_string<&Options::metrics_cert_key>},
    {"metrics-cert-name", FlagType::kString, print<&Options::metrics_cert_name>,
     "The name of the metrics server's certificate file.", set_string<&Options::metrics_cert_name>},
    {"metrics-cert-path", FlagType::kString, print<&Options::metrics_cert_path>,
     "The directory with the metrics server's certificate, which is read again when it changes. When empty, "
     "k8s-metrics-server/serving-certs in the directory for temporary files is used if it has a certificate; otherwise "
     "the manager creates one for localhost and keeps it in memory.",
     set_string<&Options::metrics_cert_path>},
    {"metrics-secure", FlagType::kBool, kNoDefault,
     "Serve metrics over HTTPS, to authorized clients only: their bearer token needs the permission to get /metrics. "
     "When not set, false on :8080 and on loopback addresses, and true on any other address.",
     set_bool<&Options::metrics_secure>},
    {"pprof-bind-address", FlagType::kString, print<&Options::pprof_bind_address>,
     "The address at which /debug/pprof serves CPU and heap profiles, for example 127.0.0.1:6060. Clients need the "
     "permission to get the path, except for requests from loopback. Use 0 to disable it.",
     set_address<&Options::pprof_bind_address>},
    {"reconcile-history", FlagType::kInt, print<&Options::reconcile_history>,
     "Number of objects, of all controllers together, whose last reconciles are stored for explain and /debug/objects. "
     "Each takes about 600 bytes, at most 1.1 KB, plus the key if it is longer than 64 bytes. Use 0 to store none.",
     set_reconcile_history},
    {"reconcile-history-dir", FlagType::kString, print<&Options::reconcile_history_dir>,
     "A directory in which the last reconciles are stored, in at most 9 MB, so that explain and /debug/objects have "
     "them "
     "after a restart. It must be on a local disk and used by one process only. When empty, they end with the process.",
     set_string<&Options::reconcile_history_dir>},
    {"sync-period", FlagType::kDuration, print<&Options::sync_period>,
     "Interval in which every object is reconciled without a change; 0 means never.", set_sync_period},
    {"watch-namespaces", FlagType::kString, print<&Options::watch_namespaces>,
     "Comma separated namespaces to watch; empty means all. Defaults to the environment variable WATCH_NAMESPACE.",
     set_watch_namespaces, Commas::kSeparate},
    {"webhook-cert-key", FlagType::kString, print<&Options::webhook_cert_key>, "The name of the webhook key file.",
     set_string<&Options::webhook_cert_key>},
    {"webhook-cert-name", FlagType::kString, print<&Options::webhook_cert_name>,
     "The name of the webhook certificate file.", set_string<&Options::webhook_cert_name>},
    {"webhook-cert-path", FlagType::kString, print<&Options::webhook_cert_path>,
     "The directory with the webhook certificate; the server starts as soon as the certificate exists. When empty, "
     "k8s-webhook-server/serving-certs in the directory for temporary files is used if it has a certificate.",
     set_string<&Options::webhook_cert_path>},
    {"webhook-client-ca", FlagType::kString, print<&Options::webhook_client_ca>,
     "The CA bundle of clients, as a path or as a file name in the directory of the webhook certificate. When set, "
     "clients must present a certificate that it has signed.",
     set_string<&Options::webhook_client_ca>},
    {"webhook-mutating-configuration", FlagType::kString, print<&Options::webhook_mutating_configuration>,
     "With --webhook-self-signed: the MutatingWebhookConfiguration into which the CA is written.",
     set_string<&Options::webhook_mutating_configuration>},
    {"webhook-port", FlagType::kInt, print<&Options::webhook_port>,
     "The port the webhook server binds to. Use 0 to disable it.", set_webhook_port},
    {"webhook-secret", FlagType::kString, print<&Options::webhook_secret>,
     "With --webhook-self-signed: the Secret in the manager's namespace through which replicas share the certificate.",
     set_string<&Options::webhook_secret>},
    {"webhook-self-signed", FlagType::kBool, print<&Options::webhook_self_signed>,
     "Create the webhook certificate and its CA, rotate them before they expire, and write the CA into the webhook "
     "configurations: cert-manager is not needed.",
     set_bool<&Options::webhook_self_signed>},
    {"webhook-service-name", FlagType::kString, print<&Options::webhook_service_name>,
     "With --webhook-self-signed: the Service in the manager's namespace for which the certificate is valid.",
     set_webhook_service_name},
    {"webhook-url", FlagType::kString, print<&Options::webhook_url>,
     "For development: the URL at which the API server reaches the webhooks of a manager outside the cluster, such as "
     "https://192.168.1.7:9443. The manager registers them while it runs, with a certificate that it creates.",
     set_webhook_url},
    {"webhook-validating-configuration", FlagType::kString, print<&Options::webhook_validating_configuration>,
     "With --webhook-self-signed: the ValidatingWebhookConfiguration into which the CA is written.",
     set_string<&Options::webhook_validating_configuration>},
    {"zap-devel", FlagType::kBool, print_zap_devel,
     "Development Mode defaults(encoder=consoleEncoder,logLevel=Debug). "
     "Production Mode defaults(encoder=jsonEncoder,logLevel=Info) and samples equal messages.",
     set_zap_devel},
    {"zap-encoder", FlagType::kValue, kNoDefault, "Zap log encoding (one of 'json' or 'console')", set_zap_encoder},
    {"zap-log-level", FlagType::kValue, kNoDefault,
     "Zap Level to configure the verbosity of logging. Can be one of 'debug', 'info', 'error', 'panic' "
     "or any integer value > 0 which corresponds to custom debug levels of increasing verbosity",
     set_zap_log_level},
    {"zap-stacktrace-level", FlagType::kValue, kNoDefault,
     "Accepted for compatibility with existing manifests (one of 'info', 'error', 'panic'); errors have no stack "
     "traces.",
     set_zap_stacktrace_level},
    {"zap-time-encoding", FlagType::kValue, print_zap_time_encoding,
     "Zap time encoding (one of 'epoch', 'millis', 'nanos', 'iso8601', 'rfc3339' or 'rfc3339nano').",
     set_zap_time_encoding},
});

// The names of --help and --version, which are not in the table.
constexpr std::array<std::string_view, 3> kAnswers = {"h", "help", "version"};

void check_name(const std::string& name, const std::vector<std::string>& before) {
  const auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, is_inner)) {
    throw base::Misuse("invalid flag name " + base::quote_go(name) +
                       ": use lower-case letters, digits and dashes, without the dashes in front, for example "
                       "\"redis-image\"");
  }
  const auto same = [&](const auto& other) { return other.name == name; };
  const bool is_built_in = std::ranges::any_of(kFlags, same) || std::ranges::find(kAnswers, name) != kAnswers.end();
  const bool is_twice = std::ranges::find(before, name) != before.end();
  if (!is_built_in && !is_twice) return;
  throw base::Misuse("the flag --" + name + (is_built_in ? " is built in" : " is declared twice") +
                     ": give this one another name, for example \"my-" + name + "\"");
}

}  // namespace

void check_syntax(const Syntax& syntax) {
  std::vector<std::string> before;
  for (const auto& flag : syntax.flags) {
    check_name(flag.name, before);
    before.push_back(flag.name);
  }
  check_commands(syntax.commands);
}

std::vector<Flag> flag_table(const Syntax& syntax) {
  std::vector<Flag> table;
  const auto defaults = default_draft(syntax.name);
  for (const auto& flag : kFlags) {
    auto default_text = flag.print == kNoDefault ? std::string() : flag.print(defaults);
    table.push_back({flag.name, flag.type, std::move(default_text), flag.help, flag.set, flag.commas});
  }
  // The built-in flags are sorted.
  for (const auto& flag : syntax.flags) {
    auto place = table.begin();
    while (place != table.end() && place->name < flag.name) ++place;
    table.insert(place, own_flag(flag));
  }
  return table;
}

std::vector<cli::Flag> rows_of(std::span<const Flag> table) {
  std::vector<cli::Flag> rows;
  for (const auto& flag : table) rows.push_back({flag.name, type_name(flag.type), flag.help});
  return rows;
}

std::vector<cli::Flag> own_rows(const Syntax& syntax) {
  std::vector<cli::Flag> rows;
  for (const auto& flag : syntax.flags) rows.push_back({flag.name, type_name(own_flag(flag).type), flag.help});
  return rows;
}

FlagDraft default_draft(const kube::OperatorName& name) {
  FlagDraft draft;
  for (auto member : {&Options::leader_election_id, &Options::webhook_service_name, &Options::webhook_secret,
                      &Options::webhook_mutating_configuration, &Options::webhook_validating_configuration}) {
    auto& text = draft.options.*member;
    text = name.with(text.substr(text.find('-') + 1));
  }
  return draft;
}

const Flag* find_flag(std::span<const Flag> table, std::string_view name) {
  auto found = std::ranges::find_if(table, [&](const Flag& flag) { return flag.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace keelson::program
