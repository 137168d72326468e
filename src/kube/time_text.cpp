#include "src/kube/time_text.hpp"

#include <array>
#include <cstdio>

namespace keelson::kube {

namespace {

using std::chrono::floor;
using std::chrono::seconds;

// The number at a fixed place; nullopt unless all characters are digits.
std::optional<int> number_at(std::string_view text, std::size_t place, std::size_t digits) {
  if (text.size() < place + digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(place, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<std::chrono::sys_days> parse_date(std::string_view text) {
  const auto year = number_at(text, 0, 4);
  const auto month = number_at(text, 5, 2);
  const auto day = number_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (*year < 1678 || *year > 2261) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

std::optional<seconds> parse_time_of_day(std::string_view text) {
  const auto hour = number_at(text, 0, 2);
  const auto minute = number_at(text, 3, 2);
  const auto second = number_at(text, 6, 2);
  if (!hour || !minute || !second || text[2] != ':' || text[5] != ':') return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + seconds(*second);
}

// Removes ".123" from the front of `rest`.
std::optional<std::chrono::nanoseconds> parse_fraction(std::string_view& rest) {
  if (rest.empty() || rest.front() != '.') return std::chrono::nanoseconds(0);
  std::size_t end = 1;
  std::int64_t value = 0;
  std::int64_t scale = 100'000'000;
  for (; end < rest.size() && rest[end] >= '0' && rest[end] <= '9'; ++end, scale /= 10) {
    value += (rest[end] - '0') * scale;
  }
  if (end == 1) return std::nullopt;
  rest.remove_prefix(end);
  return std::chrono::nanoseconds(value);
}

std::optional<seconds> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return seconds(0);
  const auto hour = number_at(text, 1, 2);
  const auto minute = number_at(text, 4, 2);
  if (text.size() != 6 || !hour || !minute || text[3] != ':' || *hour > 23 || *minute > 59) return std::nullopt;
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  const seconds size = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
  return text[0] == '-' ? -size : size;
}

}  // namespace

std::string format_rfc3339(Time time) {
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(floor<seconds>(time - day));
  std::array<char, 48> text{};
  const int size = std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", int{date.year()},
                                 unsigned{date.month()}, unsigned{date.day()}, static_cast<int>(clock.hours().count()),
                                 static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

std::optional<Time> parse_rfc3339(std::string_view text) {
  if (text.size() < 20 || (text[10] != 'T' && text[10] != 't')) return std::nullopt;
  const auto date = parse_date(text);
  const auto time = parse_time_of_day(text.substr(11));
  std::string_view rest = text.substr(19);
  const auto fraction = parse_fraction(rest);
  const auto offset = parse_offset(rest);
  if (!date || !time || !fraction || !offset) return std::nullopt;
  return Time(*date) + *time + *fraction - *offset;
}

}  // namespace keelson::kube
