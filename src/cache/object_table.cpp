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

// The slot of the key, or the empty slot where it would go.
std::size_t ObjectTable::locate(std::uint32_t hash, std::string_view ns, std::string_view name) const {
  auto mask = slots_.size() - 1;
  for (auto place = hash & mask;; place = (place + 1) & mask) {
    const auto& slot = slots_[place];
    if (!slot.object) return place;
    if (slot.hash == hash && slot.object->name() == name && slot.object->ns() == ns) return place;
  }
}

const ObjectTable::Slot* ObjectTable::find(std::string_view ns, std::string_view name) const {
  if (slots_.empty()) return nullptr;
  const auto& slot = slots_[locate(hash_of(ns, name), ns, name)];
  return slot.object ? &slot : nullptr;
}

std::optional<kube::Object> ObjectTable::put(kube::Object object, std::uint32_t epoch) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  auto hash = hash_of(object.ns(), object.name());
  auto& slot = slots_[locate(hash, object.ns(), object.name())];
  bytes_ += object.block_bytes();
  auto before = std::exchange(slot.object, std::move(object));
  if (before) {
    bytes_ -= before->block_bytes();
  } else {
    ++size_;
  }
  slot.hash = hash;
  slot.epoch = before ? std::max(slot.epoch, epoch) : epoch;
  return before;
}

void ObjectTable::mark(std::string_view ns, std::string_view name, std::uint32_t epoch) {
  if (slots_.empty()) return;
  auto& slot = slots_[locate(hash_of(ns, name), ns, name)];
  if (slot.object) slot.epoch = std::max(slot.epoch, epoch);
}

std::optional<kube::Object> ObjectTable::erase(std::string_view ns, std::string_view name) {
  if (slots_.empty()) return std::nullopt;
  auto hole = locate(hash_of(ns, name), ns, name);
  auto removed = std::exchange(slots_[hole].object, std::nullopt);
  if (!removed) return std::nullopt;
  --size_;
  bytes_ -= removed->block_bytes();
  // What was pushed past the hole by a collision moves back into it.
  auto mask = slots_.size() - 1;
  for (auto next = (hole + 1) & mask; slots_[next].object; next = (next + 1) & mask) {
    auto home = slots_[next].hash & mask;
    if (((next - home) & mask) < ((next - hole) & mask)) continue;
    slots_[hole] = std::exchange(slots_[next], Slot{});
    hole = next;
  }
  return removed;
}

void ObjectTable::for_each(const std::function<void(const kube::Object&, std::uint32_t)>& visit) const {
  for (const auto& slot : slots_) {
    if (slot.object) visit(*slot.object, slot.epoch);
  }
}

void ObjectTable::grow() {
  constexpr std::size_t kFirstSlots = 16;
  auto old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? kFirstSlots : slots_.size() * 2));
  for (auto& slot : old) {
    if (!slot.object) continue;
    auto place = locate(slot.hash, slot.object->ns(), slot.object->name());
    slots_[place] = std::move(slot);
  }
}

}  // namespace keelson::cache
