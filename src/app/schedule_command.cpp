#include "src/app/schedule_command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <functional>
#include <optional>
#include <ostream>
#include <string_view>

#include "keelson/base/go_text.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/rfc3339.hpp"
#include "keelson/base/try.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::app {

namespace {

// The maximum number of runs that `manager schedule` prints: a year has half as many minutes.
constexpr std::uint64_t kScheduleRuns = 1'000'000;

constexpr const char* kArguments = "EXPRESSION [--timezone Z] [--from RFC3339] [--count 5] [--output text|json]";

std::string usage() { return "Usage: manager schedule " + std::string(kArguments) + "\n"; }

struct ScheduleArguments {
  std::string expression;
  std::optional<std::string> timezone;
  std::chrono::sys_seconds from;
  std::uint64_t count = 5;
  bool json = false;
};

Error bad_value(std::string_view flag, const std::string& value, std::string_view reason) {
  return invalid_error("invalid value " + base::quote_go(value) + " for flag -" + std::string(flag) + ": " +
                       std::string(reason));
}

constexpr std::array<std::string_view, 4> kScheduleFlags = {"timezone", "from", "count", "output"};

// `flag` is one of kScheduleFlags.
Result<void> set(ScheduleArguments& arguments, std::string_view flag, const std::string& value) {
  if (flag == "timezone") {
    arguments.timezone = value;
  } else if (flag == "from") {
    const auto time = base::parse_rfc3339(value);
    if (!time) return bad_value(flag, value, "must be of the form 2006-01-02T15:04:05Z");
    arguments.from = time->second;
  } else if (flag == "count") {
    const char* end = value.data() + value.size();
    const auto [read, failure] = std::from_chars(value.data(), end, arguments.count);
    if (value.empty() || failure != std::errc() || read != end || arguments.count > kScheduleRuns) {
      return bad_value(flag, value, "must be a number from 0 to " + std::to_string(kScheduleRuns));
    }
  } else {
    if (value != "text" && value != "json") return bad_value(flag, value, "must be text or json");
    arguments.json = value == "json";
  }
  return {};
}

// True if the expression begins with a time zone, as robfig/cron recognizes it.
bool names_zone(std::string_view expression) {
  return expression.starts_with("TZ=") || expression.starts_with("CRON_TZ=");
}

// The first word is the expression, whatever it begins with. Flags in Go's syntax follow: one or two dashes, the value
// after `=` or as the next argument.
Result<ScheduleArguments> parse(const std::vector<std::string>& words, std::chrono::sys_seconds now) {
  if (words.empty()) return invalid_error("the cron expression is missing");
  ScheduleArguments arguments{.expression = words.front(), .timezone = std::nullopt, .from = now};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with('-')) return invalid_error("unexpected argument: " + words[i] + " (quote the expression)");
    const std::string_view flag = word.substr(word.starts_with("--") ? 2 : 1);
    const std::string_view name = flag.substr(0, flag.find('='));
    if (std::find(kScheduleFlags.begin(), kScheduleFlags.end(), name) == kScheduleFlags.end()) {
      return invalid_error("flag provided but not defined: -" + std::string(name));
    }
    std::string value;
    if (name.size() < flag.size()) {
      value = flag.substr(name.size() + 1);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      return invalid_error("flag needs an argument: -" + std::string(name));
    }
    KEELSON_TRY(set(arguments, name, value));
  }
  if (arguments.timezone && names_zone(arguments.expression)) {
    return invalid_error("two time zones are given: " + arguments.expression.substr(0, arguments.expression.find(' ')) +
                         " in the expression and --timezone " + *arguments.timezone + "; remove one of them");
  }
  return arguments;
}

void for_each_run(const cron::Schedule& schedule, const ScheduleArguments& arguments,
                  const std::function<void(const std::string&)>& tell) {
  auto last = arguments.from;
  for (std::uint64_t i = 0; i < arguments.count; ++i) {
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

}  // namespace

program::Command schedule() {
  return {"schedule", kArguments, "Print when a cron expression fires next.",
          [](const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors) {
            const auto now = std::chrono::sys_seconds(std::chrono::seconds(std::time(nullptr)));
            return schedule_command(arguments, now, out, errors);
          }};
}

int schedule_command(const std::vector<std::string>& arguments, std::chrono::sys_seconds now, std::ostream& out,
                     std::ostream& errors) {
  if (program::asks_for_help(arguments)) {
    out << usage();
    return 0;
  }
  const auto parsed = parse(arguments, now);
  if (!parsed) {
    errors << parsed.error().text << "\n" << usage();
    return program::kUsageError;
  }
  const auto prefix = parsed->timezone ? "TZ=" + *parsed->timezone + " " : std::string();
  const auto schedule = cron::Schedule::parse(prefix + parsed->expression);
  if (!schedule) {
    errors << schedule.error().text << "\n";
    return 1;
  }
  if (parsed->json) {
    out << as_json(*schedule, *parsed) << "\n";
  } else {
    for_each_run(*schedule, *parsed, [&](const std::string& run) { out << run << "\n"; });
  }
  if (!fires_never(*schedule, *parsed)) return 0;
  if (!parsed->json) {
    out << "never: no time within five years after " << cron::format_rfc3339(parsed->from, schedule->zone())
        << " matches the expression\n";
  }
  return 1;
}

}  // namespace keelson::app
