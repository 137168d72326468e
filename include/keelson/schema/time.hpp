// Points in time as the API writes them: metav1.Time in whole seconds, metav1.MicroTime (Leases, Events) in
// microseconds.
//
// Texts are RFC 3339 in UTC. A described field of type Time is a metav1.Time, and writing it drops the fraction of a
// second: compare times only after rounding them to whole seconds, or each reconcile finds a difference.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

// "2026-01-02T03:04:05Z"; the fraction of a second is truncated, as in Go.
[[nodiscard]] std::string format_time(Time time);

// "2026-01-02T03:04:05.000006Z", always with six digits, as Go writes a MicroTime.
[[nodiscard]] std::string format_micro_time(Time time);

// Reads both forms, with any offset and fraction, in the years 1678 to 2261, which 64 bits of nanoseconds can
// represent. kInvalid for any other text, which the error quotes.
[[nodiscard]] Result<Time> parse_time(std::string_view text);

// A time that is written in microseconds: acquireTime and renewTime of a Lease, eventTime of an Event.
struct MicroTime {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"date-time"})";
  static constexpr std::string_view kExpected = "a time like 2006-01-02T15:04:05.000000Z";

  MicroTime() = default;
  MicroTime(Time point) : time(point) {}

  // kMalformed for anything except a string, kInvalid for a string that is no time.
  [[nodiscard]] static Result<MicroTime> read(json::View view);
  void write(json::Writer& writer) const;
  auto operator<=>(const MicroTime&) const = default;

  Time time;
};

}  // namespace keelson::kube
