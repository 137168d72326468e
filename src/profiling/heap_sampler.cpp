#include "src/profiling/heap_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/profiling/stack_walk.hpp"

namespace keelson::profiling {

constinit thread_local HeapSampler* heap_sampler = nullptr;

namespace {

// A removal reads the whole table, so it has to be worth it: it frees an eighth, or waits for as many samples.
constexpr std::size_t kWorthRemoval = limits::kProfileStacks / 8;

}  // namespace

LiveBlocks::LiveBlocks() : blocks_(std::make_unique<Block[]>(kSlots)) {}

LiveBlocks::Block* LiveBlocks::find(std::uintptr_t address) noexcept {
  for (auto slot = slot_of(address); blocks_[slot].address != 0; slot = (slot + 1) % kSlots) {
    if (blocks_[slot].address == address) return &blocks_[slot];
  }
  return nullptr;
}

bool LiveBlocks::add(const Block& block) noexcept {
  if (count_ == limits::kHeapSamples) return false;
  auto slot = slot_of(block.address);
  while (blocks_[slot].address != 0) slot = (slot + 1) % kSlots;
  blocks_[slot] = block;
  ++count_;
  return true;
}

// Moves later blocks into the gap, because a search ends at a free slot.
void LiveBlocks::remove(Block* block) noexcept {
  auto gap = static_cast<std::size_t>(block - blocks_.get());
  for (auto slot = (gap + 1) % kSlots; blocks_[slot].address != 0; slot = (slot + 1) % kSlots) {
    const auto distance = (slot - slot_of(blocks_[slot].address)) % kSlots;
    if (distance < (slot - gap) % kSlots) continue;
    blocks_[gap] = blocks_[slot];
    gap = slot;
  }
  blocks_[gap] = {};
  --count_;
}

// Fibonacci hashing. Blocks are multiples of 16 bytes apart.
std::size_t LiveBlocks::slot_of(std::uintptr_t address) noexcept {
  return static_cast<std::size_t>(((address >> 4) * 0x9e3779b97f4a7c15U) >> 32) % kSlots;
}

HeapSampler::HeapSampler(const HeapOptions& options)
    : rate_(options.rate), random_(options.seed), countdown_(next_countdown()) {}

void HeapSampler::freed(std::uintptr_t address) noexcept {
  auto* block = live_.find(address);
  if (block == nullptr) return;
  const auto weight = weight_of(block->bytes);
  auto& entry = *block->entry;
  entry.values[kUsedObjects] -= weight;
  entry.values[kUsedBytes] -= weight * static_cast<double>(block->bytes);
  // Sums of fractions are not exact.
  if (--entry.users == 0) entry.values[kUsedObjects] = entry.values[kUsedBytes] = 0;
  live_.remove(block);
}

__attribute__((noinline)) void HeapSampler::take(void* block, std::size_t bytes, const void* caller) noexcept {
  countdown_ = next_countdown();
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  // Memory that another thread has freed was not seen.
  freed(address);
  std::array<std::uintptr_t, limits::kStackFrames> frames{};
  const auto depth = walk_stack(reinterpret_cast<std::uintptr_t>(caller), frames);

  const auto weight = weight_of(bytes);
  const auto weighted_bytes = weight * static_cast<double>(bytes);
  auto& entry = entry_of({frames.data(), depth});
  entry.values[kAllocatedObjects] += weight;
  entry.values[kAllocatedBytes] += weighted_bytes;
  // A block without room is missing among those in use.
  if (!live_.add({address, bytes, &entry})) return;
  ++entry.users;
  entry.values[kUsedObjects] += weight;
  entry.values[kUsedBytes] += weighted_bytes;
}

StackTable::Entry& HeapSampler::entry_of(std::span<const std::uintptr_t> stack) noexcept {
  auto* entry = table_.find_or_add(stack);
  if (entry != nullptr) return *entry;
  if (lost_until_removal_ > 0) {
    --lost_until_removal_;
    return lost_;
  }
  remove_stacks_without_blocks();
  entry = table_.find_or_add(stack);
  return entry == nullptr ? lost_ : *entry;
}

void HeapSampler::remove_stacks_without_blocks() noexcept {
  table_.plan_compaction();
  live_.for_each([this](LiveBlocks::Block& block) {
    if (block.entry != &lost_) block.entry = table_.moved(block.entry);
  });
  if (table_.compact(lost_.values) < kWorthRemoval) lost_until_removal_ = kWorthRemoval;
}

// The distances of a Poisson process are exponentially distributed, so that no pattern of allocations evades it.
std::int64_t HeapSampler::next_countdown() noexcept {
  if (rate_ <= 1) return 0;
  constexpr double kMost = 1e18;  // fits
  return static_cast<std::int64_t>(std::min(-std::log(1 - random_.unit()) * static_cast<double>(rate_), kMost));
}

// An allocation is sampled with the probability 1 - exp(-bytes / rate).
double HeapSampler::weight_of(std::size_t bytes) const noexcept {
  if (rate_ <= 1) return 1;
  // A block of 0 bytes has an address of its own.
  return -1 / std::expm1(-static_cast<double>(std::max<std::size_t>(bytes, 1)) / static_cast<double>(rate_));
}

}  // namespace keelson::profiling
