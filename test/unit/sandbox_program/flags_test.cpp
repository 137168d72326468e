#include "src/sandbox_program/flags.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

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

TEST_CASE("diff-against gets the words after it") {
  auto line = parse_command_line({"diff-against", "kubeconfig", "-f", "a.yaml"});

  REQUIRE(line);
  CHECK(line->action == Action::kDiffAgainst);
  CHECK(line->words == std::vector<std::string>{"kubeconfig", "-f", "a.yaml"});
  CHECK(usage().find("keelson-sandbox diff-against KUBECONFIG --f FILE") != std::string::npos);
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
      {{"--port", "65536"}, "invalid value \"65536\" for flag -port" + kPort},
      {{"--port=-1"}, "invalid value \"-1\" for flag -port" + kPort},
      {{"--port=80x"}, "invalid value \"80x\" for flag -port" + kPort},
      {{"--port="}, "invalid value \"\" for flag -port" + kPort},
      {{"--port"}, "flag needs an argument: -port"},
      {{"--bind-address=localhost"}, "invalid value \"localhost\" for flag -bind-address" + kAddress},
      {{"--bind-address=1.2.3"}, "invalid value \"1.2.3\" for flag -bind-address" + kAddress},
      {{"--kubeconfig-out="},
       "invalid value \"\" for flag -kubeconfig-out: give the path of a file, or leave the flag out"},
      {{"--token="}, "invalid value for flag -token" + kToken},
      {{"--token", "a b"}, "invalid value for flag -token" + kToken},
      {{"--token=\"\n"}, "invalid value for flag -token" + kToken},
      {{"--no-controllers=maybe"}, "invalid boolean value \"maybe\" for -no-controllers: parse error"},
      {{"--pod-start=-1s"}, "invalid value \"-1s\" for flag -pod-start" + kStart},
      {{"--pod-start=5"}, "invalid value \"5\" for flag -pod-start" + kStart},
      {{"--pod-start=25h"}, "invalid value \"25h\" for flag -pod-start" + kStart},
      {{"--speed=0"}, "invalid value \"0\" for flag -speed" + kSpeed},
      {{"--speed=0.0009"}, "invalid value \"0.0009\" for flag -speed" + kSpeed},
      {{"--speed=nan"}, "invalid value \"nan\" for flag -speed" + kSpeed},
      {{"--speed=10001"}, "invalid value \"10001\" for flag -speed" + kSpeed},
      {{"--speed=fast"}, "invalid value \"fast\" for flag -speed" + kSpeed},
      {{"--pod-strat=1s"}, "flag provided but not defined: -pod-strat\ndid you mean --pod-start?"},
      {{"--storage=x.db"}, "flag provided but not defined: -storage"},
      {{"--data="}, "invalid value \"\" for flag -data: give the path of a file, or leave the flag out"},
      {{"ruin", "--", "x"}, "unknown command \"ruin\"\ndid you mean run?"},
      {{"kubectl"},
       "unknown command \"kubectl\"\nto run a command against the server, write keelson-sandbox run [flags] -- "
       "COMMAND..."},
      {{"run", "kubectl", "get"},
       "unexpected argument \"kubectl\": separate the command by two dashes: keelson-sandbox run [flags] -- kubectl"},
      {{"run"}, "run needs a command: write it after two dashes: keelson-sandbox run [flags] -- COMMAND..."},
      {{"run", "--"}, "run needs a command: write it after two dashes: keelson-sandbox run [flags] -- COMMAND..."},
      {{"run", "--speed=0", "--", "x"}, "invalid value \"0\" for flag -speed" + kSpeed},
  };

  for (const auto& row : rows) CHECK(error_of(row.arguments) == row.expected);
  CHECK(error_of({"--token", std::string(16385, 'x')}).ends_with(kToken));
}

TEST_CASE("completion is a command, and its script has the flags of the server for run, too") {
  const auto line = parse_command_line({"completion", "bash"});
  REQUIRE(line);
  CHECK(line->action == Action::kCompletion);

  std::ostringstream out;
  std::ostringstream errors;
  CHECK(complete({"keelson-sandbox", out, errors}, line->words) == 0);
  CHECK(out.str().find("'run '*) flags='audit-log:FILE ") != std::string::npos);
  CHECK(out.str().find("\n    *) flags='audit-log:FILE ") != std::string::npos);
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
  CHECK(wrong.error().text ==
        "invalid value \"seed=x\" for flag -chaos: \"seed=x\": give a number of at most 20 digits");
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
  CHECK(wrong.error().text == "invalid value \"none\" for flag -authorization: give always-allow or rbac");
}

}  // namespace
}  // namespace keelson::sandbox_program
