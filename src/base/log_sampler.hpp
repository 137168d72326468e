// Which of many equal lines are written: the first 100 of a message in a second, then every 100th, as zap samples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "keelson/base/log.hpp"

namespace keelson::base {

class LogSampler {
 public:
  // Counts the line and says whether it is written. A level's messages are counted apart from another's; beyond
  // limits::kSampledMessages all counts start anew.
  [[nodiscard]] bool admits(LogSink::Level level, std::string_view message, LogOptions::WallTime now);

 private:
  struct Count {
    LogOptions::WallTime reset_at{};
    std::uint64_t seen = 0;
  };
  std::unordered_map<std::string, Count> counts_;
};

}  // namespace keelson::base
