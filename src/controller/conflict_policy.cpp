#include "src/controller/conflict_policy.hpp"

#include <utility>

namespace keelson::controller {

ConflictPolicy::Decision ConflictPolicy::before_update(const std::string& child, const std::string& hash,
                                                       const ManagedField& field, async::TimePoint now) {
  Entry* entry = entries_.use(child);
  if (entry == nullptr || entry->hash != hash) {
    const bool has_ended = entry != nullptr && entry->is_contested;
    entries_.erase(child);
    entries_.add(child, {.hash = hash, .field = field, .last_update = now});
    return {.has_ended = has_ended};
  }
  const auto since = now - entry->last_update;
  if (entry->is_contested && entry->is_stored && since < kContestedInterval)
    return {.wait = kContestedInterval - since};
  if (!entry->is_contested && entry->is_stored) {
    const bool is_correction = entry->field == field && since < kCorrectionGap;
    entry->corrections = is_correction ? entry->corrections + 1 : 0;
    entry->field = field;
    if (entry->corrections > kCorrections) {
      entry->is_contested = true;
      entry->last_update = now;
      return {.wait = kContestedInterval, .is_new = true};
    }
  }
  entry->is_stored = false;
  entry->last_update = now;
  return {};
}

void ConflictPolicy::updated(const std::string& child) {
  if (Entry* entry = entries_.find(child)) entry->is_stored = true;
}

ConflictPolicy::Decision ConflictPolicy::unchanged(const std::string& child, async::TimePoint now) {
  const Entry* entry = entries_.find(child);
  if (entry == nullptr || !entry->is_contested) return {};
  const auto since = now - entry->last_update;
  if (since < kContestedInterval) return {.wait = kContestedInterval - since};
  entries_.erase(child);
  return {.has_ended = true};
}

void ConflictPolicy::report(const std::string& child, std::string text) {
  if (Entry* entry = entries_.find(child)) entry->report = std::move(text);
}

std::string ConflictPolicy::report_of(const std::string& child) {
  const Entry* entry = entries_.find(child);
  return entry == nullptr ? std::string() : entry->report;
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
