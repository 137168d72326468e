#include "src/queue/entry_table.hpp"

#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::queue {

namespace {

static_assert(std::is_trivially_destructible_v<Entry>);

std::uint32_t hash_of(std::string_view key) {
  auto hash = base::TextHash{}(key);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

// The size of an entry's block, rounded up so that the next block is aligned.
std::size_t block_bytes(std::size_t key_size) {
  return (sizeof(Entry) + key_size + alignof(Entry) - 1) / alignof(Entry) * alignof(Entry);
}

}  // namespace

EntryTable::~EntryTable() {
  for (Entry* entry : buckets_) {
    while (entry != nullptr) {
      auto* next = entry->chain;
      give_back(entry, block_bytes(entry->key_size));
      entry = next;
    }
  }
}

Entry* EntryTable::find(std::string_view key) const {
  if (size_ == 0) return nullptr;
  auto hash = hash_of(key);
  auto* entry = buckets_[hash & (buckets_.size() - 1)];
  while (entry != nullptr && (entry->hash != hash || entry->key() != key)) entry = entry->chain;
  return entry;
}

Entry& EntryTable::find_or_add(std::string_view key) {
  if (auto* found = find(key)) return *found;
  if (size_ == buckets_.size()) grow();
  auto* entry = ::new (take(block_bytes(key.size()))) Entry;
  entry->hash = hash_of(key);
  entry->key_size = static_cast<std::uint32_t>(key.size());
  std::memcpy(static_cast<void*>(entry + 1), key.data(), key.size());
  entry->chain = std::exchange(*bucket(entry->hash), entry);
  ++size_;
  return *entry;
}

void EntryTable::erase(Entry& entry) {
  auto** link = bucket(entry.hash);
  while (*link != &entry) link = &(*link)->chain;
  *link = entry.chain;
  give_back(&entry, block_bytes(entry.key_size));
  if (--size_ == 0 && chunks_.size() > 1) release();
}

void EntryTable::erase_queued() {
  std::vector<Entry*> queued;
  for (Entry* entry : buckets_) {
    for (; entry != nullptr; entry = entry->chain) {
      if (!entry->working) queued.push_back(entry);
    }
  }
  for (Entry* entry : queued) erase(*entry);
}

void* EntryTable::take(std::size_t bytes) {
  if (bytes > kPooledBytes) return ::operator new(bytes);
  auto& free = free_[bytes / alignof(Entry)];
  if (free != nullptr) return std::exchange(free, free->next);
  if (chunk_used_ + bytes > kChunkBytes) {
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kChunkBytes));
    chunk_used_ = 0;
  }
  return chunks_.back().get() + std::exchange(chunk_used_, chunk_used_ + bytes);
}

void EntryTable::give_back(void* block, std::size_t bytes) {
  if (bytes > kPooledBytes) return ::operator delete(block);
  auto& free = free_[bytes / alignof(Entry)];
  free = ::new (block) Free{free};
}

void EntryTable::release() {
  buckets_ = std::vector<Entry*>();
  chunks_ = std::vector<Chunk>();
  chunk_used_ = kChunkBytes;
  free_.fill(nullptr);
}

void EntryTable::grow() {
  constexpr std::size_t kFirstBuckets = 16;
  auto old = std::exchange(buckets_, std::vector<Entry*>(buckets_.empty() ? kFirstBuckets : buckets_.size() * 2));
  for (Entry* entry : old) {
    while (entry != nullptr) {
      auto* next = entry->chain;
      entry->chain = std::exchange(*bucket(entry->hash), entry);
      entry = next;
    }
  }
}

}  // namespace keelson::queue
