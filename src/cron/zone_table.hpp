// The embedded time zones as compiled-in tables; zone_compiler writes their contents when the project is built.
//
// Decision: docs/decisions/0005-time-zones-are-compiled-tables.md
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "keelson/detail/cron/year_rule.hpp"

namespace keelson::cron {

// The data of a zone, which several names may share: `count` changes from the byte `first` on.
struct ZoneRecord {
  std::uint32_t first;
  std::uint16_t count;
  std::uint16_t palette;       // the changes refer to the offsets from this index on
  std::int32_t offset_before;  // until the first change
  // After the last change this tail is in effect; kNoTail: the last offset.
  std::uint8_t tail;
};
inline constexpr std::uint8_t kNoTail = 255;

// A name is part of a text with all names, each of which ends with a zero.
struct ZoneName {
  std::uint16_t first;
  std::uint16_t record;
};

struct ZoneTable {
  std::string_view edition;
  std::uint16_t utc;  // the index of "UTC" among the names
  const char* name_text;
  std::span<const ZoneName> names;  // sorted by the bytes of the names
  std::span<const ZoneRecord> records;
  std::span<const TailRule> tails;
  std::span<const std::uint8_t> changes;
  std::span<const std::int32_t> offsets;
};

extern const ZoneTable kZoneTable;

// A change is the time since the previous change (since 1970 for the first one) and the index of the offset after it in
// the zone's palette. The time is a number of quarters of an hour in two bytes, or kOtherTime and a number of seconds
// in five bytes; the index is one byte. Numbers are little-endian.
inline constexpr std::int64_t kQuarter = 900;
inline constexpr std::uint16_t kOtherTime = 0xFFFF;

// Reads the changes of a zone from the first one on.
class ChangeReader {
 public:
  ChangeReader(const std::uint8_t* bytes, const std::int32_t* palette) : at_(bytes), palette_(palette) {}

  void next() {
    const auto quarters = number(2);
    // The shifts extend the sign.
    time_ += quarters == kOtherTime ? static_cast<std::int64_t>(number(5) << 24) >> 24
                                    : static_cast<std::int64_t>(quarters) * kQuarter;
    offset_ = palette_[number(1)];
  }
  [[nodiscard]] Instant time() const { return time_; }
  [[nodiscard]] std::int32_t offset() const { return offset_; }

 private:
  std::uint64_t number(unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= std::uint64_t{*at_++} << (8 * i);
    return value;
  }

  const std::uint8_t* at_;
  const std::int32_t* palette_;
  Instant time_ = 0;
  std::int32_t offset_ = 0;
};

}  // namespace keelson::cron
