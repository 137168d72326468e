// Points in time as the API writes them: metav1.Time in whole seconds, metav1.MicroTime (leases) in microseconds.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/kube/described_type.hpp"

namespace keelson::kube {

// "2026-01-02T03:04:05Z"; what is finer is cut off, as in Go.
[[nodiscard]] std::string format_time(Time time);

// "2026-01-02T03:04:05.000006Z", always six digits.
[[nodiscard]] std::string format_micro_time(Time time);

// Either, with any offset and fraction. Errors quote the text.
[[nodiscard]] Result<Time> parse_time(std::string_view text);

// A time that is written in microseconds: of Leases and of Events.
struct MicroTime {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"date-time"})";
  static constexpr std::string_view kExpected = "a time like 2006-01-02T15:04:05.000000Z";

  MicroTime() = default;
  MicroTime(Time point) : time(point) {}

  [[nodiscard]] static Result<MicroTime> read(json::View view);
  void write(json::Writer& writer) const;
  auto operator<=>(const MicroTime&) const = default;

  Time time;
};

}  // namespace keelson::kube
