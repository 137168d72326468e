// LogLimit: a limit for log lines that network peers can cause at will. A few lines per interval are written, the
// others are counted.
//
// It is independent of the log's own sampling, which development mode disables. Each kind of line has its own limit, so
// that a flood of one kind does not hide another.
#pragma once

#include <cstdint>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"

namespace keelson::async {

class LogLimit {
 public:
  // Ten lines show the problem, and 60 lines per minute do not fill a disk.
  static constexpr std::uint64_t kLines = 10;
  static constexpr Duration kInterval = std::chrono::seconds(10);

  // `clock` must outlive the limit.
  explicit LogLimit(Clock& clock) : clock_(&clock) {}

  // The logger for the line, or nullopt if the line is suppressed. The first line after suppressed ones has their
  // number as "suppressed".
  [[nodiscard]] std::optional<Logger> admit(const Logger& log);

 private:
  Clock* clock_;
  std::optional<TimePoint> begun_;  // the start of the interval
  std::uint64_t written_ = 0;       // in this interval
  std::uint64_t suppressed_ = 0;    // since the last written line
};

}  // namespace keelson::async
