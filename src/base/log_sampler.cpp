#include "src/base/log_sampler.hpp"

#include "keelson/detail/base/limits.hpp"

namespace keelson::base {

bool LogSampler::admits(LogSink::Level level, std::string_view message, LogOptions::WallTime now) {
  constexpr std::uint64_t kFirst = 100;
  constexpr std::uint64_t kThereafter = 100;

  std::string key(1, static_cast<char>('0' + static_cast<int>(level)));
  key.append(message.substr(0, limits::kLogValueBytes));
  if (counts_.size() >= limits::kSampledMessages && !counts_.contains(key)) counts_.clear();
  auto& count = counts_[key];
  if (count.reset_at <= now) {
    count = {now + std::chrono::seconds(1), 1};
    return true;
  }
  ++count.seen;
  return count.seen <= kFirst || (count.seen - kFirst) % kThereafter == 0;
}

}  // namespace keelson::base
