// The command line of a manager: kubebuilder's flags in Go's syntax, from one table that help and docs come from too.
//
// Everything here is a pure function, except that parse_flags reads the file of --config. Errors are kInvalid with Go's
// own text, sometimes followed by a second line that says what was probably meant; the caller prints them with `usage`
// to stderr and exits with 2.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/controller/flag.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/leader/elector.hpp"
#include "keelson/program/command.hpp"

namespace keelson::program {

// Where a default has the operator's name in it, that of the operator `keelson` stands here; parse_flags has the
// others.
struct Options {
  std::string config;                         // empty: no file
  std::string kubeconfig;                     // empty: KUBECONFIG, in-cluster, ~/.kube/config
  std::string controllers = "*";              // see select_controllers
  std::vector<std::string> watch_namespaces;  // sorted, each once; empty: all
  int max_concurrent_reconciles = 1;
  std::chrono::nanoseconds sync_period = std::chrono::hours(10);                  // 0: never
  std::chrono::nanoseconds graceful_shutdown_timeout = std::chrono::seconds(30);  // 0: do not wait; negative: forever
  std::string metrics_bind_address = ":8080";                                     // "0" or empty: off
  std::optional<bool> metrics_secure;  // none: by the address, see plan_metrics
  std::string metrics_cert_path;       // empty: controller-runtime's folder if it holds a pair, else one in memory
  std::string metrics_cert_name = "tls.crt";
  std::string metrics_cert_key = "tls.key";
  std::string health_probe_bind_address = ":8081";  // "0" or empty: off
  bool leader_elect = false;
  std::string leader_election_id = "keelson-manager";
  std::string leader_election_namespace;  // empty: the pod's, else the kubeconfig context's
  leader::Timing leader_timing;
  int webhook_port = 9443;        // 0: off
  std::string webhook_cert_path;  // empty: default_webhook_folder
  std::string webhook_cert_name = "tls.crt";
  std::string webhook_cert_key = "tls.key";
  std::string webhook_client_ca;  // a file, or a name in the folder; empty: no client certificates are asked for
  bool webhook_self_signed = false;
  std::string webhook_url;  // where the API server reaches a manager outside the cluster; empty: by the Service
  std::string webhook_service_name = "keelson-webhook-service";
  std::string webhook_secret = "keelson-webhook-server-cert";
  std::string webhook_mutating_configuration = "keelson-mutating-webhook-configuration";
  std::string webhook_validating_configuration = "keelson-validating-webhook-configuration";
  bool enable_http2 = false;
  bool stacktrace_level_given = false;
  controller::FlagValues own_flags;  // the operator's own flags that were given
  LogOptions log;                    // already resolved from the five zap flags
};

struct ParsedFlags {
  Options options;
  std::vector<std::string> rest;  // from the first argument that is no flag, or after "--"
  bool help = false;              // -h or --help came first: print usage, exit with 0
  bool version = false;           // --version came first: print the version, exit with 0
};

// The value of an environment variable, or nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// What an operator adds to the command line of every manager.
struct Syntax {
  kube::OperatorName name = {};
  std::vector<controller::Flag> flags = {};
  std::vector<Command> commands = {};
};

// The content of a file, at most limits::kConfigFileBytes; the error has no path.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;
[[nodiscard]] Result<std::string> read_config_file(const std::string& path);

// `arguments` are those after the program's name. A flag counts before its value in the file of --config, and that
// before the environment: WATCH_NAMESPACE counts when --watch-namespaces is given in neither.
[[nodiscard]] Result<ParsedFlags> parse_flags(const std::vector<std::string>& arguments, const Environment& environment,
                                              const Syntax& syntax = {}, const ReadFile& read_file = read_config_file);

// Throws base::Misuse if a flag or command of the operator's own has the name of a built-in one or of another of its
// own, or a name that cannot be one.
void check_syntax(const Syntax& syntax);

// "Usage of manager:", the commands, and every flag as Go's PrintDefaults prints them.
[[nodiscard]] std::string usage(std::string_view program, const Syntax& syntax = {});

// The same table for docs/: name, type, default, help.
[[nodiscard]] std::string flags_markdown(const Syntax& syntax = {});

// Which of the `known` controllers run, in their order: "*" is all, a name is that one, "-name" takes one out. Only
// "-name"s mean all others. Unknown names, and a choice that leaves none, are errors that name the known ones.
[[nodiscard]] Result<std::vector<std::string>> select_controllers(std::string_view spec,
                                                                  const std::vector<std::string>& known);

// One line to log for each flag that was accepted for compatibility and changes nothing here.
[[nodiscard]] std::vector<std::string> compatibility_notices(const Options& options);

}  // namespace keelson::program
