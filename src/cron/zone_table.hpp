// The embedded time zones as compiled-in tables; zone_compiler writes their contents when the project is built.
//
// Decision: docs/decisions/0005-time-zones-are-compiled-tables.md
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "keelson/cron/year_rule.hpp"

namespace keelson::cron {

// The data of a zone, which several names may share: `count` changes from `first` on in the table of changes.
struct ZoneRecord {
  std::uint32_t first;
  std::uint32_t count;
  std::int32_t offset_before;  // until the first change
  bool has_tail;               // after the last change `tail` is in effect, otherwise the last offset
  TailRule tail;
};

struct ZoneName {
  std::string_view name;
  std::uint16_t record;
};

struct ZoneTable {
  std::string_view edition;
  std::uint16_t utc;                // the index of "UTC" among the names
  std::span<const ZoneName> names;  // sorted by bytes
  std::span<const ZoneRecord> records;
  std::span<const Instant> changes;
  std::span<const std::int32_t> offsets;  // after each change
};

extern const ZoneTable kZoneTable;

}  // namespace keelson::cron
