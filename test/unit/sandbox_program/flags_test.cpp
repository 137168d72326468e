#include "src/sandbox_program/flags.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox_program {
namespace {

using Action = CommandLine::Action;
using namespace std::chrono_literals;

std::string error_of(const std::vector<std::string>& arguments) {
  auto line = parse_command_line(arguments);
  return line ? "accepted" : line.error().text;
}

TEST_CASE("without arguments the server uses a free port of the loopback interface and runs controllers") {
  auto line = parse_command_line({});

  REQUIRE(line);
  CHECK(line->action == Action::kServe);
  CHECK(line->settings.port == 0);
  CHECK(line->settings.bind_address == "127.0.0.1");
  CHECK(line->settings.kubeconfig_out.empty());
  CHECK(line->settings.token.empty());
  CHECK(line->settings.has_controllers);
  CHECK_FALSE(line->settings.ignores_rules);
  CHECK(line->settings.pod_start == 300ms);
  CHECK(line->settings.speed == 1);
}

TEST_CASE("every flag is accepted in each of its spellings") {
  auto line = parse_command_line({"--port=6443", "--bind-address", "::1", "-kubeconfig-out=k", "--data", "d", "-token",
                                  "a.b-C_1~+/=", "--ignore-cel", "--no-controllers", "--pod-start=1m2s", "--speed=2.5",
                                  "--audit-log=a"});

  REQUIRE(line);
  CHECK(line->settings.port == 6443);
  CHECK(line->settings.bind_address == "::1");
  CHECK(line->settings.kubeconfig_out == "k");
  CHECK(line->settings.data == "d");
  CHECK(line->settings.audit_log == "a");
  CHECK(line->settings.token == "a.b-C_1~+/=");
  CHECK(line->settings.ignores_rules);
  CHECK_FALSE(line->settings.has_controllers);
  CHECK(line->settings.pod_start == 62s);
  CHECK(line->settings.speed == 2.5);
  CHECK(parse_command_line({"--no-controllers=false"})->settings.has_controllers);
}

TEST_CASE("run takes the words after two dashes as the command, including the command's flags") {
  auto line = parse_command_line({"run", "--speed", "60", "--", "go", "test", "--", "./..."});

  REQUIRE(line);
  CHECK(line->action == Action::kRun);
  CHECK(line->settings.speed == 60);
  CHECK(line->words == std::vector<std::string>{"go", "test", "--", "./..."});
  CHECK(parse_command_line({"--port=1", "run", "--", "--help"})->words == std::vector<std::string>{"--help"});
}

TEST_CASE("help and version override other flags, at any place before the command") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"help"}, {"--port=1", "-help"}, {"run", "--help"}, {"run", "-h", "--", "x"}}) {
    REQUIRE(parse_command_line(arguments));
    CHECK(parse_command_line(arguments)->action == Action::kHelp);
  }
  CHECK(parse_command_line({"--version"})->action == Action::kVersion);
  auto version = parse_command_line({"version", "--licenses"});
  CHECK(version->action == Action::kVersion);
  CHECK(version->words == std::vector<std::string>{"--licenses"});
}

TEST_CASE("an error has the flag, its value, and a valid value") {
  struct Row {
    std::vector<std::string> arguments;
    std::string expected;
  };
  const std::string kPort = ": give a number from 0 to 65535; 0 picks a free port";
  const std::string kAddress =
      ": give an IP address of this machine, for example 127.0.0.1, or 0.0.0.0 for all of them";
  const std::string kStart = ": give a duration from 0s to 24h, for example 300ms or 2s";
  const std::string kSpeed =
      ": give a number from 0.001 to 10000, for example 60: a minute of the controllers passes in a second";
  const std::string kToken = ": give 1 to 16384 letters, digits and -._~+/=, or leave the flag out for a random token";
  const Row rows[] = {
      {{"--port", "65536"}, "--port cannot be \"65536\"" + kPort},
      {{"--port=-1"}, "--port cannot be \"-1\"" + kPort},
      {{"--port=80x"}, "--port cannot be \"80x\"" + kPort},
      {{"--port="}, "--port cannot be \"\"" + kPort},
      {{"--port"}, "--port needs a value: write --port=N"},
      {{"--bind-address=localhost"}, "--bind-address cannot be \"localhost\"" + kAddress},
      {{"--bind-address=1.2.3"}, "--bind-address cannot be \"1.2.3\"" + kAddress},
      {{"--kubeconfig-out="},
       "--kubeconfig-out cannot be \"\": give the path of a file, or leave the flag out for one in a private folder"},
      {{"--token="}, "--token cannot be this text" + kToken},
      {{"--token", "a b"}, "--token cannot be this text" + kToken},
      {{"--token=\"\n"}, "--token cannot be this text" + kToken},
      {{"--no-controllers=maybe"}, "--no-controllers cannot be \"maybe\": give true or false, or the flag alone"},
      {{"--pod-start=-1s"}, "--pod-start cannot be \"-1s\"" + kStart},
      {{"--pod-start=5"}, "--pod-start cannot be \"5\"" + kStart},
      {{"--pod-start=25h"}, "--pod-start cannot be \"25h\"" + kStart},
      {{"--speed=0"}, "--speed cannot be \"0\"" + kSpeed},
      {{"--speed=0.0009"}, "--speed cannot be \"0.0009\"" + kSpeed},
      {{"--speed=nan"}, "--speed cannot be \"nan\"" + kSpeed},
      {{"--speed=10001"}, "--speed cannot be \"10001\"" + kSpeed},
      {{"--speed=fast"}, "--speed cannot be \"fast\"" + kSpeed},
      {{"--pod-strat=1s"}, "unknown flag --pod-strat: did you mean --pod-start?"},
      {{"--storage=x.db"}, "unknown flag --storage"},
      {{"--data="}, "--data cannot be \"\": give the path of a file, or leave the flag out to store nothing"},
      {{"ruin", "--", "x"}, "unexpected argument \"ruin\": did you mean run?"},
      {{"kubectl"},
       "unexpected argument \"kubectl\": to run a command against the server, write keelson-sandbox run [flags] -- "
       "COMMAND..."},
      {{"run", "kubectl", "get"},
       "unexpected argument \"kubectl\": separate the command by two dashes: keelson-sandbox run [flags] -- kubectl"},
      {{"run"}, "run needs a command: write it after two dashes: keelson-sandbox run [flags] -- COMMAND..."},
      {{"run", "--"}, "run needs a command: write it after two dashes: keelson-sandbox run [flags] -- COMMAND..."},
      {{"run", "--speed=0", "--", "x"}, "--speed cannot be \"0\"" + kSpeed},
  };

  for (const auto& row : rows) CHECK(error_of(row.arguments) == row.expected);
  CHECK(error_of({"--token", std::string(16385, 'x')}).ends_with(kToken));
}

TEST_CASE("the help names every flag") {
  for (const char* flag : {"--bind-address IP", "--data FILE", "--ignore-cel\n", "--kubeconfig-out FILE",
                           "--no-controllers\n", "--pod-start DURATION", "--port N", "--speed N", "--token TOKEN",
                           "--help", "--version", "run [flags] -- COMMAND..."}) {
    INFO(flag);
    CHECK(usage().find(flag) != std::string::npos);
  }
}

TEST_CASE("chaos is parsed into its parts, and an error names the wrong part") {
  auto line = parse_command_line({"--chaos", "seed=7,500=5%"});
  REQUIRE(line);
  CHECK(line->settings.chaos.seed == 7);
  CHECK(line->settings.chaos.internal_errors == 0.05);

  auto wrong = parse_command_line({"--chaos=seed=x"});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().text == "--chaos cannot be \"seed=x\": \"seed=x\": give a number of at most 20 digits");
}

TEST_CASE("the authorization mode has the names of Kubernetes, too") {
  for (const char* value : {"rbac", "RBAC"}) {
    auto line = parse_command_line({"--authorization", value});
    REQUIRE(line);
    CHECK(line->settings.authorization == sandbox::Authorization::kRbac);
  }
  for (const char* value : {"always-allow", "AlwaysAllow"}) {
    auto line = parse_command_line({"--authorization", value});
    REQUIRE(line);
    CHECK(line->settings.authorization == sandbox::Authorization::kAlwaysAllow);
  }
  auto wrong = parse_command_line({"--authorization=none"});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().text == "--authorization cannot be \"none\": give always-allow or rbac");
}

}  // namespace
}  // namespace keelson::sandbox_program
