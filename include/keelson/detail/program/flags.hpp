// The command line of a manager: kubebuilder's flags in Go's syntax, from a single table that is also the source of
// --help and of docs/reference/flags.md.
//
// All functions are pure, except that parse_flags() reads the file of --config. Errors are kInvalid with the text of
// Go's flag package, sometimes followed by a second line "did you mean …?". The caller prints them and exits with
// cli::kUsageError.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/controller/context.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/leader/elector.hpp"
#include "keelson/detail/zpages/flags_page.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::controller {
class Definition;
}  // namespace keelson::controller

namespace keelson::limits {

// The file of --config: far more than all flags with long values.
inline constexpr std::size_t kConfigFileBytes = std::size_t{1} << 20;

}  // namespace keelson::limits

namespace keelson::program {

// The values of all flags; the name of a member is the name of its flag. Defaults that contain the operator's name are
// those of the operator `keelson`; parse_flags() replaces the name.
//
// A new flag is a member here, a row in src/program/flags/flag_table.cpp, and its use in src/program/services.cpp,
// which passes the options to the services. `make generate` writes its reference.
struct Options {
  std::string config;                         // empty: no file
  std::string kubeconfig;                     // empty: KUBECONFIG, in-cluster, ~/.kube/config
  std::string controllers = "*";              // see select_controllers()
  std::vector<std::string> watch_namespaces;  // sorted, each once; empty: all
  bool dry_run = false;                       // no write is stored
  int max_concurrent_reconciles = limits::kDefaultConcurrentReconciles;
  int reconcile_history = limits::kReconcileHistory;                              // objects; 0: none
  std::string reconcile_history_dir;                                              // empty: off
  std::chrono::nanoseconds sync_period = std::chrono::hours(10);                  // 0: never
  std::chrono::nanoseconds graceful_shutdown_timeout = std::chrono::seconds(30);  // 0: do not wait; negative: forever
  std::string metrics_bind_address = ":8080";                                     // "0" or empty: off
  std::optional<bool> metrics_secure;  // nullopt: false on :8080 and loopback addresses, otherwise true
  std::string metrics_cert_path;       // empty: controller-runtime's folder if it has a pair, else a pair in memory
  std::string metrics_cert_name = "tls.crt";
  std::string metrics_cert_key = "tls.key";
  std::string health_probe_bind_address = ":8081";  // "0" or empty: off
  std::string pprof_bind_address = "0";             // "0" or empty: off
  bool leader_elect = false;
  std::string leader_election_id = "keelson-manager";
  std::string leader_election_namespace;  // empty: the pod's, else the kubeconfig context's
  leader::Timing leader_timing;
  int webhook_port = 9443;        // 0: off
  std::string webhook_cert_path;  // empty: controller-runtime's folder, /tmp/k8s-webhook-server/serving-certs
  std::string webhook_cert_name = "tls.crt";
  std::string webhook_cert_key = "tls.key";
  std::string webhook_client_ca;  // a path, or a name in the folder; empty: no client certificates are requested
  bool webhook_self_signed = false;
  std::string webhook_url;  // https URL of a manager outside the cluster; empty: the Service is used
  std::string webhook_service_name = "keelson-webhook-service";
  std::string webhook_secret = "keelson-webhook-server-cert";
  std::string webhook_mutating_configuration = "keelson-mutating-webhook-configuration";
  std::string webhook_validating_configuration = "keelson-validating-webhook-configuration";
  bool enable_http2 = false;
  bool stacktrace_level_given = false;  // --zap-stacktrace-level, which has no effect
  controller::FlagValues own_flags;     // given flags of the operator and its controllers, without defaults
  LogOptions log;                       // the result of the five zap flags
};

// The result of parse_flags(). With `help` or `version`, `options` has only defaults.
struct ParsedFlags {
  Options options;
  std::vector<zpages::FlagState> flags;  // every flag with its value, for /flagz; sorted by name
  std::vector<cli::GivenFlag> further;   // the given ones of Syntax::further, in their order
  std::vector<std::string> rest;         // from the first argument that is not a flag, or after "--"
  bool help = false;                     // -h or --help: print usage(), exit with 0
  bool version = false;                  // --version: print version_text(), exit with 0
};

// The value of an environment variable; nullopt if it is not set. Tests pass a function of their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
// That of this process.
[[nodiscard]] std::optional<std::string> process_variable(const std::string& name);

// The additions of an operator to the flags and commands that every manager has.
struct Syntax {
  kube::OperatorName name = {};
  std::vector<controller::Flag> flags = {};
  std::vector<Command> commands = {};
  // Flags that only this program has, and that are not Options. They hide an operator's flag of the same name.
  std::span<const cli::Flag> further = {};
};

// The name, and the flags of the controllers.
[[nodiscard]] Syntax syntax_of(kube::OperatorName name, const std::vector<controller::Definition>& controllers);

// The content of a file of at most limits::kConfigFileBytes (1 MiB). The error does not contain the path.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;
[[nodiscard]] Result<std::string> read_config_file(const std::string& path);

// The flags of the operator as room cli parses them and as --help prints them. Refers to `syntax`.
[[nodiscard]] std::vector<cli::Flag> own_rows(const Syntax& syntax);

// `arguments` are the words after the program's name. A flag on the command line takes precedence over the file of
// --config, and the file over the environment: WATCH_NAMESPACE is used if neither sets --watch-namespaces.
// Rules across flags are checked last, for example those of the leader election timing with --leader-elect.
[[nodiscard]] Result<ParsedFlags> parse_flags(const std::vector<std::string>& arguments, const Environment& environment,
                                              const Syntax& syntax = {}, const ReadFile& read_file = read_config_file);

// Throws base::Misuse if a flag or command of the operator has an invalid name, or the name of a built-in one or of
// another one of the operator.
void check_syntax(const Syntax& syntax);

// The text of --help: "Usage of manager:", the commands, and the flags as Go's PrintDefaults prints them.
[[nodiscard]] std::string usage(std::string_view program, const Syntax& syntax = {});

// The flags as a Markdown table for docs/reference: name, type, default, help.
[[nodiscard]] std::string flags_markdown(const Syntax& syntax = {});

// The controllers of `known` that `spec` (--controllers) selects, in the order of `known`: "*" selects all, a name that
// controller, and "-name" excludes one. A spec of exclusions alone selects all others. kInvalid, with the known names,
// if a name is unknown or no controller is left.
[[nodiscard]] Result<std::vector<std::string>> select_controllers(std::string_view spec,
                                                                  const std::vector<std::string>& known);
// The same for definitions. A program without controllers, which may have webhooks, has none to select.
[[nodiscard]] Result<std::vector<controller::Definition>> select_controllers(
    std::string_view spec, std::vector<controller::Definition> controllers);

// A line to log for each given flag that is accepted for compatibility and has no effect.
[[nodiscard]] std::vector<std::string> compatibility_notices(const Options& options);

}  // namespace keelson::program
