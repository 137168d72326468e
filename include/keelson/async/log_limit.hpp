// Bounds the log lines that network peers can cause at will: a few in each interval are written, the others counted.
//
// Independent of the log's own sampling, which is off in development mode. One limit for each kind of line, so that a
// flood of one kind does not hide another.
#pragma once

#include <cstdint>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"

namespace keelson::async {

class LogLimit {
 public:
  // Enough to see what goes on; 60 lines a minute fill no disk.
  static constexpr std::uint64_t kLines = 10;
  static constexpr Duration kInterval = std::chrono::seconds(10);

  // `clock` must outlive it.
  explicit LogLimit(Clock& clock) : clock_(&clock) {}

  // The logger to write the line with, or nullopt: the line is suppressed. The first line after suppressed ones has
  // their number as "suppressed".
  [[nodiscard]] std::optional<Logger> admit(const Logger& log);

 private:
  Clock* clock_;
  std::optional<TimePoint> begun_;  // the interval
  std::uint64_t written_ = 0;       // in it
  std::uint64_t suppressed_ = 0;    // since the last line
};

}  // namespace keelson::async
