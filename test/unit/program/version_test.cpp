#include "keelson/detail/program/version.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <sstream>
#include <string>

#include "keelson/detail/cron/zone.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/program/operator.hpp"

namespace program = keelson::program;

TEST_CASE("every line of the version has a name and a value") {
  std::istringstream lines(program::version_text());

  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    CAPTURE(line);
    const auto space = line.find(' ');
    REQUIRE(space != std::string::npos);
    CHECK(space > 0);
    REQUIRE(space + 1 < line.size());
    CHECK(std::isalnum(static_cast<unsigned char>(line[space + 1])) != 0);
  }
  CHECK(count == 15);
}

TEST_CASE("the version names every library that is linked") {
  const auto text = program::version_text();

  CAPTURE(text);
  for (const auto* name : {"Boost", "OpenSSL", "RapidJSON", "yaml-cpp", "prometheus-cpp", "spdlog", "fmt", "tzdata",
                           "libstdc++", "glibc"}) {
    CAPTURE(name);
    CHECK(text.find("\n" + std::string(name) + " ") != std::string::npos);
  }
}

TEST_CASE("the version names the edition of the time zones that are in the binary") {
  const auto text = program::version_text();

  CAPTURE(text);
  CHECK(text.find("\ntzdata " + std::string(keelson::cron::zone_edition()) + "\n") != std::string::npos);
}

TEST_CASE("the user agent names the program, its version and its commit") {
  const auto agent = program::user_agent("greeter");

  CAPTURE(agent);
  CHECK(agent.starts_with("greeter/" + program::version() + " (linux/"));
  CHECK(agent.ends_with(") keelson/" + program::commit()));
}

TEST_CASE("an operator's own version precedes that of the library") {
  const auto text = program::version_text("website-operator", {"1.4.0", "abc1234"});

  CHECK(text == "website-operator 1.4.0 (abc1234)\n" + program::version_text());
  CHECK(program::version_text("website-operator", {"1.4.0", ""}).starts_with("website-operator 1.4.0\nkeelson "));
  CHECK(program::version_text("website-operator", {}) == program::version_text());
  // The library's own programs.
  CHECK(program::version_text("keelson", {program::version(), program::commit()}) == program::version_text());
  CHECK(program::user_agent("manager", {"1.4.0", "abc1234"}).starts_with("manager/1.4.0 (linux/"));
}

TEST_CASE("the metric build_info has the operator's name, its version, and the library's") {
  keelson::metrics::Registry registry;
  program::add_build_info(registry, "website-operator", {"1.4.0", "abc1234"});

  const auto text = registry.text();
  CAPTURE(text);
  CHECK(text.find("website_operator_build_info{keelson_version=\"" + program::version() +
                  "\",revision=\"abc1234\",version=\"1.4.0\"} 1\n") != std::string::npos);
}
