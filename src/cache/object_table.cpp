#include "src/cache/object_table.hpp"

#include <algorithm>
#include <utility>

namespace keelson::cache {

namespace {

std::uint32_t hash_of(std::string_view ns, std::string_view name) {
  auto high = std::hash<std::string_view>{}(ns);
  auto mixed = std::hash<std::string_view>{}(name) ^ (high * 0x9e3779b97f4a7c15ULL);
  return static_cast<std::uint32_t>(mixed ^ (mixed >> 32));
}

}  // namespace

const ObjectTable::Slot* ObjectTable::find(std::string_view ns, std::string_view name) const {
  if (slots_.empty()) return nullptr;
  auto place = buckets_[locate(hash_of(ns, name), ns, name)];
  return place == kEmpty ? nullptr : &slots_[place - 1];
}

ObjectTable::Slot* ObjectTable::find(std::string_view ns, std::string_view name) {
  if (slots_.empty()) return nullptr;
  auto place = buckets_[locate(hash_of(ns, name), ns, name)];
  return place == kEmpty ? nullptr : &slots_[place - 1];
}

std::optional<kube::Object> ObjectTable::put(kube::Object object, std::uint32_t epoch) {
  if ((slots_.size() + 1) * 4 > buckets_.size() * 3) grow();
  auto hash = hash_of(object.ns(), object.name());
  auto& place = buckets_[locate(hash, object.ns(), object.name())];
  bytes_ += object.block_bytes();
  if (place == kEmpty) {
    slots_.push_back({std::move(object), hash, epoch, 0, 0});
    place = static_cast<Place>(slots_.size());
    return std::nullopt;
  }
  auto& slot = slots_[place - 1];
  auto before = std::exchange(slot.object, std::move(object));
  bytes_ -= before.block_bytes();
  if (epoch > slot.epoch) slot.epoch = epoch;
  slot.disputed = 0;
  slot.incomparable = 0;
  return before;
}

// The last object moves to where the erased one was.
std::optional<kube::Object> ObjectTable::erase(std::string_view ns, std::string_view name) {
  if (slots_.empty()) return std::nullopt;
  auto bucket = locate(hash_of(ns, name), ns, name);
  auto place = buckets_[bucket];
  if (place == kEmpty) return std::nullopt;
  clear_bucket(bucket);
  auto last = static_cast<Place>(slots_.size());
  if (place != last) {
    buckets_[bucket_of(last)] = place;
    std::swap(slots_[place - 1], slots_.back());
  }
  std::optional<kube::Object> removed = std::move(slots_.back().object);
  slots_.pop_back();
  bytes_ -= removed->block_bytes();
  return removed;
}

// The bucket of the key, or the empty bucket in which it would be stored.
std::size_t ObjectTable::locate(std::uint32_t hash, std::string_view ns, std::string_view name) const {
  auto mask = buckets_.size() - 1;
  for (auto bucket = hash & mask;; bucket = (bucket + 1) & mask) {
    if (buckets_[bucket] == kEmpty) return bucket;
    const auto& slot = slots_[buckets_[bucket] - 1];
    if (slot.hash == hash && slot.object.name() == name && slot.object.ns() == ns) return bucket;
  }
}

std::size_t ObjectTable::free_bucket(std::uint32_t hash) const {
  auto mask = buckets_.size() - 1;
  auto bucket = hash & mask;
  while (buckets_[bucket] != kEmpty) bucket = (bucket + 1) & mask;
  return bucket;
}

std::size_t ObjectTable::bucket_of(Place place) const {
  auto mask = buckets_.size() - 1;
  auto bucket = slots_[place - 1].hash & mask;
  while (buckets_[bucket] != place) bucket = (bucket + 1) & mask;
  return bucket;
}

// Entries that a collision has pushed past the hole move back into it.
void ObjectTable::clear_bucket(std::size_t hole) {
  auto mask = buckets_.size() - 1;
  for (auto next = (hole + 1) & mask; buckets_[next] != kEmpty; next = (next + 1) & mask) {
    auto home = slots_[buckets_[next] - 1].hash & mask;
    if (((next - home) & mask) < ((next - hole) & mask)) continue;
    buckets_[hole] = buckets_[next];
    hole = next;
  }
  buckets_[hole] = kEmpty;
}

void ObjectTable::grow() {
  constexpr std::size_t kFirstBuckets = 16;
  buckets_ = std::vector<Place>(buckets_.empty() ? kFirstBuckets : buckets_.size() * 2, kEmpty);
  for (std::size_t place = 1; place <= slots_.size(); ++place) {
    buckets_[free_bucket(slots_[place - 1].hash)] = static_cast<Place>(place);
  }
}

}  // namespace keelson::cache
