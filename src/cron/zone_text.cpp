// Texts of times and zones: Go's time formats, and Kubernetes' validation of zone names.
#include <algorithm>
#include <array>
#include <cstdio>

#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/cron/zone.hpp"
#include "src/cron/civil.hpp"

namespace keelson::cron {

namespace {

struct Wall {
  Date date;
  unsigned weekday;
  int hour, minute, second;
};

Wall wall_at(std::int64_t local) {
  const auto days = floor_divide(local, kDay);
  const auto rest = static_cast<int>(local - days * kDay);
  return {date_of(days), weekday_of(days), rest / 3600, rest / 60 % 60, rest % 60};
}

bool is_zone_part(std::string_view part) {
  constexpr std::size_t kLongestPart = 14;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+").find(c) != std::string_view::npos;
  };
  return !part.empty() && part.size() <= kLongestPart && part != "." && part != ".." && !part.starts_with('-') &&
         std::ranges::all_of(part, allowed);
}

bool has_only_zone_parts(std::string_view name) {
  while (true) {
    const auto slash = name.find('/');
    if (!is_zone_part(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string format_rfc3339(std::chrono::sys_seconds time, Zone zone) {
  return base::format_rfc3339(time, zone.offset_at(time));
}

std::string format_rfc1123z(std::chrono::sys_seconds time, Zone zone) {
  constexpr std::array kShortDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kShortMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto offset = zone.offset_at(time);
  const auto wall = wall_at((time + offset).time_since_epoch().count());
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d ", kShortDays[wall.weekday], wall.date.day,
                kShortMonths[wall.date.month - 1], wall.date.year, wall.hour, wall.minute, wall.second);
  return text.data() + base::format_utc_offset(offset, "");
}

std::vector<std::string> time_zone_rejections(std::string_view name) {
  // Names of zones have less than half this length, and the text must not grow with the name.
  constexpr std::size_t kNameBytes = 128;
  if (name.empty()) return {"timeZone must be nil or non-empty string"};
  if (name.size() > kNameBytes) return {"unknown time zone " + std::string(base::cut_utf8(name, kNameBytes)) + "..."};
  if (!has_only_zone_parts(name)) return {"unknown time zone " + std::string(name)};
  std::vector<std::string> rejections;
  if (base::to_lower(name) == "local") {
    rejections.emplace_back("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    // Go's loader accepts this spelling.
    if (name == "Local") return rejections;
  }
  if (const auto zone = Zone::find(name); !zone) rejections.push_back(zone.error().text);
  return rejections;
}

}  // namespace keelson::cron
