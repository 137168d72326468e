#include "src/app/schedule_command.hpp"

#include <ctime>
#include <functional>
#include <optional>
#include <ostream>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/cli/values.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::app {

namespace {

// The maximum number of runs that `manager schedule` prints: a year has half as many minutes.
constexpr std::int64_t kScheduleRuns = 1'000'000;

constexpr cli::Flag kScheduleFlags[] = {
    {"timezone", "Z", "The time zone, as the prefix TZ=Z of the expression sets it."},
    {"from", "RFC3339", "Print the times after this one (default now)."},
    {"count", "N", "How many times to print (default 5)."},
    {"output", "text|json", "The format (default text)."},
};
constexpr cli::Command kSchedule{"schedule", "EXPRESSION", "Print when a cron expression fires next.", kScheduleFlags};

struct ScheduleArguments {
  std::string expression;
  std::optional<std::string> timezone;
  std::chrono::sys_seconds from;
  std::int64_t count = 5;
  bool json = false;
};

// True if the expression begins with a time zone, as robfig/cron recognizes it.
bool names_zone(std::string_view expression) {
  return expression.starts_with("TZ=") || expression.starts_with("CRON_TZ=");
}

Result<ScheduleArguments> parse(const std::string* expression, const cli::Words& words, std::chrono::sys_seconds now) {
  if (expression == nullptr) return invalid_error("the cron expression is missing");
  if (!words.arguments.empty()) {
    return invalid_error(cli::unexpected_argument(words.arguments.front()).text + " (quote the expression)");
  }
  ScheduleArguments arguments{.expression = *expression, .timezone = std::nullopt, .from = now};
  if (const auto* zone = words.given("timezone")) arguments.timezone = *zone;
  if (const auto* from = words.given("from")) {
    const auto time = base::parse_rfc3339(*from);
    if (!time) return cli::invalid_value("from", *from, "must be of the form 2006-01-02T15:04:05Z");
    arguments.from = time->second;
  }
  if (const auto* count = words.given("count")) {
    const auto number = cli::parse_int(*count, 0, kScheduleRuns);
    if (!number) return cli::invalid_value("count", *count, number.error().text);
    arguments.count = *number;
  }
  arguments.json = words.flag("output") == "json";
  if (arguments.timezone && names_zone(arguments.expression)) {
    return invalid_error("two time zones are given: " + arguments.expression.substr(0, arguments.expression.find(' ')) +
                         " in the expression and --timezone " + *arguments.timezone + "; remove one of them");
  }
  return arguments;
}

void for_each_run(const cron::Schedule& schedule, const ScheduleArguments& arguments,
                  const std::function<void(const std::string&)>& tell) {
  auto last = arguments.from;
  for (std::int64_t i = 0; i < arguments.count; ++i) {
    const auto next = schedule.next(last);
    if (!next) return;
    tell(cron::format_rfc3339(*next, schedule.zone()));
    last = *next;
  }
}

// An expression such as "0 0 31 2 *": no date matches, at least not within the time that a search covers.
bool fires_never(const cron::Schedule& schedule, const ScheduleArguments& arguments) {
  return !schedule.next(arguments.from);
}

std::string as_json(const cron::Schedule& schedule, const ScheduleArguments& arguments) {
  json::Writer writer;
  writer.begin_object().field("schedule", arguments.expression).field("timezone", schedule.zone().name());
  writer.key("next").begin_array();
  for_each_run(schedule, arguments, [&](const std::string& run) { writer.string(run); });
  writer.end_array();
  if (fires_never(schedule, arguments)) writer.field("never", true);
  writer.end_object();
  return std::move(writer).take();
}

// Returns the exit code.
int print_runs(const ScheduleArguments& arguments, std::ostream& out, std::ostream& errors) {
  const auto prefix = arguments.timezone ? "TZ=" + *arguments.timezone + " " : std::string();
  const auto schedule = cron::Schedule::parse(prefix + arguments.expression);
  if (!schedule) {
    errors << schedule.error().text << "\n";
    return 1;
  }
  if (arguments.json) {
    out << as_json(*schedule, arguments) << "\n";
  } else {
    for_each_run(*schedule, arguments, [&](const std::string& run) { out << run << "\n"; });
  }
  if (!fires_never(*schedule, arguments)) return 0;
  if (!arguments.json) {
    out << "never: no time within five years after " << cron::format_rfc3339(arguments.from, schedule->zone())
        << " matches the expression\n";
  }
  return 1;
}

}  // namespace

program::Command schedule() {
  auto synopsis = cli::synopsis(kSchedule).substr(kSchedule.name.size() + 1);
  return {std::string(kSchedule.name), std::move(synopsis), std::string(kSchedule.help),
          [](const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors) {
            const auto now = std::chrono::sys_seconds(std::chrono::seconds(std::time(nullptr)));
            return schedule_command(arguments, now, out, errors);
          }};
}

int schedule_command(const std::vector<std::string>& arguments, std::chrono::sys_seconds now, std::ostream& out,
                     std::ostream& errors) {
  // The first word is the expression, whatever it begins with.
  const bool has_expression = !arguments.empty() && !cli::asks_for_help(arguments.front());
  const auto* expression = has_expression ? &arguments.front() : nullptr;
  return cli::run_command({"manager", out, errors}, kSchedule,
                          {arguments.begin() + (has_expression ? 1 : 0), arguments.end()},
                          [&](const cli::Words& words) -> Result<int> {
                            KEELSON_LET(const auto parsed, parse(expression, words, now));
                            return print_runs(parsed, out, errors);
                          });
}

}  // namespace keelson::app
