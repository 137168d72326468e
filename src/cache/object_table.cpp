#include "src/cache/object_table.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::cache {

namespace {

std::uint32_t hash_of(std::string_view ns, std::string_view name) {
  auto high = base::TextHash{}(ns);
  auto mixed = base::TextHash{}(name) ^ (high * 0x9e3779b97f4a7c15ULL);
  return static_cast<std::uint32_t>(mixed ^ (mixed >> 32));
}

std::size_t chain_of(std::string_view ns) { return base::TextHash{}(ns); }

}  // namespace

ObjectTable::ObjectTable() : pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()), chains_(pool_.get()) {}

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
    slots_.push_back({.object = std::move(object), .hash = hash, .epoch = epoch, .disputed = 0, .incomparable = 0});
    place = static_cast<Place>(slots_.size());
    link(place);
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
  unlink(place);
  std::optional<kube::Object> removed = std::move(at(place).object);
  move_last_to(place);
  bytes_ -= removed->block_bytes();
  return removed;
}

std::vector<kube::Object> ObjectTable::list(std::string_view ns) const {
  std::vector<kube::Object> found;
  const auto chain = chains_.find(chain_of(ns));
  if (chain == chains_.end()) return found;
  for (auto place = chain->second; place != kEmpty; place = slots_[place - 1].next) {
    const auto& object = slots_[place - 1].object;
    if (object.ns() == ns) found.push_back(object);
  }
  return found;
}

void ObjectTable::link(Place place) {
  auto& first = chains_[chain_of(at(place).object.ns())];
  at(place).next = first;
  if (first != kEmpty) at(first).previous = place;
  first = place;
}

void ObjectTable::unlink(Place place) {
  const auto& slot = at(place);
  if (slot.next != kEmpty) at(slot.next).previous = slot.previous;
  if (slot.previous != kEmpty) {
    at(slot.previous).next = slot.next;
    return;
  }
  const auto chain = chains_.find(chain_of(slot.object.ns()));
  chain->second = slot.next;
  if (slot.next == kEmpty) chains_.erase(chain);
}

// The slot of `place` is unlinked and has no object.
void ObjectTable::move_last_to(Place place) {
  const auto last = static_cast<Place>(slots_.size());
  if (place != last) {
    buckets_[bucket_of(last)] = place;
    auto& moved = at(place) = std::move(slots_.back());
    if (moved.next != kEmpty) at(moved.next).previous = place;
    if (moved.previous != kEmpty) {
      at(moved.previous).next = place;
    } else {
      chains_[chain_of(moved.object.ns())] = place;
    }
  }
  slots_.pop_back();
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
