#include "src/schema/time_text.hpp"

#include <array>
#include <cstdio>

#include "keelson/base/rfc3339.hpp"

namespace keelson::kube {

using std::chrono::floor;
using std::chrono::seconds;

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
  const auto time = base::parse_rfc3339(text);
  if (!time) return std::nullopt;
  const std::chrono::year_month_day date(floor<std::chrono::days>(time->second));
  if (date.year() < std::chrono::year(1678) || date.year() > std::chrono::year(2261)) return std::nullopt;
  return Time(time->second) + time->fraction;
}

}  // namespace keelson::kube
