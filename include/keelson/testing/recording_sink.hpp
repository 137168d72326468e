// A log that is kept, for tests to look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"

namespace keelson::testing {

class RecordingSink final : public LogSink {
 public:
  struct Entry {
    Level level;
    int verbosity;
    std::string logger;
    std::string message;
    std::string error;   // its text, or empty
    std::string fields;  // "key=json key=json": the logger's own, then the line's
  };

  [[nodiscard]] bool enabled(Level, int) const override { return is_kept_; }
  void write(const Line& line) override;

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t count(std::string_view message) const;
  void clear() { entries_.clear(); }
  // For runs whose log nobody reads: lines are not even made.
  void keep_nothing() { is_kept_ = false; }

 private:
  std::vector<Entry> entries_;
  bool is_kept_ = true;
};

}  // namespace keelson::testing
