// `manager schedule`: its arguments, its two outputs, its exit codes.
#include "src/app/schedule_command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace {

using namespace keelson;

struct Outcome {
  int code;
  std::string out;
  std::string errors;
};

Outcome run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream errors;
  const std::chrono::sys_seconds now = std::chrono::sys_days(std::chrono::year(2024) / 1 / 1);
  const int code = app::schedule_command(arguments, now, out, errors);
  return {code, out.str(), errors.str()};
}

}  // namespace

TEST_CASE("schedule prints the next five runs from now, in UTC") {
  const auto outcome = run({"0 12 * * *"});

  CHECK(outcome.code == 0);
  CHECK(outcome.out ==
        "2024-01-01T12:00:00Z\n2024-01-02T12:00:00Z\n2024-01-03T12:00:00Z\n2024-01-04T12:00:00Z\n"
        "2024-01-05T12:00:00Z\n");
  CHECK(outcome.errors.empty());
}

TEST_CASE("schedule prints JSON with the zone that is used and times in it") {
  const auto outcome =
      run({"30 1 * * *", "--timezone", "Europe/London", "--from=2024-10-27T00:00:00Z", "-count", "2", "--output=json"});

  CHECK(outcome.code == 0);
  CHECK(outcome.out == R"({"schedule":"30 1 * * *","timezone":"Europe/London",)"
                       R"("next":["2024-10-27T01:30:00+01:00","2024-10-27T01:30:00Z"]})"
                       "\n");
  CHECK(run({"TZ=Asia/Tokyo 0 0 * * *", "--output", "json", "--count", "1"}).out ==
        R"({"schedule":"TZ=Asia/Tokyo 0 0 * * *","timezone":"Asia/Tokyo","next":["2024-01-02T00:00:00+09:00"]})"
        "\n");
  CHECK(run({"@hourly", "--output", "json", "--count", "0"}).out ==
        "{\"schedule\":\"@hourly\",\"timezone\":\"UTC\",\"next\":[]}\n");
}

TEST_CASE("schedule prints fewer runs when there are no more") {
  CHECK(run({"0 0 29 2 *", "--from", "2092-02-28T00:00:00Z"}).out == "2092-02-29T00:00:00Z\n2096-02-29T00:00:00Z\n");
}

TEST_CASE("schedule prints never, and exits with 1, for an expression that no date matches") {
  const auto text = run({"0 0 31 2 *"});
  CHECK(text.code == 1);
  CHECK(text.out == "never: no time within five years after 2024-01-01T00:00:00Z matches the expression\n");
  CHECK(text.errors.empty());
  const auto json = run({"0 0 30 2 *", "--output", "json"});
  CHECK(json.code == 1);
  CHECK(json.out == R"({"schedule":"0 0 30 2 *","timezone":"UTC","next":[],"never":true})"
                    "\n");
  CHECK(run({"0 0 31 2 *", "--count", "0"}).code == 1);
  CHECK(run({"0 0 29 2 *", "--count", "0"}).code == 0);
}

TEST_CASE("schedule rejects an invalid expression or zone with the parser's message and exit code 1") {
  const auto check = [](const std::vector<std::string>& arguments, const std::string& text) {
    const auto outcome = run(arguments);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.errors == text + "\n");
  };

  check({"nonsense"}, "expected exactly 5 fields, found 1: [nonsense]");
  check({""}, "empty spec string");
  check({"--count"}, "expected exactly 5 fields, found 1: [--count]");
  check({"-1 * * * *"}, "failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax");
  check({"@daily", "--timezone", "Mars/Base"}, "provided bad location Mars/Base: unknown time zone Mars/Base");
}

TEST_CASE("schedule rejects an invalid command line with exit code 2") {
  const auto check = [](const std::vector<std::string>& arguments, const std::string& text) {
    const auto outcome = run(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.errors.starts_with(text + "\nRun 'manager schedule --help' for usage.\n"));
  };

  check({}, "the cron expression is missing");
  check({"@daily", "--from"}, "flag needs an argument: -from");
  check({"TZ=UTC @daily", "--timezone", "Europe/Rome"},
        "two time zones are given: TZ=UTC in the expression and --timezone Europe/Rome; remove one of them");
  check({"CRON_TZ=UTC @daily", "--timezone=UTC"},
        "two time zones are given: CRON_TZ=UTC in the expression and --timezone UTC; remove one of them");
  check({"@daily", "--fromm=1"}, "flag provided but not defined: -fromm\ndid you mean --from?");
  check({"@daily", "--fromm"}, "flag provided but not defined: -fromm\ndid you mean --from?");
  check({"*", "*", "*", "*", "*"}, "unexpected argument \"*\" (quote the expression)");
  check({"@daily", "--output=yaml"}, "invalid value \"yaml\" for flag -output: must be text or json");
  check({"@daily", "--count=-1"}, "invalid value \"-1\" for flag -count: must be between 0 and 1000000");
  check({"@daily", "--count=1000001"}, "invalid value \"1000001\" for flag -count: must be between 0 and 1000000");
  check({"@daily", "--from=today"}, "invalid value \"today\" for flag -from: must be of the form 2006-01-02T15:04:05Z");
}

TEST_CASE("schedule prints its usage on request and exits with 0") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--help"}, {"-h"}, {"-help"}, {"@daily", "-h"}}) {
    const auto outcome = run(arguments);

    CHECK(outcome.code == 0);
    CHECK(outcome.out.starts_with("Usage: manager schedule EXPRESSION"));
    CHECK(outcome.errors.empty());
  }
}
