// EntryTable: the keys of a queue with their state, a block of memory per key that contains the key's text.
//
// A hundred thousand idle keys wait in a queue, so an entry has no container and no second copy of its key. Blocks come
// from chunks that the table owns: between the objects of the cache they would fragment the heap. Freed blocks are used
// for other keys; almost all memory is freed when no key is left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/queue/reason_sets.hpp"

namespace keelson::queue {

enum class Place : std::uint8_t { kNowhere, kWaiting, kReady, kHeldBack };

// An entry never moves. The text of its key follows it in the block.
struct Entry {
  Entry* chain = nullptr;     // the next entry of its bucket
  Entry* previous = nullptr;  // in the list of its class
  Entry* next = nullptr;
  async::TimePoint since;  // waiting: when it becomes ready; ready and held back: since when
  std::uint32_t hash = 0;
  std::uint32_t key_size = 0;
  std::uint32_t heap_index = 0;
  int priority = 0;
  int failures = 0;
  ReasonSets::Id reasons = ReasonSets::kNone;
  Place place = Place::kNowhere;
  bool working = false;

  [[nodiscard]] std::string_view key() const { return {reinterpret_cast<const char*>(this + 1), key_size}; }
};

class EntryTable {
 public:
  EntryTable() = default;
  EntryTable(const EntryTable&) = delete;
  EntryTable& operator=(const EntryTable&) = delete;
  ~EntryTable();

  [[nodiscard]] Entry* find(std::string_view key) const;
  [[nodiscard]] Entry& find_or_add(std::string_view key);
  void erase(Entry& entry);
  // Erases all entries that are not in progress.
  void erase_queued();
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    Free* next = nullptr;
  };
  using Chunk = std::unique_ptr<std::byte[]>;
  static constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
  // Namespace and name of an object are shorter; a longer key gets a separate allocation.
  static constexpr std::size_t kPooledBytes = 640;

  [[nodiscard]] Entry** bucket(std::uint32_t hash) { return &buckets_[hash & (buckets_.size() - 1)]; }
  [[nodiscard]] void* take(std::size_t bytes);
  void give_back(void* block, std::size_t bytes);
  void release();
  void grow();

  std::vector<Entry*> buckets_;  // a power of two, at least as many as keys
  std::size_t size_ = 0;
  std::vector<Chunk> chunks_;
  std::size_t chunk_used_ = kChunkBytes;  // of the last one
  std::array<Free*, kPooledBytes / alignof(Entry) + 1> free_{};
};

}  // namespace keelson::queue
