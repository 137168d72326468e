// The last reconciles of each object, of all controllers of the process, for /debug/objects and `manager explain`.
//
// It is bounded by the number of objects: the least recently reconciled one is removed for a new one, first among those
// that are deleted. The records of an object are packed (reconcile_record.hpp): as structs they would take eight times
// as much memory. Older records are removed when a new one does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/kube/object.hpp"
#include "src/controller/history_texts.hpp"
#include "src/controller/reconcile_record.hpp"

namespace keelson::limits {

// Reconciles of an object. Fewer are stored if they do not fit into the bytes of the object.
inline constexpr std::size_t kReconcilesPerObject = 8;

}  // namespace keelson::limits

namespace keelson::controller {

class ReconcileHistory {
 public:
  // Identifies a controller of the process; see add_controller().
  using ControllerId = std::uint8_t;

  // `objects` is at least 1 (asserted).
  explicit ReconcileHistory(std::size_t objects);
  ReconcileHistory(const ReconcileHistory&) = delete;
  ReconcileHistory& operator=(const ReconcileHistory&) = delete;

  [[nodiscard]] ControllerId add_controller() { return next_controller_++; }

  // The object of the event for which the key is queued. Dropped if the object is new and the history is full.
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

  // Where a list continues. It need not be an object that is still recorded.
  struct Place {
    ControllerId controller = 0;
    std::string key;
  };
  // Calls `visit` with the objects from the place `from` on, in the order of controllers and keys, until it has
  // returned true `limit` times or a part of all objects is visited. `last` is the packed record of the last reconcile.
  // Returns where to continue; empty if there are no more.
  using Visit = std::function<bool(ControllerId controller, std::string_view key, std::string_view last)>;
  [[nodiscard]] std::optional<Place> list(const Place& from, std::size_t limit, const Visit& visit) const;

  TextTable texts;
  ErrorTable errors;

  [[nodiscard]] std::size_t size() const { return index_.size(); }
  // Those whose last reconcile found that they do not exist.
  [[nodiscard]] std::size_t gone() const { return gone_.size(); }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  // Bytes of memory, with all tables.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Object {
    ControllerId controller;
    std::string key;
    std::vector<RecordedReason> reasons;  // at most limits::kRecordedReasons
    std::string records;                  // packed, the oldest first, each with its size in the first byte
  };
  using Objects = std::list<Object>;  // the most recently reconciled first
  using ObjectId = std::pair<ControllerId, std::string_view>;

  [[nodiscard]] const Object* find(ControllerId controller, const kube::Key& key) const;
  // Adds an object that is new, and removes another one if the history is full.
  [[nodiscard]] Objects::iterator obtain(ControllerId controller, const kube::Key& key);
  // Deleted objects, or all others, by the newest record.
  [[nodiscard]] Objects& order_of(const Object& object);
  [[nodiscard]] static std::size_t heap_bytes_of(const Object& object);

  std::size_t limit_;
  Observer observer_;
  Objects present_;
  Objects gone_;
  std::map<ObjectId, Objects::iterator> index_;  // its keys are those of the objects
  std::size_t heap_bytes_ = 0;                   // of all objects
  ControllerId next_controller_ = 0;
};

// The history as a controller uses it.
struct OwnHistory {
  ReconcileHistory* all = nullptr;  // null: off
  ReconcileHistory::ControllerId controller = 0;
};

}  // namespace keelson::controller
