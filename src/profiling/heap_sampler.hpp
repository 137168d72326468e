// Chooses allocations as samples and counts them by stack; called by the allocation functions of a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "keelson/detail/base/random.hpp"
#include "keelson/detail/profiling/heap_profile.hpp"
#include "src/profiling/stack_table.hpp"

namespace keelson::limits {

// Sampled blocks that are in use: 4 GiB of memory at a sample per 512 KiB. Further ones count as allocated, but not as
// in use.
inline constexpr std::size_t kHeapSamples = 8192;

}  // namespace keelson::limits

namespace keelson::profiling {

// Sampled blocks that are in use, by their addresses, in memory that is allocated once.
class LiveBlocks {
 public:
  struct Block {
    std::uintptr_t address = 0;  // 0: this slot is free
    std::size_t bytes = 0;
    StackTable::Entry* entry = nullptr;
  };

  LiveBlocks();

  [[nodiscard]] Block* find(std::uintptr_t address) noexcept;
  // False if there is no room. The address must not be in use.
  [[nodiscard]] bool add(const Block& block) noexcept;
  // `block` is a result of find().
  void remove(Block* block) noexcept;
  template <class Visit>
  void for_each(Visit visit) noexcept {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (blocks_[slot].address != 0) visit(blocks_[slot]);
    }
  }

 private:
  static constexpr std::size_t kSlots = 2 * limits::kHeapSamples;
  static_assert((kSlots & (kSlots - 1)) == 0, "a slot is chosen by bits of the hash");

  [[nodiscard]] static std::size_t slot_of(std::uintptr_t address) noexcept;

  std::unique_ptr<Block[]> blocks_;  // never more than half full, so that a search ends at a free slot
  std::size_t count_ = 0;
};

class HeapSampler {
 public:
  // The places of a stack's values.
  enum Value : std::size_t { kAllocatedObjects, kAllocatedBytes, kUsedObjects, kUsedBytes };

  explicit HeapSampler(const HeapOptions& options);

  // An allocation function returns `block` to `caller`.
  void allocated(void* block, std::size_t bytes, const void* caller) noexcept {
    if (block == nullptr) return;
    countdown_ -= static_cast<std::int64_t>(bytes);
    if (countdown_ < 0) [[unlikely]] {
      take(block, bytes, caller);
    }
  }
  // `address` is about to be freed, or has been.
  void freed(std::uintptr_t address) noexcept;

  [[nodiscard]] StackTable& table() { return table_; }
  // The allocations, by Value, that the table of stacks had no room for, and those of stacks that were removed.
  [[nodiscard]] const StackTable::Values& lost() const { return lost_.values; }
  [[nodiscard]] std::size_t rate() const { return rate_; }

 private:
  void take(void* block, std::size_t bytes, const void* caller) noexcept;
  [[nodiscard]] StackTable::Entry& entry_of(std::span<const std::uintptr_t> stack) noexcept;
  void remove_stacks_without_blocks() noexcept;
  [[nodiscard]] std::int64_t next_countdown() noexcept;
  // The number of allocations of this size for which a sample stands.
  [[nodiscard]] double weight_of(std::size_t bytes) const noexcept;

  std::size_t rate_;
  base::Random random_;
  std::int64_t countdown_;  // bytes until the next sample
  StackTable table_;
  LiveBlocks live_;
  StackTable::Entry lost_;
  std::size_t lost_until_removal_ = 0;  // samples without room, before stacks are removed again
};

// The sampler of this thread; null: allocations are not sampled. The allocation functions have no argument of ours.
extern constinit thread_local HeapSampler* heap_sampler;

// True if this program was linked with our allocation functions.
[[nodiscard]] bool has_allocation_hooks() noexcept;

}  // namespace keelson::profiling
