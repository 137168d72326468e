#include "src/controller/conflict_policy.hpp"

#include <utility>

namespace keelson::controller {

ConflictPolicy::Decision ConflictPolicy::before_update(const std::string& child, const std::string& hash,
                                                       const ManagedField& field, async::TimePoint now) {
  Entry* entry = entries_.use(child);
  if (entry == nullptr || entry->hash != hash) {
    const bool has_ended = entry != nullptr && entry->is_contested;
    entries_.erase(child);
    entries_.add(child, {.hash = hash, .field = field, .last_update = now, .last_pass = now});
    return {.has_ended = has_ended};
  }
  entry->last_pass = now;
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
  Entry* entry = entries_.find(child);
  if (entry == nullptr || !entry->is_contested) return {};
  entry->last_pass = now;
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

std::size_t ConflictPolicy::contested(async::TimePoint now) {
  std::size_t count = 0;
  entries_.keep_if([&count, now](const std::string&, const Entry& entry) {
    if (!entry.is_contested) return true;
    const bool is_observed = now - entry.last_pass <= 2 * kContestedInterval;
    count += is_observed ? 1 : 0;
    return is_observed;
  });
  return count;
}

}  // namespace keelson::controller
