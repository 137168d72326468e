#include "keelson/cron/zone.hpp"

#include <algorithm>
#include <cstddef>

#include "src/cron/zone_table.hpp"

namespace keelson::cron {

namespace {

// Times in years that the calendar can compute; no schedule reaches them.
constexpr Instant kFarPast = -900'000'000'000;
constexpr Instant kFarFuture = 900'000'000'000;

OffsetPeriod period_in(const ZoneRecord& zone, Instant time) {
  const auto changes = kZoneTable.changes.subspan(zone.first, zone.count);
  const auto next = std::upper_bound(changes.begin(), changes.end(), time);
  const auto after = static_cast<std::size_t>(next - changes.begin());
  const Instant begin = after == 0 ? -kAlways : changes[after - 1];
  if (next == changes.end() && zone.has_tail) {
    auto period = period_by_rule(zone.tail, std::clamp(time, kFarPast, kFarFuture));
    period.begin = std::max(period.begin, begin);
    return period;
  }
  const auto offset = after == 0 ? zone.offset_before : kZoneTable.offsets[zone.first + after - 1];
  return {begin, next == changes.end() ? kAlways : *next, offset};
}

}  // namespace

Result<Zone> Zone::find(std::string_view name) {
  if (name.empty()) return utc();
  if (name.front() == '/' || name.front() == '\\' || name.find("..") != std::string_view::npos) {
    return invalid_error("time: invalid location name");
  }
  const auto names = kZoneTable.names;
  const auto found = std::lower_bound(names.begin(), names.end(), name,
                                      [](const ZoneName& one, std::string_view other) { return one.name < other; });
  if (found == names.end() || found->name != name) return invalid_error("unknown time zone " + std::string(name));
  return Zone(static_cast<std::uint16_t>(found - names.begin()));
}

Zone Zone::utc() { return Zone(kZoneTable.utc); }

Zone Zone::of_process(const char* tz) {
  std::string_view name = tz == nullptr ? "" : tz;
  if (name.starts_with(':')) name.remove_prefix(1);
  const auto zone = find(name);
  return zone ? *zone : utc();
}

std::string_view Zone::name() const { return kZoneTable.names[index_].name; }

Zone::Period Zone::period_at(std::chrono::sys_seconds time) const {
  const auto& record = kZoneTable.records[kZoneTable.names[index_].record];
  const auto period = period_in(record, time.time_since_epoch().count());
  return {std::chrono::sys_seconds(std::chrono::seconds(period.begin)),
          std::chrono::sys_seconds(std::chrono::seconds(period.end)), std::chrono::seconds(period.offset)};
}

std::vector<std::string_view> zone_names() {
  std::vector<std::string_view> names;
  names.reserve(kZoneTable.names.size());
  for (const auto& one : kZoneTable.names) names.push_back(one.name);
  return names;
}

std::string_view zone_edition() { return kZoneTable.edition; }

}  // namespace keelson::cron
