// The objects of a list, or the first ones of a watch, all at the same version.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/sandbox/storage/store.hpp"
#include "src/sandbox/verbs/selection.hpp"

namespace keelson::sandbox {

struct Snapshot {
  std::vector<kube::Object> objects;  // by namespace and name
  std::uint64_t version = 0;
  // Of a list in flight: retains the later writes, which counts the objects that only this snapshot has.
  History::Place place = {};
  bool is_abandoned = false;  // its objects took too much memory and are gone

  void abandon();
};

// Takes a snapshot step by step. The store may change between two steps; the last step applies these changes, so that
// the snapshot shows the store as it is then.
class SnapshotTaker {
 public:
  SnapshotTaker(const Store& store, const ServedKind& kind, Selection selection);

  // Examines up to `objects` more objects, fewer if the selection parses them. True when all are examined.
  [[nodiscard]] bool advance(std::size_t objects);
  // Call it after the last step and before the store changes again.
  [[nodiscard]] Snapshot take() { return std::move(snapshot_); }

 private:
  void begin();
  [[nodiscard]] bool add_changes();

  const Store& store_;
  const ServedKind& kind_;
  const ServedKind* home_ = nullptr;  // where the kind was stored at the first step: a new definition may move it
  Selection selection_;
  Snapshot snapshot_;
  kube::Key next_;  // all objects before this key have been examined
};

// Takes a snapshot in a single step.
[[nodiscard]] Snapshot take_snapshot(const Store& store, const ServedKind& kind, Selection selection);
// Takes a snapshot in slices of time; the loop does other work between them.
[[nodiscard]] boost::asio::awaitable<Snapshot> take_snapshot_in_slices(async::Clock& clock, const Store& store,
                                                                       const ServedKind& kind, Selection selection);

// Changes the snapshot to an earlier version. False if the store's history does not reach back to that version.
[[nodiscard]] bool go_back(Snapshot& snapshot, std::uint64_t version, const Store& store, const ServedKind& kind,
                           const Selection& selection);

}  // namespace keelson::sandbox
