// IANA time zones from the data that this binary carries: what the clocks of a place show at an instant.
//
// A Zone is a small value that refers to constant data: copy it freely, compare it, keep it for ever. Nothing is read
// from the machine, so an empty container knows every name. Offsets are those that Go's time package computes.
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
  // time.LoadLocation: names are case-sensitive, "" is UTC. Errors are Go's: "unknown time zone Mars/Base". "Local" is
  // refused like any other unknown name; who has a process's zone says so with of_process().
  [[nodiscard]] static Result<Zone> find(std::string_view name);
  [[nodiscard]] static Zone utc();
  // The zone of a process whose environment variable TZ is `tz`, which may be null: UTC unless it names a known zone,
  // with or without the colon of POSIX. Files of the machine are not looked at.
  [[nodiscard]] static Zone of_process(const char* tz);

  // The name that it was found by: "Europe/Berlin", "UTC". It lives as long as the program.
  [[nodiscard]] std::string_view name() const;

  // A stretch of time with one offset from UTC, `begin` in it, `end` not.
  struct Period {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds end;
    std::chrono::seconds offset;
  };
  [[nodiscard]] Period period_at(std::chrono::sys_seconds time) const;
  [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const { return period_at(time).offset; }

  friend bool operator==(Zone a, Zone b) { return a.index_ == b.index_; }

 private:
  explicit Zone(std::uint16_t index) : index_(index) {}
  std::uint16_t index_;  // into the names of the embedded data
};

// time.RFC3339: "2024-03-31T03:00:00+02:00", "Z" where the offset is zero.
[[nodiscard]] std::string format_rfc3339(std::chrono::sys_seconds time, Zone zone);
// time.RFC1123Z, as Events quote times: "Sun, 31 Mar 2024 03:00:00 +0200".
[[nodiscard]] std::string format_rfc1123z(std::chrono::sys_seconds time, Zone zone);

// All names that find() knows, sorted, and the edition of the data: "2026f".
[[nodiscard]] std::vector<std::string_view> zone_names();
[[nodiscard]] std::string_view zone_edition();

// What Kubernetes has against `name` as a spec.timeZone, one text a reason, as its validation words them behind
// `spec.timeZone: Invalid value: "…": `. Empty when the name is good.
[[nodiscard]] std::vector<std::string> time_zone_refusals(std::string_view name);

}  // namespace keelson::cron
