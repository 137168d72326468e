#include "keelson/detail/program/flags.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/detail/base/misuse.hpp"
#include "src/program/flags/flag_table.hpp"

using namespace std::chrono_literals;
using keelson::LogOptions;
using keelson::program::Options;
using keelson::program::ParsedFlags;
using Arguments = std::vector<std::string>;

namespace {

keelson::Result<ParsedFlags> parse(const Arguments& arguments,
                                   const std::map<std::string, std::string>& variables = {}) {
  return keelson::program::parse_flags(arguments, [&](const std::string& name) -> std::optional<std::string> {
    auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

Options options_of(const Arguments& arguments, const std::map<std::string, std::string>& variables = {}) {
  auto parsed = parse(arguments, variables);
  if (!parsed) FAIL(parsed.error().message());
  return parsed->options;
}

std::string error_of(const Arguments& arguments, const std::map<std::string, std::string>& variables = {}) {
  auto parsed = parse(arguments, variables);
  return parsed ? "no error" : parsed.error().message();
}

}  // namespace

TEST_CASE("P7: without arguments the defaults are those of Options, and of zap's development mode") {
  auto options = options_of({});

  CHECK(options.sync_period == Options().sync_period);
  CHECK(options.webhook_secret == Options().webhook_secret);
  CHECK_FALSE(options.metrics_secure.has_value());
  CHECK(options.log.development);
  CHECK(options.log.encoder == LogOptions::Encoder::kConsole);
  CHECK(options.log.verbosity == 1);
}

// docs/reference/flags.md, which a test compares with the table, has the texts.
TEST_CASE("the default text of every flag is a value of the flag") {
  for (const auto& flag : keelson::program::flag_table()) {
    INFO(flag.name);
    if (!flag.default_text.empty()) {
      CHECK(error_of({"--" + std::string(flag.name) + "=" + flag.default_text}) == "no error");
    }
  }
}

TEST_CASE("every flag reaches its option") {
  auto options =
      options_of({"--kubeconfig=/k", "--controllers", "memcached,-cronjob", "--watch-namespaces=b, a,,b",
                  "--max-concurrent-reconciles=0x10", "--sync-period=1h15m30.918s", "--graceful-shutdown-timeout",
                  "-1s", "--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:0", "--enable-http2"});

  CHECK(options.kubeconfig == "/k");
  CHECK(options.controllers == "memcached,-cronjob");
  CHECK(options.watch_namespaces == Arguments{"a", "b"});
  CHECK(options.max_concurrent_reconciles == 16);
  CHECK(options.sync_period == 1h + 15min + 30918ms);
  CHECK(options.graceful_shutdown_timeout == -1s);
  CHECK(options.metrics_bind_address == "0");
  CHECK(options.health_probe_bind_address == "127.0.0.1:0");
  CHECK(options.enable_http2);
}

TEST_CASE(
    "flags have Go's syntax: one dash or two, a value after = or as the next word, and the last of repeated flags "
    "wins") {
  CHECK(options_of({"-kubeconfig", "a"}).kubeconfig == "a");
  CHECK(options_of({"-kubeconfig=a=b"}).kubeconfig == "a=b");
  CHECK(options_of({"--kubeconfig="}).kubeconfig.empty());
  CHECK(options_of({"--kubeconfig", "-x"}).kubeconfig == "-x");
  CHECK(options_of({"--kubeconfig", "--"}).kubeconfig == "--");
  CHECK(options_of({"--kubeconfig=a", "-kubeconfig=b"}).kubeconfig == "b");
  CHECK(options_of({"--metrics-addr=:1", "--metrics-bind-address=:2"}).metrics_bind_address == ":2");
  CHECK(options_of({"--metrics-bind-address=:2", "--metrics-addr=:1"}).metrics_bind_address == ":1");
}

TEST_CASE("the flag --metrics-secure has a third state: not given") {
  CHECK(options_of({"--metrics-secure"}).metrics_secure == true);
  CHECK(options_of({"--metrics-secure=false"}).metrics_secure == false);
  CHECK(options_of({"--metrics-secure", "--metrics-secure=f"}).metrics_secure == false);
  CHECK(options_of({}).metrics_secure == std::nullopt);
}

TEST_CASE("the metrics certificate is named by folder and files") {
  auto options = options_of({"--metrics-cert-path=/certs", "--metrics-cert-name", "a.crt", "--metrics-cert-key=a.key"});

  CHECK(options.metrics_cert_path == "/certs");
  CHECK(options.metrics_cert_name == "a.crt");
  CHECK(options.metrics_cert_key == "a.key");
}

TEST_CASE("bools take no separate argument and have Go's twelve spellings") {
  for (const char* text : {"1", "t", "T", "TRUE", "true", "True"}) {
    CHECK(options_of({std::string("--enable-http2=") + text}).enable_http2);
  }
  for (const char* text : {"0", "f", "F", "FALSE", "false", "False"}) {
    CHECK_FALSE(options_of({"--enable-http2", std::string("--enable-http2=") + text}).enable_http2);
  }
  CHECK(options_of({"--enable-http2", "false"}).enable_http2);
}

TEST_CASE("parsing ends at -- and at the first word that is not a flag") {
  struct Row {
    Arguments arguments;
    Arguments rest;
  };
  const Row rows[] = {{{"a", "--enable-http2"}, {"a", "--enable-http2"}},
                      {{"--", "--enable-http2"}, {"--enable-http2"}},
                      {{"-"}, {"-"}},
                      {{""}, {""}},
                      {{"--enable-http2"}, {}},
                      {{"--kubeconfig=a", "version", "x"}, {"version", "x"}}};
  for (const auto& row : rows) {
    auto parsed = parse(row.arguments);
    REQUIRE(parsed.has_value());
    CHECK(parsed->rest == row.rest);
  }
}

TEST_CASE("help has four spellings, and the arguments after it do not matter") {
  for (const char* text : {"-h", "--h", "-help", "--help", "--help=3"}) {
    auto parsed = parse({"--enable-http2", text, "--nonsense"});
    REQUIRE(parsed.has_value());
    CHECK(parsed->help);
  }
  CHECK_FALSE(parse({})->help);
}

TEST_CASE("the flag --version works anywhere among the flags") {
  for (const char* text : {"-version", "--version"}) {
    auto parsed = parse({"--enable-http2", text, "--nonsense"});
    REQUIRE(parsed.has_value());
    CHECK(parsed->version);
    CHECK_FALSE(parsed->help);
  }
  CHECK_FALSE(parse({})->version);
  CHECK_FALSE(parse({"--kubeconfig", "--version"})->version);
}

TEST_CASE("an invalid command line gives Go's message") {
  struct Row {
    Arguments arguments;
    const char* message;
  };
  const Row rows[] = {
      {{"--kubeconfig"}, "flag needs an argument: -kubeconfig"},
      {{"-x"}, "flag provided but not defined: -x"},
      {{"--x=3"}, "flag provided but not defined: -x"},
      {{"--leader-election"}, "flag provided but not defined: -leader-election\ndid you mean --leader-elect?"},
      {{"--kubeconfg=a"}, "flag provided but not defined: -kubeconfg\ndid you mean --kubeconfig?"},
      {{"--metric-bind-address", "0"},
       "flag provided but not defined: -metric-bind-address\ndid you mean --metrics-bind-address?"},
      {{"---a"}, "bad flag syntax: ---a"},
      {{"--=a"}, "bad flag syntax: --=a"},
      {{"-=a"}, "bad flag syntax: -=a"},
      {{"--enable-http2=yes"}, "invalid boolean value \"yes\" for -enable-http2: parse error"},
      {{"--zap-devel="}, "invalid boolean value \"\" for -zap-devel: parse error"},
      {{"--metrics-bind-address=:99999"},
       "invalid value \":99999\" for flag -metrics-bind-address: must be HOST:PORT or :PORT with a port up to 65535, "
       "or "
       "0 to disable the server"},
      {{"--metrics-addr=8080"},
       "invalid value \"8080\" for flag -metrics-addr: must be HOST:PORT or :PORT with a port up to 65535, or 0 to "
       "disable the server"},
      {{"--health-probe-bind-address=foo"},
       "invalid value \"foo\" for flag -health-probe-bind-address: must be HOST:PORT or :PORT with a port up to 65535, "
       "or 0 to disable the server"},
      {{"--pprof-bind-address", "[::1"},
       "invalid value \"[::1\" for flag -pprof-bind-address: must be HOST:PORT or :PORT with a port up to 65535, or 0 "
       "to "
       "disable the server"},
      {{"--sync-period", "3"}, "invalid value \"3\" for flag -sync-period: parse error"},
      {{"--sync-period", "-1s"}, "invalid value \"-1s\" for flag -sync-period: must not be negative"},
      {{"--graceful-shutdown-timeout=x\n"}, "invalid value \"x\\n\" for flag -graceful-shutdown-timeout: parse error"},
      {{"--max-concurrent-reconciles=99999999999999999999"},
       "invalid value \"99999999999999999999\" for flag -max-concurrent-reconciles: value out of range"},
      {{"--max-concurrent-reconciles=0"},
       "invalid value \"0\" for flag -max-concurrent-reconciles: must be between 1 and 1000"},
      {{"--max-concurrent-reconciles=1001"},
       "invalid value \"1001\" for flag -max-concurrent-reconciles: must be between 1 and 1000"},
      {{"--watch-namespaces=a,B"}, "invalid value \"a,B\" for flag -watch-namespaces: invalid namespace name \"B\""},
      {{"--zap-encoder=xml"}, "invalid value \"xml\" for flag -zap-encoder: invalid encoder value \"xml\""},
      {{"--zap-log-level=warn"}, "invalid value \"warn\" for flag -zap-log-level: invalid log level \"warn\""},
      {{"--zap-stacktrace-level=warn"},
       "invalid value \"warn\" for flag -zap-stacktrace-level: invalid stacktrace level \"warn\""},
      {{"--zap-time-encoding=nano"},
       "invalid value \"nano\" for flag -zap-time-encoding: invalid time-encoding value \"nano\""}};
  for (const auto& row : rows) CHECK(error_of(row.arguments) == row.message);
}

TEST_CASE(
    "P1: leader election has the flags and defaults of a kubebuilder project, and the durations of "
    "controller-runtime") {
  auto defaults = options_of({});
  CHECK_FALSE(defaults.leader_elect);
  CHECK(defaults.leader_election_id == "keelson-manager");
  CHECK(defaults.leader_election_namespace.empty());
  CHECK(defaults.leader_timing.lease_duration == 15s);
  CHECK(defaults.leader_timing.renew_deadline == 10s);
  CHECK(defaults.leader_timing.retry_period == 2s);

  auto given = options_of({"--enable-leader-election", "--leader-election-id=id", "--leader-election-namespace=ns",
                           "--leader-elect-lease-duration=9s", "--leader-elect-renew-deadline=6s",
                           "--leader-elect-retry-period=3s"});
  CHECK(given.leader_elect);
  CHECK(given.leader_election_id == "id");
  CHECK(given.leader_election_namespace == "ns");
  CHECK(given.leader_timing.lease_duration == 9s);
  CHECK(given.leader_timing.renew_deadline == 6s);
  CHECK(given.leader_timing.retry_period == 3s);
  CHECK(options_of({"--leader-elect"}).leader_elect);
}

TEST_CASE("a dry run logs every line, also without --zap-devel") {
  CHECK_FALSE(options_of({}).dry_run);
  const auto options = options_of({"--dry-run", "--zap-devel=false"});
  CHECK(options.dry_run);
  CHECK(options.log.development);
  CHECK(options.log.encoder == LogOptions::Encoder::kJson);
  CHECK_FALSE(options_of({"--dry-run=false", "--zap-devel=false"}).log.development);
}

TEST_CASE("contradicting durations are rejected with leader election") {
  auto rejection = error_of({"--leader-elect", "--leader-elect-lease-duration=10s"});
  CHECK(rejection.starts_with("leaseDuration must be greater than renewDeadline: raise --leader-elect-lease-duration"));
  CHECK(error_of({"--leader-elect", "--leader-election-id="}) ==
        "LeaderElectionID must be configured: give --leader-election-id");
  CHECK(error_of({"--leader-elect-lease-duration=10s"}) == "no error");
}

TEST_CASE("WATCH_NAMESPACE is used if no flag sets the namespaces") {
  CHECK(options_of({}, {{"WATCH_NAMESPACE", "b,a"}}).watch_namespaces == Arguments{"a", "b"});
  CHECK(options_of({}, {{"WATCH_NAMESPACE", ""}}).watch_namespaces.empty());
  CHECK(options_of({"--watch-namespaces=c"}, {{"WATCH_NAMESPACE", "b"}}).watch_namespaces == Arguments{"c"});
  CHECK(options_of({"--watch-namespaces="}, {{"WATCH_NAMESPACE", "b"}}).watch_namespaces.empty());
  CHECK(error_of({}, {{"WATCH_NAMESPACE", "a_b"}}) ==
        "invalid value \"a_b\" of the environment variable WATCH_NAMESPACE: invalid namespace name \"a_b\"");
}

TEST_CASE("the zap flags give controller-runtime's log options") {
  using Encoder = LogOptions::Encoder;
  struct Row {
    Arguments arguments;
    bool development;
    Encoder encoder;
    int verbosity;
  };
  const Row rows[] = {{{"--zap-devel=false"}, false, Encoder::kJson, 0},
                      {{"--zap-devel"}, true, Encoder::kConsole, 1},
                      {{"--zap-devel=false", "--zap-encoder=Console"}, false, Encoder::kConsole, 0},
                      {{"--zap-encoder=JSON"}, true, Encoder::kJson, 1},
                      {{"--zap-log-level=Debug", "--zap-devel=false"}, false, Encoder::kJson, 1},
                      {{"--zap-log-level=info"}, true, Encoder::kConsole, 0},
                      {{"--zap-log-level=error"}, true, Encoder::kConsole, -1},
                      {{"--zap-log-level=panic"}, true, Encoder::kConsole, -2},
                      {{"--zap-log-level=5"}, true, Encoder::kConsole, 5},
                      {{"--zap-log-level=+5"}, true, Encoder::kConsole, 5},
                      {{"--zap-log-level=200"}, true, Encoder::kConsole, 200}};
  for (const auto& row : rows) {
    INFO(row.arguments.front());
    auto log = options_of(row.arguments).log;
    CHECK(log.development == row.development);
    CHECK(log.encoder == row.encoder);
    CHECK(log.verbosity == row.verbosity);
  }
}

TEST_CASE("log levels that zap's flag rejects are rejected") {
  for (const char* text : {"0", "-1", "-0", "", "1x", "1.5", "0x1", "1_0", "99999999999", "warn", "fatal", "+-1"}) {
    CHECK(error_of({std::string("--zap-log-level=") + text}) != "no error");
  }
}

TEST_CASE("time encodings are accepted in upper and lower case") {
  using Encoding = LogOptions::TimeEncoding;
  const std::pair<const char*, Encoding> rows[] = {
      {"epoch", Encoding::kEpoch},     {"millis", Encoding::kMillis},   {"Nanos", Encoding::kNanos},
      {"ISO8601", Encoding::kIso8601}, {"rfc3339", Encoding::kRfc3339}, {"rfc3339nano", Encoding::kRfc3339Nano}};
  for (const auto& [text, encoding] : rows) {
    CHECK(options_of({"--zap-time-encoding", text}).log.time_encoding == encoding);
  }
}

TEST_CASE("flags without an effect are logged with a line each") {
  CHECK(compatibility_notices(options_of({})).empty());
  CHECK(compatibility_notices(options_of({"--enable-http2", "--zap-stacktrace-level=error"})).size() == 2);
  CHECK(compatibility_notices(options_of({"--enable-http2=false"})).empty());
}

TEST_CASE("an operator's own flags are parsed by their types, with Go's errors") {
  using keelson::controller::FlagValue;
  using keelson::controller::make_flag;
  const keelson::program::Syntax own{
      {},
      {make_flag<std::int64_t>("jazz-seed", std::monostate{}, "Seed of the song."),
       make_flag<std::string>("key", std::string("c"), "Key."), make_flag<bool>("live", false, "Live."),
       make_flag<std::chrono::nanoseconds>("pause", std::chrono::nanoseconds(5s), "Pause."),
       make_flag<std::vector<std::string>>("players", std::vector<std::string>{}, "Players.")},
      {}};
  auto parse = [&own](const Arguments& arguments) { return keelson::program::parse_flags(arguments, nullptr, own); };

  auto given = parse({"--jazz-seed", "-7", "--key=d", "--live", "--pause=1m30s", "--players", "ann, bob"});
  REQUIRE(given.has_value());
  const auto& values = given->options.own_flags;
  CHECK(values.at("jazz-seed") == FlagValue(std::int64_t{-7}));
  CHECK(values.at("key") == FlagValue(std::string("d")));
  CHECK(values.at("live") == FlagValue(true));
  CHECK(values.at("pause") == FlagValue(std::chrono::nanoseconds(90s)));
  CHECK(values.at("players") == FlagValue(std::vector<std::string>{"ann", "bob"}));
  CHECK(parse({})->options.own_flags.empty());
  CHECK(parse({"--jazz-seed=x"}).error().text == "invalid value \"x\" for flag -jazz-seed: parse error");
  CHECK(parse({"--live=maybe"}).error().text == "invalid boolean value \"maybe\" for -live: parse error");
  CHECK(parse({"--pause=5"}).error().text == "invalid value \"5\" for flag -pause: parse error");
  CHECK(parse({"--jaz-seed=1"}).error().text == "flag provided but not defined: -jaz-seed\ndid you mean --jazz-seed?");
  CHECK(error_of({"--jazz-seed=1"}).starts_with("flag provided but not defined: -jazz-seed"));
}

TEST_CASE("an operator's own flag with an invalid name, or one that is taken, is a Misuse with the fix") {
  using keelson::controller::make_flag;
  const auto mistake = [](std::vector<std::string> names) -> std::string {
    keelson::program::Syntax syntax;
    for (const auto& name : names) syntax.flags.push_back(make_flag<bool>(name, false, ""));
    try {
      keelson::program::check_syntax(syntax);
    } catch (const keelson::base::Misuse& misuse) {
      return misuse.what();
    }
    return "none";
  };

  CHECK(mistake({"live", "loud"}) == "none");
  CHECK(mistake({"kubeconfig"}) ==
        "the flag --kubeconfig is built in: give this one another name, for example \"my-kubeconfig\"");
  CHECK(mistake({"help"}).starts_with("the flag --help is built in"));
  CHECK(mistake({"config"}).starts_with("the flag --config is built in"));
  CHECK(mistake({"live", "live"}).starts_with("the flag --live is declared twice"));
  for (const auto* name : {"", "-live", "Live", "a b", "a=b"}) {
    CHECK(mistake({name}).starts_with("invalid flag name"));
  }
}

TEST_CASE("the names of an operator's lease and webhook objects follow from its name") {
  const keelson::program::Syntax syntax{keelson::kube::OperatorName("greeter"), {}, {}};
  const auto parsed = keelson::program::parse_flags({}, nullptr, syntax);
  REQUIRE(parsed);
  const auto& options = parsed->options;

  CHECK(options.leader_election_id == "greeter-manager");
  CHECK(options.webhook_service_name == "greeter-webhook-service");
  CHECK(options.webhook_secret == "greeter-webhook-server-cert");
  CHECK(options.webhook_mutating_configuration == "greeter-mutating-webhook-configuration");
  CHECK(options.webhook_validating_configuration == "greeter-validating-webhook-configuration");
  CHECK(keelson::program::usage("manager", syntax).find("(default \"greeter-manager\")") != std::string::npos);
  CHECK(keelson::program::usage("manager", syntax).find("keelson-") == std::string::npos);
  CHECK(keelson::program::usage("manager").find("(default \"keelson-manager\")") != std::string::npos);
}

TEST_CASE("a webhook URL is an https URL, and has a certificate of its own") {
  CHECK(options_of({"--webhook-url=https://192.168.1.7:9443"}).webhook_url == "https://192.168.1.7:9443");
  CHECK(error_of({"--webhook-url=http://laptop"}).find("such as https://192.168.1.7:9443") != std::string::npos);
  CHECK(error_of({"--webhook-url=https://laptop", "--webhook-self-signed"}) ==
        "--webhook-url creates its own certificate: remove --webhook-self-signed, --webhook-cert-path and "
        "--webhook-client-ca");
}
