#include <array>
#include <chrono>
#include <cstdlib>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cron/zone.hpp"
#include "src/cel/functions.hpp"
#include "src/cel/time_values.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
constexpr std::int64_t kNanosOfSecond = 1'000'000'000;
constexpr std::int64_t kSecondsOfDay = 86'400;

struct CivilTime {
  std::chrono::year_month_day date;
  std::int64_t second_of_day = 0;
  std::chrono::sys_days day;
  std::int32_t nanoseconds = 0;
};

CivilTime civil(const Value& timestamp) {
  auto days = timestamp.integer() / kSecondsOfDay;
  auto rest = timestamp.integer() % kSecondsOfDay;
  if (rest < 0) {
    rest += kSecondsOfDay;
    --days;
  }
  const std::chrono::sys_days day{std::chrono::days(days)};
  return {std::chrono::year_month_day(day), rest, day, timestamp.nanoseconds()};
}

// ".5" of 500,000,000: without zeros at the end, and empty for zero.
std::string fraction_text(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "";
  const auto digits = std::to_string(nanoseconds);
  const auto text = "." + std::string(9 - digits.size(), '0') + digits;
  return text.substr(0, text.find_last_not_of('0') + 1);
}

// Go's time.LoadLocation, or hours and minutes: "Europe/Berlin", "-01:30". An error value for other texts.
Value zone_offset(const std::string& zone, std::int64_t time) {
  const auto colon = zone.find(':');
  if (colon == std::string::npos) {
    const auto found = cron::Zone::find(zone);
    if (!found) return Value::error(found.error().text);
    return Value::of_int(found->offset_at(std::chrono::sys_seconds(std::chrono::seconds(time))).count());
  }
  std::array<std::int64_t, 2> numbers{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto text = i == 0 ? zone.substr(0, colon) : zone.substr(colon + 1);
    const bool has_plus = text.starts_with('+');
    const auto number = base::parse_number<std::int32_t>(std::string_view(text).substr(has_plus ? 1 : 0));
    if (!number) return Value::error("strconv.Atoi: parsing " + base::quote_go(text) + ": invalid syntax");
    numbers[i] = *number;
  }
  const auto minutes = numbers[0] * 60 + (zone[0] == '-' ? -numbers[1] : numbers[1]);
  return Value::of_int(minutes * 60);
}

// A part of a time, in UTC or in the zone of the second argument.
template <std::int64_t (*kPart)(const CivilTime&)>
Value part_of_time(const Values& a, Budget&) {
  if (a.size() == 1) return Value::of_int(kPart(civil(a[0])));
  auto offset = zone_offset(a[1].text(), a[0].integer());
  if (offset.is_error()) return offset;
  return Value::of_int(kPart(civil(Value::of_timestamp(a[0].integer() + offset.integer(), a[0].nanoseconds()))));
}

std::int64_t day_number(const CivilTime& time) { return static_cast<unsigned>(time.date.day()); }
std::int64_t year(const CivilTime& time) { return static_cast<int>(time.date.year()); }
std::int64_t month(const CivilTime& time) { return static_cast<std::int64_t>(unsigned{time.date.month()}) - 1; }
std::int64_t day_of_month(const CivilTime& time) { return day_number(time) - 1; }
std::int64_t day_of_week(const CivilTime& time) { return std::chrono::weekday(time.day).c_encoding(); }
std::int64_t day_of_year(const CivilTime& time) {
  return (time.day - std::chrono::sys_days(time.date.year() / 1 / 1)).count();
}
std::int64_t hour(const CivilTime& time) { return time.second_of_day / 3600; }
std::int64_t minute(const CivilTime& time) { return time.second_of_day / 60 % 60; }
std::int64_t second(const CivilTime& time) { return time.second_of_day % 60; }
std::int64_t millisecond(const CivilTime& time) { return time.nanoseconds / 1'000'000; }

template <std::int64_t kNanosOfUnit>
Value units_of(const Values& a, Budget&) {
  return Value::of_int(a[0].integer() / kNanosOfUnit);
}
}  // namespace

Value parse_timestamp_value(std::string_view text) {
  const auto time = base::parse_rfc3339(text);
  if (!time) return Value::error("parsing time " + base::quote_go(text) + " as \"2006-01-02T15:04:05Z07:00\"");
  return Value::of_timestamp(time->second.time_since_epoch().count(),
                             static_cast<std::int32_t>(time->fraction.count()));
}

Value parse_duration_value(std::string_view text) {
  auto parsed = base::parse_go_duration(text);
  return parsed ? Value::of_duration(parsed->count()) : Value::error(parsed.error().text);
}

std::string timestamp_text(const Value& timestamp) {
  auto text = base::format_rfc3339(std::chrono::sys_seconds(std::chrono::seconds(timestamp.integer())));
  text.insert(text.size() - 1, fraction_text(timestamp.nanoseconds()));
  return text;
}

std::string duration_text(const Value& duration) {
  const auto nanos = duration.integer();
  return (nanos < 0 ? "-" : "") + std::to_string(std::abs(nanos / kNanosOfSecond)) +
         fraction_text(std::abs(nanos % kNanosOfSecond)) + "s";
}

std::vector<Signature> time_signatures() {
  std::vector<Signature> all{
      {"getHours", true, "D", "i", units_of<3600 * kNanosOfSecond>},
      {"getMinutes", true, "D", "i", units_of<60 * kNanosOfSecond>},
      {"getSeconds", true, "D", "i", units_of<kNanosOfSecond>},
      {"getMilliseconds", true, "D", "i", units_of<1'000'000>},
  };
  static constexpr std::pair<const char*, Value (*)(const Values&, Budget&)> kParts[] = {
      {"getFullYear", part_of_time<year>},
      {"getMonth", part_of_time<month>},
      {"getDayOfMonth", part_of_time<day_of_month>},
      {"getDate", part_of_time<day_number>},
      {"getDayOfWeek", part_of_time<day_of_week>},
      {"getDayOfYear", part_of_time<day_of_year>},
      {"getHours", part_of_time<hour>},
      {"getMinutes", part_of_time<minute>},
      {"getSeconds", part_of_time<second>},
      {"getMilliseconds", part_of_time<millisecond>}};
  for (const auto& [name, call] : kParts) {
    for (const char* arguments : {"t", "ts"}) all.push_back({name, true, arguments, "i", call});
  }
  return all;
}

}  // namespace keelson::cel
