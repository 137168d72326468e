#include <charconv>
#include <chrono>
#include <optional>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
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
};

CivilTime civil(const Value& timestamp) {
  auto days = timestamp.integer() / kSecondsOfDay;
  auto rest = timestamp.integer() % kSecondsOfDay;
  if (rest < 0) {
    rest += kSecondsOfDay;
    --days;
  }
  const std::chrono::sys_days day{std::chrono::days(days)};
  return {std::chrono::year_month_day(day), rest, day};
}

std::string two(std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

Value year(const Values& a, Budget&) { return Value::of_int(static_cast<int>(civil(a[0]).date.year())); }
Value month(const Values& a, Budget&) {
  return Value::of_int(static_cast<std::int64_t>(static_cast<unsigned>(civil(a[0]).date.month())) - 1);
}
Value day_of_month(const Values& a, Budget&) {
  return Value::of_int(static_cast<std::int64_t>(static_cast<unsigned>(civil(a[0]).date.day())) - 1);
}
Value date(const Values& a, Budget&) {
  return Value::of_int(static_cast<std::int64_t>(static_cast<unsigned>(civil(a[0]).date.day())));
}
Value day_of_week(const Values& a, Budget&) {
  return Value::of_int(static_cast<std::int64_t>(std::chrono::weekday(civil(a[0]).day).c_encoding()));
}
Value day_of_year(const Values& a, Budget&) {
  auto now = civil(a[0]);
  return Value::of_int((now.day - std::chrono::sys_days(now.date.year() / 1 / 1)).count());
}
Value hours(const Values& a, Budget&) {
  if (a[0].is(Kind::kDuration)) return Value::of_int(a[0].integer() / kNanosOfSecond / 3600);
  return Value::of_int(civil(a[0]).second_of_day / 3600);
}
Value minutes(const Values& a, Budget&) {
  if (a[0].is(Kind::kDuration)) return Value::of_int(a[0].integer() / kNanosOfSecond / 60);
  return Value::of_int(civil(a[0]).second_of_day / 60 % 60);
}
Value seconds(const Values& a, Budget&) {
  if (a[0].is(Kind::kDuration)) return Value::of_int(a[0].integer() / kNanosOfSecond);
  return Value::of_int(civil(a[0]).second_of_day % 60);
}
Value milliseconds(const Values& a, Budget&) {
  if (a[0].is(Kind::kDuration)) return Value::of_int(a[0].integer() / 1'000'000 % 1000);
  return Value::of_int(a[0].nanoseconds() / 1'000'000);
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
  auto now = civil(timestamp);
  auto years = std::to_string(static_cast<int>(now.date.year()));
  std::string text = std::string(4 - std::min<std::size_t>(4, years.size()), '0') + years + "-" +
                     two(static_cast<unsigned>(now.date.month())) + "-" + two(static_cast<unsigned>(now.date.day())) +
                     "T" + two(now.second_of_day / 3600) + ":" + two(now.second_of_day / 60 % 60) + ":" +
                     two(now.second_of_day % 60);
  if (timestamp.nanoseconds() != 0) {
    auto digits = std::to_string(timestamp.nanoseconds());
    text += "." + std::string(9 - digits.size(), '0') + digits;
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "Z";
}

std::string duration_text(const Value& duration) {
  auto nanos = duration.integer();
  std::string text = nanos < 0 ? "-" : "";
  auto whole = nanos / kNanosOfSecond;
  auto rest = nanos % kNanosOfSecond;
  text += std::to_string(whole < 0 ? -whole : whole);
  if (rest != 0) {
    auto digits = std::to_string(rest < 0 ? -rest : rest);
    text += "." + std::string(9 - digits.size(), '0') + digits;
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "s";
}

std::vector<Signature> time_signatures() {
  return {
      {"getFullYear", true, "t", "i", year},
      {"getMonth", true, "t", "i", month},
      {"getDayOfMonth", true, "t", "i", day_of_month},
      {"getDate", true, "t", "i", date},
      {"getDayOfWeek", true, "t", "i", day_of_week},
      {"getDayOfYear", true, "t", "i", day_of_year},
      {"getHours", true, "t", "i", hours},
      {"getHours", true, "D", "i", hours},
      {"getMinutes", true, "t", "i", minutes},
      {"getMinutes", true, "D", "i", minutes},
      {"getSeconds", true, "t", "i", seconds},
      {"getSeconds", true, "D", "i", seconds},
      {"getMilliseconds", true, "t", "i", milliseconds},
      {"getMilliseconds", true, "D", "i", milliseconds},
  };
}

}  // namespace keelson::cel
