// The states of flags that /flagz shows.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/program/flags.hpp"

namespace keelson::program {
namespace {

using zpages::FlagSource;
using zpages::FlagState;

FlagState state_of(const ParsedFlags& parsed, std::string_view name) {
  for (const auto& flag : parsed.flags) {
    if (flag.name == name) return flag;
  }
  FAIL("no flag " << name);
  return {};
}

std::optional<std::string> watched_namespaces(const std::string& name) {
  if (name == "WATCH_NAMESPACE") return "b,a";
  return std::nullopt;
}

Result<std::string> file(const std::string&) { return std::string("controllers: cronjob\nleader-elect: true\n"); }

TEST_CASE("the state of each flag has its value and its source") {
  const auto parsed = parse_flags({"--config=f", "--controllers=memcached"}, watched_namespaces, {}, file);

  REQUIRE(parsed.has_value());
  CHECK(state_of(*parsed, "controllers").value == "memcached");
  CHECK(state_of(*parsed, "controllers").default_value == "*");
  CHECK(state_of(*parsed, "controllers").source == FlagSource::kCommandLine);
  CHECK(state_of(*parsed, "leader-elect").value == "true");
  CHECK(state_of(*parsed, "leader-elect").source == FlagSource::kConfigFile);
  CHECK(state_of(*parsed, "watch-namespaces").value == "a,b");
  CHECK(state_of(*parsed, "watch-namespaces").source == FlagSource::kEnvironment);
  CHECK(state_of(*parsed, "sync-period").value == "10h0m0s");
  CHECK(state_of(*parsed, "sync-period").source == FlagSource::kDefault);
}

TEST_CASE("flags whose defaults depend on other flags have the values that take effect") {
  const auto development = parse_flags({}, {});
  const auto production = parse_flags({"--zap-devel=false"}, {});

  REQUIRE((development.has_value() && production.has_value()));
  CHECK(state_of(*development, "zap-encoder").value == "console");
  CHECK(state_of(*development, "zap-log-level").value == "debug");
  CHECK(state_of(*production, "zap-encoder").value == "json");
  CHECK(state_of(*production, "zap-log-level").value == "info");
}

TEST_CASE("only flags of the operator are marked as its own") {
  const auto parsed = parse_flags({"--redis-token=a"}, {},
                                  {.flags = {controller::make_flag<std::string>("redis-token", {}, "The token.")}});

  REQUIRE(parsed.has_value());
  for (const auto& flag : parsed->flags) CHECK(flag.is_own == (flag.name == "redis-token"));
  CHECK(state_of(*parsed, "redis-token").value == "a");
}

}  // namespace
}  // namespace keelson::program
