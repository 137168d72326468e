#include "src/sandbox_program/flags.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <string_view>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/completion.hpp"
#include "keelson/detail/cli/values.hpp"
#include "keelson/detail/net/limits.hpp"
#include "keelson/detail/program/version_command.hpp"
#include "src/sandbox_program/diff_command.hpp"

namespace keelson::sandbox_program {

namespace {

struct Setting {
  cli::Flag flag;
  // The error names a valid value.
  Result<void> (*set)(Settings& settings, const std::string& value);
};

// FastClock stops after 8 days at this speed.
constexpr double kHighestSpeed = 10'000;
// With a lower speed, the time of a timer would overflow the clock.
constexpr double kLowestSpeed = 0.001;
constexpr auto kLongestPodStart = std::chrono::hours(24);

Result<void> set_port(Settings& settings, const std::string& value) {
  const auto port = cli::parse_int(value, 0, 65535);
  if (!port) return invalid_error("give a number from 0 to 65535; 0 picks a free port");
  settings.port = static_cast<std::uint16_t>(*port);
  return {};
}

Result<void> set_bind_address(Settings& settings, const std::string& value) {
  boost::system::error_code failed;
  boost::asio::ip::make_address(value, failed);
  if (failed) {
    return invalid_error("give an IP address of this machine, for example 127.0.0.1, or 0.0.0.0 for all of them");
  }
  settings.bind_address = value;
  return {};
}

// The path of a file; the flag is left out for what the help says.
template <auto Member>
Result<void> set_file(Settings& settings, const std::string& value) {
  if (value.empty()) return invalid_error("give the path of a file, or leave the flag out");
  settings.*Member = value;
  return {};
}

// The characters of a bearer token in RFC 6750, which need no quoting in a header and in YAML.
Result<void> set_token(Settings& settings, const std::string& value) {
  constexpr std::string_view kOthers = "-._~+/=";
  bool is_plain = std::ranges::all_of(value, [kOthers](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           kOthers.find(c) != std::string_view::npos;
  });
  if (value.empty() || !is_plain || value.size() > limits::kBearerTokenBytes) {
    return invalid_error("give 1 to " + std::to_string(limits::kBearerTokenBytes) +
                         " letters, digits and -._~+/=, or leave the flag out for a random token");
  }
  settings.token = value;
  return {};
}

Result<void> set_no_controllers(Settings& settings, const std::string& value) {
  settings.has_controllers = value == "false";
  return {};
}

Result<void> set_ignore_cel(Settings& settings, const std::string& value) {
  settings.ignores_rules = value == "true";
  return {};
}

// kube-apiserver's --authorization-mode has AlwaysAllow and RBAC.
Result<void> set_authorization(Settings& settings, const std::string& value) {
  auto mode = base::to_lower(value);
  std::erase(mode, '-');
  if (mode != "alwaysallow" && mode != "rbac") return invalid_error("give always-allow or rbac");
  settings.authorization = mode == "rbac" ? sandbox::Authorization::kRbac : sandbox::Authorization::kAlwaysAllow;
  return {};
}

Result<void> set_chaos(Settings& settings, const std::string& value) {
  KEELSON_LET(auto options, sandbox::parse_chaos(value));
  settings.chaos = options;
  return {};
}

Result<void> set_pod_start(Settings& settings, const std::string& value) {
  auto duration = base::parse_go_duration(value);
  if (!duration || *duration < async::Duration::zero() || *duration > kLongestPodStart) {
    return invalid_error("give a duration from 0s to 24h, for example 300ms or 2s");
  }
  settings.pod_start = *duration;
  return {};
}

Result<void> set_speed(Settings& settings, const std::string& value) {
  double speed = 0;
  auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), speed, std::chars_format::fixed);
  bool is_number = failed == std::errc() && end == value.data() + value.size();
  bool is_in_range = speed >= kLowestSpeed && speed <= kHighestSpeed;  // false for NaN
  if (!is_number || !is_in_range) {
    return invalid_error(
        "give a number from 0.001 to 10000, for example 60: a minute of the controllers passes in a second");
  }
  settings.speed = speed;
  return {};
}

constexpr auto kSettings = std::to_array<Setting>({
    {{"audit-log", "FILE",
      "Append an Event of audit.k8s.io/v1 to this file for each request, a line each: its user, object and status."},
     set_file<&Settings::audit_log>},
    {{"authorization", "MODE",
      "How users are authorized: always-allow allows everything (default), rbac evaluates roles and bindings."},
     set_authorization},
    {{"bind-address", "IP", "Listen on this address (default 127.0.0.1). The token protects the API there."},
     set_bind_address},
    {{"chaos", "SPEC",
      "Inject failures, the same for the same seed and requests: "
      "seed=7,409=0.05,429=0.01,500=0.01,drop-watches=30s,latency=50ms.\n"
      "Shares of the requests fail; drop-watches is the mean life of a watch, latency the longest delay."},
     set_chaos},
    {{"data", "FILE",
      "Store objects, token and certificate in this SQLite database, and continue from it: they survive kill -9.\n"
      "Default: everything is in memory."},
     set_file<&Settings::data>},
    {{"ignore-cel", "", "Skip the rules of x-kubernetes-validations, also those that this server cannot evaluate."},
     set_ignore_cel},
    {{"kubeconfig-out", "FILE",
      "Write the kubeconfig to this file, which is replaced; only its owner can read it. Default: a file in a private\n"
      "folder in XDG_RUNTIME_DIR, TMPDIR or /tmp, which is removed at the end."},
     set_file<&Settings::kubeconfig_out>},
    {{"no-controllers", "",
      "Behave as envtest: Deployments get no pods, pods never start, namespaces get no ServiceAccount."},
     set_no_controllers},
    {{"pod-start", "DURATION", "The time from a pod's creation until it is ready (default 300ms)."}, set_pod_start},
    {{"port", "N", "Listen on this port (default 0: any free one)."}, set_port},
    {{"speed", "N", "Run the clock of the controllers N times as fast (default 1)."}, set_speed},
    {{"token", "TOKEN",
      "The administrator's bearer token (default: that of --data, or random). Other users of this machine see it in "
      "ps."},
     set_token},
});

constexpr const char* kRun = "keelson-sandbox run [flags] -- COMMAND...";

std::vector<cli::Flag> flags() {
  std::vector<cli::Flag> all;
  for (const auto& setting : kSettings) all.push_back(setting.flag);
  return all;
}

// Stores what is given before the command.
Result<void> apply(const cli::Words& words, CommandLine& line) {
  if (words.wants_help) line.action = CommandLine::Action::kHelp;
  if (words.wants_version) line.action = CommandLine::Action::kVersion;
  if (words.wants_help || words.wants_version) return {};
  for (const auto& given : words.flags) {
    const auto setting =
        std::ranges::find_if(kSettings, [&](const Setting& row) { return row.flag.name == given.name; });
    const auto set = setting->set(line.settings, given.value);
    if (set) continue;
    // An invalid token is as secret as a valid one.
    if (given.name == "token") return invalid_error("invalid value for flag -token: " + set.error().text);
    return cli::invalid_value(given.name, given.value, set.error().text);
  }
  return {};
}

Result<CommandLine> read_run(const std::vector<std::string>& after_run, CommandLine line) {
  line.action = CommandLine::Action::kRun;
  KEELSON_LET(auto words, cli::parse(after_run, flags(), cli::Form::kProgram));
  KEELSON_TRY(apply(words, line));
  if (line.action != CommandLine::Action::kRun) return line;
  if (words.arguments.empty()) {
    return invalid_error("run needs a command: write it after two dashes: " + std::string(kRun));
  }
  if (!words.has_dashes) {
    const auto& word = words.arguments.front();
    return invalid_error(cli::unexpected_argument(word).text +
                         ": separate the command by two dashes: keelson-sandbox run [flags] -- " + word);
  }
  line.words = std::move(words.arguments);
  return line;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  KEELSON_LET(const auto words, cli::parse(arguments, flags(), cli::Form::kProgram));
  KEELSON_TRY(apply(words, line));
  const bool is_answer = line.action != CommandLine::Action::kServe;
  if (is_answer || (words.arguments.empty() && !words.has_dashes)) return line;
  const auto word = words.has_dashes ? "--" : words.arguments.front();
  std::vector<std::string> rest(words.arguments.begin() + (words.has_dashes ? 0 : 1), words.arguments.end());
  if (word == "run") return read_run(rest, std::move(line));
  const bool is_completion = word == cli::kCompletionCommand.name;
  const bool is_diff = word == kDiffCommand.name;
  if (word != "help" && word != "version" && !is_completion && !is_diff) {
    auto error = cli::unknown_command(word, {"run", kDiffCommand.name, "version", "completion", "help"});
    if (error.text.find('\n') == std::string::npos) {
      error.text += "\nto run a command against the server, write " + std::string(kRun);
    }
    return error;
  }
  using Action = CommandLine::Action;
  line.action = is_diff          ? Action::kDiffAgainst
                : is_completion  ? Action::kCompletion
                : word == "help" ? Action::kHelp
                                 : Action::kVersion;
  line.words = std::move(rest);
  return line;
}

std::string usage() {
  return "A Kubernetes API server in one process, for development, tests and CI.\n\nUsage:\n" +
         cli::help_entry("keelson-sandbox [flags]", "Serve until SIGINT or SIGTERM.") +
         cli::help_entry(kRun, "Run a command with KUBECONFIG set, and exit with its code.") +
         cli::help_entry("keelson-sandbox " + cli::synopsis(kDiffCommand), kDiffCommand.help) +
         cli::help_entry("keelson-sandbox version [--licenses]",
                         "Print the version, or the licenses of the linked libraries.") +
         cli::help_entry("keelson-sandbox " + cli::synopsis(cli::kCompletionCommand), cli::kCompletionCommand.help) +
         "\nFlags:\n" + cli::help_entries(flags()) + "  --help, --version\n";
}

int complete(const cli::Console& console, const std::vector<std::string>& words) {
  const auto all = flags();
  const cli::Command commands[] = {
      {"run", "", "", all}, kDiffCommand, program::kVersionCommand, cli::kCompletionCommand, {"help", "", "", {}}};
  return cli::completion_command(console, words, all, commands);
}

}  // namespace keelson::sandbox_program
