// Sums of values for each distinct stack, in memory that is allocated once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace keelson::limits {

// Distinct stacks of a profile, and frames of all of them together: 800 KiB, and 5 ms to write the largest profile.
// Samples of further stacks are counted as lost; a heap profile first removes stacks whose memory was freed.
inline constexpr std::size_t kProfileStacks = 4096;
inline constexpr std::size_t kProfileFrames = 65536;

}  // namespace keelson::limits

namespace keelson::profiling {

// find_or_add() is safe in a signal handler that interrupts the only other user of the table, if that user does not
// change it: a CPU profile is read after its last signal.
class StackTable {
 public:
  // Values are sums of weights, so they are not whole.
  using Values = std::array<double, 4>;
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t first = 0;
    std::uint32_t depth = 0;
    std::uint32_t users = 0;  // an entry with users is not removed
    std::uint32_t place = 0;  // the number of the entry after the next compact(), from plan_compaction()
    Values values{};
  };

  StackTable();

  // The entry of the stack; null if the table has no room for another stack.
  [[nodiscard]] Entry* find_or_add(std::span<const std::uintptr_t> stack) noexcept;

  // To make room, entries without users are removed, which moves the others. Between the two steps, each user replaces
  // its pointer to an entry by moved(). compact() adds the values of the removed entries to `removed` and returns their
  // number.
  void plan_compaction() noexcept;
  [[nodiscard]] Entry* moved(const Entry* entry) noexcept { return &entries_[entry->place]; }
  std::size_t compact(Values& removed) noexcept;

  [[nodiscard]] std::span<Entry> entries() { return {entries_.get(), count_}; }
  [[nodiscard]] std::span<const std::uintptr_t> stack_of(const Entry& entry) const {
    return {frames_.get() + entry.first, entry.depth};
  }

 private:
  static constexpr std::size_t kSlots = 2 * limits::kProfileStacks;
  static_assert((kSlots & (kSlots - 1)) == 0, "a slot is chosen by the lowest bits of the hash");

  [[nodiscard]] Entry* add(std::uint64_t hash, std::span<const std::uintptr_t> stack) noexcept;
  void fill_slots() noexcept;

  // Pages of entries and frames that were never used take no memory.
  std::unique_ptr<Entry[]> entries_;
  std::unique_ptr<std::uintptr_t[]> frames_;
  std::unique_ptr<std::uint32_t[]> slots_;  // the number of an entry plus 1; 0: free
  std::size_t count_ = 0;
  std::size_t used_frames_ = 0;
};

}  // namespace keelson::profiling
