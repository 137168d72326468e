// The last reconciles of each object, of all controllers of the process, for /debug/objects and `manager explain`.
//
// It is bounded by the number of objects: the least recently reconciled one is removed for a new one, first among those
// that are deleted. An object has a
// slot of a fixed size with its key, its last records and the reasons for which it is queued; older records are removed
// when a new one does not fit. Slots are in chunks, so they do not fragment the heap between the objects of the cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/kube/key.hpp"
#include "src/controller/history_texts.hpp"
#include "src/controller/reconcile_record.hpp"

namespace keelson::controller {

class ReconcileHistory {
 public:
  // Identifies a controller of the process; see add_controller().
  using ControllerId = std::uint8_t;

  // `objects` is at least 1 (asserted).
  explicit ReconcileHistory(std::size_t objects);
  ReconcileHistory(const ReconcileHistory&) = delete;
  ReconcileHistory& operator=(const ReconcileHistory&) = delete;
  ~ReconcileHistory();

  [[nodiscard]] ControllerId add_controller() { return next_controller_++; }

  // The object of the event for which the key is queued. Dropped if the object has no slot and all are in use.
  void add_reason(ControllerId controller, const kube::Key& key, const RecordedReason& reason);
  // Those since the last call.
  [[nodiscard]] std::vector<RecordedReason> take_reasons(ControllerId controller, const kube::Key& key);
  void add(ControllerId controller, const kube::Key& key, const ReconcileRecord& record);

  // Called with each record of add(); an empty function ends it.
  using Observer = std::function<void(ControllerId controller, const kube::Key& key, const ReconcileRecord& record)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  [[nodiscard]] std::vector<RecordedReason> reasons(ControllerId controller, const kube::Key& key) const;
  // The newest first.
  [[nodiscard]] std::vector<ReconcileRecord> records(ControllerId controller, const kube::Key& key) const;

  // Calls `visit` with the objects from the place `from` on, until it has returned true `limit` times or a part of all
  // objects is visited. `last` is the packed record of the last reconcile. Returns where to continue; 0 if there are no
  // more. Objects keep their place, so that a list continues correctly while others are added.
  using Visit = std::function<bool(ControllerId controller, std::string_view key, std::string_view last)>;
  [[nodiscard]] std::size_t list(std::size_t from, std::size_t limit, const Visit& visit) const;

  TextTable texts;
  ErrorTable errors;

  [[nodiscard]] std::size_t size() const { return slots_; }
  // Those whose last reconcile found that they do not exist.
  [[nodiscard]] std::size_t gone() const { return gone_.size; }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  // Bytes of memory, with all tables.
  [[nodiscard]] std::size_t bytes() const;

 private:
  using Place = std::uint32_t;  // of a slot, from 1; 0: none
  static constexpr std::size_t kDataBytes = 160;
  // A longer key has a separate allocation.
  static constexpr std::size_t kInlineKeyBytes = 64;
  static constexpr std::size_t kReasonBytes = 48;
  static constexpr std::size_t kRecordBytes = 92;  // a single reconcile does not displace all others
  static constexpr std::size_t kSlotsPerChunk = 64;

  struct Slot {
    Place newer = 0;  // in its Order
    Place older = 0;
    std::uint32_t hash = 0;
    std::uint16_t key_size = 0;
    ControllerId controller = 0;
    std::uint8_t used = 0;  // bytes of `data`
    // The key, or a pointer to it; the packed reasons; the records from the oldest on. Reasons and records have their
    // size in the first byte.
    std::array<char, kDataBytes> data{};
  };
  using Chunk = std::unique_ptr<Slot[]>;

  [[nodiscard]] Slot& slot(Place place) { return chunks_[(place - 1) / kSlotsPerChunk][(place - 1) % kSlotsPerChunk]; }
  [[nodiscard]] const Slot& slot(Place place) const {
    return chunks_[(place - 1) / kSlotsPerChunk][(place - 1) % kSlotsPerChunk];
  }
  [[nodiscard]] static std::string_view key_of(const Slot& slot);
  [[nodiscard]] static std::size_t key_bytes(const Slot& slot);
  [[nodiscard]] static std::string_view reasons_of(const Slot& slot);
  [[nodiscard]] static std::string_view records_of(const Slot& slot);
  // Replaces what follows the key. What does not fit is dropped: records without writes
  // and errors first, then the oldest records, but never the newest one, and then
  // the last reasons.
  static void store(Slot& slot, std::string_view reasons, std::string_view records);
  static void set_key(Slot& slot, std::string_view key);
  static void free_key(Slot& slot);

  [[nodiscard]] Place find(ControllerId controller, std::string_view key) const;
  // The slot is in no order yet.
  [[nodiscard]] Place take_place(ControllerId controller, std::string_view key);
  void insert(Place place);
  void erase_from_index(Place place);
  void grow_index();
  // Objects in the order of their last reconciles.
  struct Order {
    Place newest = 0;
    Place oldest = 0;
    std::size_t size = 0;
  };
  // That of deleted objects, or of all others, by the newest record of the slot.
  [[nodiscard]] Order& order_of(const Slot& slot);
  void link(Place place);
  void unlink(Place place);

  std::size_t limit_;
  Observer observer_;
  std::vector<Chunk> chunks_;
  std::size_t slots_ = 0;
  std::vector<Place> index_;  // a power of two, with linear probing
  Order present_;
  Order gone_;
  std::size_t long_key_bytes_ = 0;
  ControllerId next_controller_ = 0;
};

}  // namespace keelson::controller
