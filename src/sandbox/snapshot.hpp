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

  // Looks at so many more objects; true when it has looked at all of them.
  [[nodiscard]] bool advance(std::size_t objects);
  // After the last step, and before the store changes again.
  [[nodiscard]] Snapshot take() { return std::move(snapshot_); }

 private:
  void begin();
  [[nodiscard]] bool add_changes();

  const Store& store_;
  const ServedKind& kind_;
  Selection selection_;
  Snapshot snapshot_;
  kube::Key next_;  // nothing before it is left to be looked at
};

// At once.
[[nodiscard]] Snapshot take_snapshot(const Store& store, const ServedKind& kind, Selection selection);
// While the loop goes on with other work.
[[nodiscard]] boost::asio::awaitable<Snapshot> take_snapshot_in_slices(async::Clock& clock, const Store& store,
                                                                       const ServedKind& kind, Selection selection);

// Makes it what it was at an earlier version, by the store's history; false if that does not reach so far back.
[[nodiscard]] bool go_back(Snapshot& snapshot, std::uint64_t version, const Store& store, const ServedKind& kind,
                           const Selection& selection);

}  // namespace keelson::sandbox
