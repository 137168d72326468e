// Sampling of equal lines, as zap does it: the first 100 of a message in a second are written, then every 100th.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/base/log.hpp"
#include "keelson/detail/base/text_hash.hpp"

namespace keelson::base {

class LogSampler {
 public:
  // Counts the line; true if it is to be written. Each level has its own counts. When there are more messages than
  // limits::kSampledMessages, all counts start again.
  [[nodiscard]] bool admits(LogSink::Level level, std::string_view message, LogOptions::WallTime now);

 private:
  struct Count {
    LogOptions::WallTime reset_at{};
    std::uint64_t seen = 0;
  };
  TextMap<std::string, Count> counts_;
};

}  // namespace keelson::base
