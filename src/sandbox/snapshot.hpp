// The objects that a list or a watch begins with, as all of them were at one version.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/sandbox/selection.hpp"
#include "src/sandbox/store.hpp"

namespace keelson::sandbox {

struct Snapshot {
  std::vector<kube::Object> objects;  // by namespace and name
  std::uint64_t version = 0;
};

// Takes a snapshot step by step. The store may change between two steps: what changed meanwhile is put right at the
// end, so that the snapshot is of the moment when it was complete.
class SnapshotTaker {
 public:
  SnapshotTaker(const Store& store, const ServedKind& kind, Selection selection);

  // Looks at so many more objects, or at fewer if the selection has to read them; true when it has looked at all.
  [[nodiscard]] bool advance(std::size_t objects);
  // After the last step, and before the store changes again.
  [[nodiscard]] Snapshot take() { return std::move(snapshot_); }

 private:
  void begin();
  [[nodiscard]] bool add_changes();

  const Store& store_;
  const ServedKind& kind_;
  const ServedKind* home_ = nullptr;  // of the kind, at the first step: a new definition may store it elsewhere
  Selection selection_;
  Snapshot snapshot_;
  kube::Key next_;  // nothing before it is left to be looked at
};

// Takes one in a single step.
[[nodiscard]] Snapshot take_snapshot(const Store& store, const ServedKind& kind, Selection selection);
// The loop does other work meanwhile.
[[nodiscard]] boost::asio::awaitable<Snapshot> take_snapshot_in_slices(async::Clock& clock, const Store& store,
                                                                       const ServedKind& kind, Selection selection);

// Makes it what it was at an earlier version, by the store's history; false if that does not reach so far back.
[[nodiscard]] bool go_back(Snapshot& snapshot, std::uint64_t version, const Store& store, const ServedKind& kind,
                           const Selection& selection);

}  // namespace keelson::sandbox
