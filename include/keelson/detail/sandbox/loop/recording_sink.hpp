// A log that stores its lines, so that a test can examine them. The sink must outlive its Loggers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"

namespace keelson::sandbox::loop {

class RecordingSink final : public LogSink {
 public:
  struct Entry {
    Level level;
    int verbosity;       // logr's V; 0 for errors and info
    std::string logger;  // "controller-runtime.metrics"; empty: the root
    std::string message;
    std::string error;   // its text, or empty
    std::string fields;  // "key=json key=json": the logger's own, then the line's
  };

  // Every level is enabled, debug too.
  [[nodiscard]] bool enabled(Level, int) const override { return is_kept_; }
  void write(const Line& line) override;

  // Oldest first, without a limit: a long run that does not need its log calls keep_nothing().
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  // The number of lines with exactly this message.
  [[nodiscard]] std::size_t count(std::string_view message) const;
  // Forgets the lines so far, for a test that counts the lines of its second act only.
  void clear() { entries_.clear(); }
  // Disables the log from now on. Lines are not even formatted.
  void keep_nothing() { is_kept_ = false; }

 private:
  std::vector<Entry> entries_;
  bool is_kept_ = true;
};

}  // namespace keelson::sandbox::loop
