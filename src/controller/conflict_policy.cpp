#include "src/controller/conflict_policy.hpp"

#include <algorithm>

namespace keelson::controller {

ConflictPolicy::Decision ConflictPolicy::before_update(const std::string& child, const std::string& hash,
                                                       const ManagedField& field, async::TimePoint now) {
  Entry* entry = entries_.use(child);
  if (entry != nullptr && entry->hash != hash) {
    entries_.erase(child);
    entry = nullptr;
  }
  if (entry == nullptr) {
    entries_.add(child, {hash, field, 0, now, false});
    return {};
  }
  const auto since = now - entry->last_update;
  if (entry->is_contested && since < kContestedInterval) return {kContestedInterval - since, false};
  if (!entry->is_contested) {
    const bool is_correction = entry->field == field && since < kCorrectionGap;
    entry->corrections = is_correction ? entry->corrections + 1 : 0;
    entry->field = field;
    if (entry->corrections > kCorrections) {
      entry->is_contested = true;
      return {std::max<async::Duration>(kContestedInterval - since, std::chrono::seconds(1)), true};
    }
  }
  entry->last_update = now;
  return {};
}

std::optional<async::Duration> ConflictPolicy::unchanged(const std::string& child, async::TimePoint now) {
  const Entry* entry = entries_.find(child);
  if (entry == nullptr || !entry->is_contested) return std::nullopt;
  const auto since = now - entry->last_update;
  if (since < kContestedInterval) return kContestedInterval - since;
  entries_.erase(child);
  return std::nullopt;
}

std::size_t ConflictPolicy::contested() {
  std::size_t count = 0;
  entries_.keep_if([&count](const std::string&, const Entry& entry) {
    count += entry.is_contested ? 1 : 0;
    return true;
  });
  return count;
}

}  // namespace keelson::controller
