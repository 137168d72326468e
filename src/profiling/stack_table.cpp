#include "src/profiling/stack_table.hpp"

#include <algorithm>

namespace keelson::profiling {

namespace {

// FNV-1a by words instead of bytes.
std::uint64_t hash_of(std::span<const std::uintptr_t> stack) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const auto address : stack) hash = (hash ^ address) * 0x100000001b3U;
  return hash ^ (hash >> 32);
}

}  // namespace

StackTable::StackTable()
    : entries_(std::make_unique_for_overwrite<Entry[]>(limits::kProfileStacks)),
      frames_(std::make_unique_for_overwrite<std::uintptr_t[]>(limits::kProfileFrames)),
      slots_(std::make_unique<std::uint32_t[]>(kSlots)) {}

StackTable::Entry* StackTable::find_or_add(std::span<const std::uintptr_t> stack) noexcept {
  const auto hash = hash_of(stack);
  // The table is never more than half full, so that there is a free slot.
  for (auto slot = static_cast<std::size_t>(hash) % kSlots;; slot = (slot + 1) % kSlots) {
    if (slots_[slot] == 0) {
      auto* added = add(hash, stack);
      if (added != nullptr) slots_[slot] = static_cast<std::uint32_t>(count_);
      return added;
    }
    auto& entry = entries_[slots_[slot] - 1];
    const auto known = stack_of(entry);
    if (entry.hash == hash && std::ranges::equal(known, stack)) return &entry;
  }
}

void StackTable::plan_compaction() noexcept {
  std::uint32_t place = 0;
  for (auto& entry : entries()) {
    if (entry.users > 0) entry.place = place++;
  }
}

// Entries have the order of their frames, so that both move towards the beginning.
std::size_t StackTable::compact(Values& removed) noexcept {
  std::size_t kept = 0;
  std::size_t frames = 0;
  for (const auto& entry : entries()) {
    if (entry.users == 0) {
      for (std::size_t value = 0; value < removed.size(); ++value) removed[value] += entry.values[value];
      continue;
    }
    const auto stack = stack_of(entry);
    std::copy(stack.begin(), stack.end(), frames_.get() + frames);
    entries_[kept] = entry;
    entries_[kept++].first = static_cast<std::uint32_t>(frames);
    frames += stack.size();
  }
  const auto count = count_ - kept;
  count_ = kept;
  used_frames_ = frames;
  fill_slots();
  return count;
}

void StackTable::fill_slots() noexcept {
  std::fill_n(slots_.get(), kSlots, 0);
  for (std::size_t number = 0; number < count_; ++number) {
    auto slot = static_cast<std::size_t>(entries_[number].hash) % kSlots;
    while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
    slots_[slot] = static_cast<std::uint32_t>(number + 1);
  }
}

StackTable::Entry* StackTable::add(std::uint64_t hash, std::span<const std::uintptr_t> stack) noexcept {
  const bool has_room = count_ < limits::kProfileStacks && stack.size() <= limits::kProfileFrames - used_frames_;
  if (!has_room) return nullptr;
  std::copy(stack.begin(), stack.end(), frames_.get() + used_frames_);
  auto& entry = entries_[count_++];
  entry = {.hash = hash,
           .first = static_cast<std::uint32_t>(used_frames_),
           .depth = static_cast<std::uint32_t>(stack.size())};
  used_frames_ += stack.size();
  return &entry;
}

}  // namespace keelson::profiling
