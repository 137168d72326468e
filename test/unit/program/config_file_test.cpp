#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "keelson/detail/program/flags.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::program {
namespace {

using namespace std::chrono_literals;

Syntax own_flags() {
  using controller::make_flag;
  return {{},
          {make_flag<std::vector<std::string>>("players", std::monostate{}, ""),
           make_flag<std::int64_t>("seed", std::monostate{}, ""), make_flag<std::string>("key", std::monostate{}, "")},
          {}};
}

Result<ParsedFlags> parse(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "--config=/etc/manager.yaml");
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    return name == "WATCH_NAMESPACE" ? std::optional<std::string>("of-environment") : std::nullopt;
  };
  return parse_flags(arguments, environment, own_flags(), [&](const std::string& path) -> Result<std::string> {
    if (path != "/etc/manager.yaml") return invalid_error("another file: " + path);
    return text;
  });
}

std::string error_of(const std::string& text) {
  auto parsed = parse(text);
  return parsed ? "none" : parsed.error().message();
}

TEST_CASE("a file sets flags of every type, built-in ones and those of the operator") {
  const auto parsed = parse(R"(
leader-elect: true
max-concurrent-reconciles: 3
sync-period: 1h30m
metrics-bind-address: 0
"webhook-cert-path": /certificates
watch-namespaces: [b, a]
zap-log-level: 5
players: [ann, bob]
seed: -7
key: "1.10"
)");
  REQUIRE(parsed);
  const auto& options = parsed->options;

  CHECK(options.leader_elect);
  CHECK(options.max_concurrent_reconciles == 3);
  CHECK(options.sync_period == 90min);
  CHECK(options.metrics_bind_address == "0");
  CHECK(options.webhook_cert_path == "/certificates");
  CHECK(options.watch_namespaces == std::vector<std::string>{"a", "b"});
  CHECK(options.log.verbosity == 5);
  CHECK(options.own_flags.at("players") == controller::FlagValue(std::vector<std::string>{"ann", "bob"}));
  CHECK(options.own_flags.at("seed") == controller::FlagValue(std::int64_t{-7}));
  CHECK(options.own_flags.at("key") == controller::FlagValue(std::string("1.10")));
}

TEST_CASE("a flag on the command line takes precedence over the file, and the file over the environment") {
  const auto parsed = parse("watch-namespaces: of-file\nseed: 1\nkey: a\n", {"--seed", "2"});
  REQUIRE(parsed);

  CHECK(parsed->options.own_flags.at("seed") == controller::FlagValue(std::int64_t{2}));
  CHECK(parsed->options.own_flags.at("key") == controller::FlagValue(std::string("a")));
  CHECK(parsed->options.watch_namespaces == std::vector<std::string>{"of-file"});
  CHECK(parse("seed: 1\n", {"--watch-namespaces=of-flag"})->options.watch_namespaces ==
        std::vector<std::string>{"of-flag"});
  CHECK(parse("seed: 1\n")->options.watch_namespaces == std::vector<std::string>{"of-environment"});
  CHECK(parse("")->options.own_flags.empty());
}

TEST_CASE("an unknown key is rejected with its line and the nearest name") {
  CHECK(error_of("seed: 1\n\n# a comment\nleader-elct: true\n") ==
        "--config /etc/manager.yaml: line 4: unknown flag \"leader-elct\"\ndid you mean leader-elect?");
  CHECK(error_of("'frobnicate': 1\n") == "--config /etc/manager.yaml: line 1: unknown flag \"frobnicate\"");
  CHECK(error_of("config: other.yaml\n") ==
        "--config /etc/manager.yaml: line 1: config cannot be in the file itself: remove the line");
}

TEST_CASE("a value of the wrong type is rejected with the right form") {
  CHECK(
      error_of("seed: 1\nleader-elect: \"yes\"\n") ==
      "--config /etc/manager.yaml: line 2: leader-elect needs true or false, not \"yes\": write `leader-elect: true`");
  CHECK(error_of("webhook-port: \"9443\"\n") ==
        "--config /etc/manager.yaml: line 1: webhook-port needs an integer, not \"9443\": write `webhook-port: 1`");
  CHECK(error_of("sync-period: 30\n").ends_with("needs a duration as a string, not 30: write `sync-period: 30s`"));
  CHECK(error_of("players: ann\n").ends_with("needs a list of strings, not \"ann\": write `players: [a, b]`"));
  CHECK(error_of("players: [\"a,b\"]\n").ends_with("write `players: [a, b]`"));
  CHECK(error_of("kubeconfig: [a]\n").ends_with("kubeconfig needs a string, not [\"a\"]: write `kubeconfig: \"a\"`"));
  CHECK(error_of("key:\n").ends_with("key needs a string, not null: write `key: \"a\"`"));
  CHECK(error_of("sync-period: soon\n") ==
        "--config /etc/manager.yaml: line 1: invalid value \"soon\" for flag -sync-period: parse error");
  CHECK(error_of("- seed\n").ends_with("must map names of flags to values, for example `leader-elect: true`"));
  CHECK(error_of("a: [\n").starts_with("--config /etc/manager.yaml: "));
}

TEST_CASE("a file that cannot be read, or is too large, is an error with its path") {
  const testing::TemporaryFolder folder;
  const auto fits = folder.write("fits", "seed: 1");
  const auto large = folder.write("large", std::string(limits::kConfigFileBytes + 1, '#'));

  CHECK(read_config_file(fits).value() == "seed: 1");
  CHECK(read_config_file(large).error().text == "the file is larger than 1048576 bytes");
  const auto missing = parse_flags({"--config", folder.file("missing")}, nullptr);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message() == "--config " + folder.file("missing") + ": the file does not exist");
}

}  // namespace
}  // namespace keelson::program
