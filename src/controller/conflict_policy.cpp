#include "src/controller/conflict_policy.hpp"

#include <algorithm>
#include <utility>

namespace keelson::controller {

namespace {

// Fields of a child whose corrections are counted.
constexpr std::size_t kCorrectedFields = 8;

}  // namespace

ConflictPolicy::Decision ConflictPolicy::before_update(const std::string& child, const std::string& hash,
                                                       const ManagedField& field, async::TimePoint now) {
  Entry* entry = entries_.use(child);
  if (entry == nullptr || entry->hash != hash) {
    const bool has_ended = entry != nullptr && entry->is_contested;
    entries_.erase(child);
    entries_.add(child, {.hash = hash, .corrections = {{field, 0}}, .last_update = now, .last_pass = now});
    return {.has_ended = has_ended};
  }
  entry->last_pass = now;
  const auto since = now - entry->last_update;
  if (entry->is_contested && entry->is_stored && since < kContestedInterval) {
    return {.wait = kContestedInterval - since};
  }
  bool is_correction = entry->is_contested;
  if (!entry->is_contested && entry->is_stored) {
    if (since >= kCorrectionGap) entry->corrections.clear();
    const int corrections = count_correction(*entry, field);
    is_correction = corrections > 0;
    if (corrections > kCorrections) {
      entry->is_contested = true;
      entry->last_update = now;
      return {.wait = kContestedInterval, .is_new = true};
    }
  }
  entry->is_stored = false;
  entry->last_update = now;
  return {.is_correction = is_correction};
}

// The first update of a field is not a correction.
int ConflictPolicy::count_correction(Entry& entry, const ManagedField& field) {
  const auto found = std::ranges::find(entry.corrections, field, &std::pair<ManagedField, int>::first);
  if (found != entry.corrections.end()) return ++found->second;
  if (entry.corrections.size() == kCorrectedFields) entry.corrections.erase(entry.corrections.begin());
  entry.corrections.emplace_back(field, 0);
  return 0;
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
    if (entry.is_contested) count += now - entry.last_pass <= 2 * kContestedInterval ? 1 : 0;
    return true;
  });
  return count;
}

}  // namespace keelson::controller
