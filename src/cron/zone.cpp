#include "keelson/detail/cron/zone.hpp"

#include <algorithm>
#include <cstddef>

#include "src/cron/zone_table.hpp"

namespace keelson::cron {

namespace {

// Times in years that the calendar can compute; no schedule reaches them.
constexpr Instant kFarPast = -900'000'000'000;
constexpr Instant kFarFuture = 900'000'000'000;

OffsetPeriod period_in(const ZoneRecord& zone, Instant time) {
  ChangeReader changes(&kZoneTable.changes[zone.first], &kZoneTable.offsets[zone.palette]);
  Instant begin = -kAlways;
  auto offset = zone.offset_before;
  for (unsigned i = 0; i < zone.count; ++i) {
    changes.next();
    if (changes.time() > time) return {begin, changes.time(), offset};
    begin = changes.time();
    offset = changes.offset();
  }
  if (zone.tail == kNoTail) return {begin, kAlways, offset};
  auto period = period_by_rule(kZoneTable.tails[zone.tail], std::clamp(time, kFarPast, kFarFuture));
  period.begin = std::max(period.begin, begin);
  return period;
}

std::string_view name_of(const ZoneName& name) { return kZoneTable.name_text + name.first; }

}  // namespace

Result<Zone> Zone::find(std::string_view name) {
  if (name.empty()) return utc();
  if (name.front() == '/' || name.front() == '\\' || name.find("..") != std::string_view::npos) {
    return invalid_error("time: invalid location name");
  }
  const auto names = kZoneTable.names;
  const auto found = std::ranges::lower_bound(names, name, {}, name_of);
  if (found == names.end() || name_of(*found) != name) return invalid_error("unknown time zone " + std::string(name));
  return Zone(static_cast<std::uint16_t>(found - names.begin()));
}

Zone Zone::utc() { return Zone(kZoneTable.utc); }

Zone Zone::of_process(const char* tz) {
  std::string_view name = tz == nullptr ? "" : tz;
  if (name.starts_with(':')) name.remove_prefix(1);
  const auto zone = find(name);
  return zone ? *zone : utc();
}

std::string_view Zone::name() const { return name_of(kZoneTable.names[index_]); }

Zone::Period Zone::period_at(std::chrono::sys_seconds time) const {
  const auto& record = kZoneTable.records[kZoneTable.names[index_].record];
  const auto period = period_in(record, time.time_since_epoch().count());
  return {std::chrono::sys_seconds(std::chrono::seconds(period.begin)),
          std::chrono::sys_seconds(std::chrono::seconds(period.end)), std::chrono::seconds(period.offset)};
}

std::vector<std::string_view> zone_names() {
  std::vector<std::string_view> names;
  names.reserve(kZoneTable.names.size());
  for (const auto& one : kZoneTable.names) names.push_back(name_of(one));
  return names;
}

std::string_view zone_edition() { return kZoneTable.edition; }

}  // namespace keelson::cron
