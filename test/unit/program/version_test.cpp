#include "keelson/program/version.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <sstream>
#include <string>

#include "keelson/cron/zone.hpp"

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
