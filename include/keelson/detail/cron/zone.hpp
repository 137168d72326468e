// Zone: an IANA time zone from the data in this binary, which gives the offset from UTC at any time.
//
// A Zone is a small value that refers to constant data: copy, compare and store it freely. No file of the machine is
// read, so all names are known in an empty container. Offsets equal those of Go's time package.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::cron {

class Zone {
 public:
  // Like Go's time.LoadLocation: names are case-sensitive, and "" is UTC. Errors are kInvalid with Go's texts: "unknown
  // time zone Mars/Base". "Local" is unknown, because there is no process-wide zone; see of_process().
  [[nodiscard]] static Result<Zone> find(std::string_view name);
  [[nodiscard]] static Zone utc();
  // The zone of a process with the value `tz` of the environment variable TZ, which may be null: the zone with this
  // name, with or without the colon of POSIX, or UTC if the name is unknown. Files such as /etc/localtime are not read.
  [[nodiscard]] static Zone of_process(const char* tz);

  // The name with which the zone was found: "Europe/Berlin", "UTC". The text is constant data.
  [[nodiscard]] std::string_view name() const;

  // A time span [begin, end) with a constant offset from UTC, positive to the east.
  struct Period {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds end;
    std::chrono::seconds offset;
  };
  // The span that contains `time`. It may be shorter than the offset is in effect: later years are split at 1 January.
  [[nodiscard]] Period period_at(std::chrono::sys_seconds time) const;
  [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const { return period_at(time).offset; }

  // Equal if the names are equal: two names of the same zone (links) differ.
  friend bool operator==(Zone a, Zone b) { return a.index_ == b.index_; }

 private:
  explicit Zone(std::uint16_t index) : index_(index) {}
  std::uint16_t index_;  // into the names of the embedded data
};

// Go's time.RFC3339: "2024-03-31T03:00:00+02:00", with "Z" if the offset is zero.
[[nodiscard]] std::string format_rfc3339(std::chrono::sys_seconds time, Zone zone);
// Go's time.RFC1123Z, the format of times in Events: "Sun, 31 Mar 2024 03:00:00 +0200".
[[nodiscard]] std::string format_rfc1123z(std::chrono::sys_seconds time, Zone zone);

// All names that find() knows, sorted; and the edition of the data, such as "2026f".
[[nodiscard]] std::vector<std::string_view> zone_names();
[[nodiscard]] std::string_view zone_edition();

// The reasons for which Kubernetes' validation rejects `name` as a spec.timeZone: its texts after
// `spec.timeZone: Invalid value: "…": `. Empty if the name is valid.
[[nodiscard]] std::vector<std::string> time_zone_rejections(std::string_view name);

}  // namespace keelson::cron
