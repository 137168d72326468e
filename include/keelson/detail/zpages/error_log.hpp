// The last distinct error lines of the log, in fixed memory: a decorator of the program's LogSink.
//
// It records lines of level error, also those that the flags keep out of the log, and passes all lines on unchanged.
// Equal errors of one logger about one object are one record with a count. Only a few known keys of a line are
// recorded, and texts are cut, so a record contains nothing that the log may not contain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"

namespace keelson::limits {

// Distinct error lines that /statusz lists, and the bytes of each of their texts: an engineer reads them all.
inline constexpr std::size_t kRecentErrors = 50;
inline constexpr std::size_t kRecentErrorBytes = 400;

}  // namespace keelson::limits

namespace keelson::zpages {

struct RecentError {
  std::string logger;
  std::string message;  // the constant message of the line
  std::string about;    // "memcached default/a": the controller, namespace and name of the line, or empty
  std::string error;
  std::uint64_t count = 0;
  async::WallTime last{};
};

class ErrorLog final : public LogSink {
 public:
  // Both must outlive it.
  ErrorLog(LogSink& next, const async::Clock& clock) : next_(next), clock_(clock) {}

  [[nodiscard]] bool enabled(Level level, int verbosity) const override {
    return level == Level::kError || next_.enabled(level, verbosity);
  }
  void write(const Line& line) override;

  // At most limits::kRecentErrors; the one that occurred last is the first.
  [[nodiscard]] const std::deque<RecentError>& recent() const { return recent_; }
  // Of all error lines since the start.
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  void record(const Line& line);

  LogSink& next_;
  const async::Clock& clock_;
  std::deque<RecentError> recent_;
  std::uint64_t total_ = 0;
};

}  // namespace keelson::zpages
