#include "src/sandbox_program/flags.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>
#include <string_view>

#include "keelson/base/go_text.hpp"
#include "keelson/base/nearest.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/net/limits.hpp"

namespace keelson::sandbox_program {

namespace {

struct Flag {
  std::string_view name;
  std::string_view value;  // the word for the value in the help, such as "PORT"; empty: the flag has no value
  std::string_view help;
  // The error names a valid value.
  Result<void> (*set)(Settings& settings, const std::string& value);
};

// FastClock stops after 8 days at this speed.
constexpr double kHighestSpeed = 10'000;
// With a lower speed, the time of a timer would overflow the clock.
constexpr double kLowestSpeed = 0.001;
constexpr auto kLongestPodStart = std::chrono::hours(24);

Result<void> set_port(Settings& settings, const std::string& value) {
  unsigned port = 0;
  auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), port);
  bool is_number = failed == std::errc() && end == value.data() + value.size();
  if (!is_number || port > 65535) return invalid_error("give a number from 0 to 65535; 0 picks a free port");
  settings.port = static_cast<std::uint16_t>(port);
  return {};
}

Result<void> set_bind_address(Settings& settings, const std::string& value) {
  boost::system::error_code failed;
  boost::asio::ip::make_address(value, failed);
  if (failed)
    return invalid_error("give an IP address of this machine, for example 127.0.0.1, or 0.0.0.0 for all of them");
  settings.bind_address = value;
  return {};
}

Result<void> set_audit_log(Settings& settings, const std::string& value) {
  if (value.empty()) return invalid_error("give the path of a file, or leave the flag out to log no requests");
  settings.audit_log = value;
  return {};
}

Result<void> set_data(Settings& settings, const std::string& value) {
  if (value.empty()) return invalid_error("give the path of a file, or leave the flag out to store nothing");
  settings.data = value;
  return {};
}

Result<void> set_kubeconfig_out(Settings& settings, const std::string& value) {
  if (value.empty()) return invalid_error("give the path of a file, or leave the flag out for one in a private folder");
  settings.kubeconfig_out = value;
  return {};
}

// The characters of a bearer token in RFC 6750, which need no quoting in a header and in YAML.
Result<void> set_token(Settings& settings, const std::string& value) {
  constexpr std::string_view kOthers = "-._~+/=";
  bool is_plain = std::all_of(value.begin(), value.end(), [kOthers](char c) {
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
  if (value != "true" && value != "false") return invalid_error("give true or false, or the flag alone");
  settings.has_controllers = value == "false";
  return {};
}

Result<void> set_ignore_cel(Settings& settings, const std::string& value) {
  if (value != "true" && value != "false") return invalid_error("give true or false, or the flag alone");
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

constexpr auto kFlags = std::to_array<Flag>({
    {"audit-log", "FILE",
     "Append an Event of audit.k8s.io/v1 to this file for each request, a line each: its user, object and status.",
     set_audit_log},
    {"authorization", "MODE",
     "How users are authorized: always-allow allows everything (default), rbac evaluates roles and bindings.",
     set_authorization},
    {"bind-address", "IP", "Listen on this address (default 127.0.0.1). The token protects the API there.",
     set_bind_address},
    {"chaos", "SPEC",
     "Inject failures, the same for the same seed and requests: "
     "seed=7,409=0.05,429=0.01,500=0.01,drop-watches=30s,latency=50ms.\n"
     "Shares of the requests fail; drop-watches is the mean life of a watch, latency the longest delay.",
     set_chaos},
    {"data", "FILE",
     "Store objects, token and certificate in this SQLite database, and continue from it: they survive kill -9.\n"
     "Default: everything is in memory.",
     set_data},
    {"ignore-cel", "", "Skip the rules of x-kubernetes-validations, also those that this server cannot evaluate.",
     set_ignore_cel},
    {"kubeconfig-out", "FILE",
     "Write the kubeconfig to this file, which is replaced; only its owner can read it. Default: a file in a private\n"
     "folder in XDG_RUNTIME_DIR, TMPDIR or /tmp, which is removed at the end.",
     set_kubeconfig_out},
    {"no-controllers", "",
     "Behave as envtest: Deployments get no pods, pods never start, namespaces get no ServiceAccount.",
     set_no_controllers},
    {"pod-start", "DURATION", "The time from a pod's creation until it is ready (default 300ms).", set_pod_start},
    {"port", "N", "Listen on this port (default 0: any free one).", set_port},
    {"speed", "N", "Run the clock of the controllers N times as fast (default 1).", set_speed},
    {"token", "TOKEN",
     "The administrator's bearer token (default: that of --data, or random). Other users of this machine see it in ps.",
     set_token},
});

const Flag* find_flag(std::string_view name) {
  auto found = std::find_if(kFlags.begin(), kFlags.end(), [name](const Flag& flag) { return flag.name == name; });
  return found == kFlags.end() ? nullptr : &*found;
}

Error unknown_flag(std::string_view name) {
  std::vector<std::string_view> names{"help", "version"};
  for (const auto& flag : kFlags) names.push_back(flag.name);
  auto text = "unknown flag --" + std::string(name);
  if (auto meant = base::nearest(name, names)) text += ": did you mean --" + std::string(*meant) + "?";
  return invalid_error(std::move(text));
}

Error unknown_word(const std::string& word) {
  auto text = "unexpected argument " + base::quote_go(word);
  if (auto meant = base::nearest(word, {"run", "version", "help"})) {
    text += ": did you mean " + std::string(*meant) + "?";
  } else {
    text += ": to run a command against the server, write keelson-sandbox run [flags] -- COMMAND...";
  }
  return invalid_error(std::move(text));
}

// Reads arguments one by one.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : rest_(arguments.begin(), arguments.end()) {}

  [[nodiscard]] bool is_done() const { return at_ == rest_.size(); }
  [[nodiscard]] const std::string& next() { return rest_[at_++]; }
  [[nodiscard]] std::vector<std::string> remaining() const {
    return {rest_.begin() + static_cast<std::ptrdiff_t>(at_), rest_.end()};
  }

 private:
  std::vector<std::string> rest_;
  std::size_t at_ = 0;
};

// `argument` begins with a dash. --name=value, --name value, and the same with one dash.
Result<void> read_flag(const std::string& argument, Reader& reader, CommandLine& line) {
  std::string_view name(argument);
  name.remove_prefix(name.substr(0, 2) == "--" ? 2 : 1);
  auto equals = name.find('=');
  std::optional<std::string> value;
  if (equals != std::string_view::npos) value = std::string(name.substr(equals + 1));
  name = name.substr(0, equals);
  if (name == "help" || name == "h" || name == "version") {
    line.action = name == "version" ? CommandLine::Action::kVersion : CommandLine::Action::kHelp;
    return {};
  }
  const auto* flag = find_flag(name);
  if (flag == nullptr) return unknown_flag(name);
  if (!value && flag->value.empty()) value = "true";
  if (!value && reader.is_done()) {
    return invalid_error("--" + std::string(name) + " needs a value: write --" + std::string(name) + "=" +
                         std::string(flag->value));
  }
  if (!value) value = reader.next();
  auto set = flag->set(line.settings, *value);
  if (set) return {};
  // An invalid token is as secret as a valid one.
  auto shown = name == "token" ? "this text" : base::quote_go(*value);
  return invalid_error("--" + std::string(name) + " cannot be " + shown + ": " + set.error().text);
}

Result<CommandLine> read_run(Reader& reader, CommandLine line) {
  line.action = CommandLine::Action::kRun;
  while (!reader.is_done()) {
    const auto& argument = reader.next();
    if (argument == "--") {
      line.words = reader.remaining();
      break;
    }
    if (!argument.starts_with('-')) {
      return invalid_error("unexpected argument " + base::quote_go(argument) +
                           ": separate the command by two dashes: keelson-sandbox run [flags] -- " + argument);
    }
    KEELSON_TRY(read_flag(argument, reader, line));
    if (line.action != CommandLine::Action::kRun) return line;
  }
  if (line.words.empty()) {
    return invalid_error("run needs a command: write it after two dashes: keelson-sandbox run [flags] -- COMMAND...");
  }
  return line;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  Reader reader(arguments);
  CommandLine line;
  while (!reader.is_done()) {
    const auto& argument = reader.next();
    if (argument == "run") return read_run(reader, std::move(line));
    if (argument == "help") {
      line.action = CommandLine::Action::kHelp;
      return line;
    }
    if (argument == "version") {
      line.action = CommandLine::Action::kVersion;
      line.words = reader.remaining();
      return line;
    }
    if (argument == "--" || !argument.starts_with('-')) return unknown_word(argument);
    KEELSON_TRY(read_flag(argument, reader, line));
    if (line.action != CommandLine::Action::kServe) return line;
  }
  return line;
}

std::string usage() {
  std::string text =
      "A Kubernetes API server in one process, for development, tests and CI.\n\n"
      "Usage:\n"
      "  keelson-sandbox [flags]                     Serve until SIGINT or SIGTERM.\n"
      "  keelson-sandbox run [flags] -- COMMAND...   Run a command with KUBECONFIG set, and exit with its code.\n"
      "  keelson-sandbox version [--licenses]        Print the version, or the licenses of the linked libraries.\n\n"
      "Flags:\n";
  for (const auto& flag : kFlags) {
    text += "  --" + std::string(flag.name) + (flag.value.empty() ? "" : " " + std::string(flag.value)) + "\n      ";
    for (char c : flag.help) text += c == '\n' ? std::string("\n      ") : std::string(1, c);
    text += '\n';
  }
  return text + "  --help, --version\n";
}

}  // namespace keelson::sandbox_program
