// Paces keys whose passes request the next one without a delay, and counts how often each key is reconciled. Without
// I/O.
//
// A reconciler that requests the next pass immediately whatever it finds, or whose every pass changes its own status or
// a child, would occupy the loop, and the API server, for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/controller/controller.hpp"

namespace keelson::limits {

// Passes of a key in a row that request the next one without a delay, before they are paced. A reconciler that works in
// steps needs a few of them; a reconciler that always requests one would occupy the loop.
inline constexpr int kImmediateRequeues = 10;

// Reconciles of a key within a minute from which on the status pages report it: 50 per second, for a whole minute. A
// reconciler whose every pass changes its own status reaches about twice as many. And the keys that are counted.
inline constexpr std::uint64_t kBusyReconciles = 3000;
inline constexpr std::size_t kCountedKeys = 16;

}  // namespace keelson::limits

namespace keelson::controller {

class ReconcilePace {
 public:
  // A pass of `key` has ended and requests the next one after `delay`. Returns the delay that counts: the first
  // limits::kImmediateRequeues requests in a row for a delay below kShortest are granted, and further ones wait kPace.
  // A new `generation` of the object begins another row, because a reconciler may work in steps that change the spec. A
  // new status does not: a status that every pass changes ends no row.
  [[nodiscard]] async::Duration requeued(const std::string& key, async::Duration delay, std::int64_t generation);
  // A pass of `key` has ended in another way.
  void ended(const std::string& key);

  // Counts a pass of `key`, among at most limits::kCountedKeys keys. Keys that are reconciled much more often than the
  // others remain (the algorithm of Misra and Gries).
  void count(std::string_view key, async::TimePoint now);

  // The keys that requested too many passes in a row, and those that were reconciled more than limits::kBusyReconciles
  // times within a minute, at most limits::kNotedKeys.
  [[nodiscard]] std::vector<BusyKey> busy(async::TimePoint now) const;
  // The same for a key; `reconciles` and `immediate` are 0 if it is not busy.
  [[nodiscard]] BusyKey busy(std::string_view key, async::TimePoint now) const;

  static constexpr std::chrono::milliseconds kShortest{5};
  static constexpr std::chrono::seconds kPace{1};
  static constexpr std::chrono::minutes kWindow{1};

 private:
  struct Row {
    int requests = 0;
    std::int64_t generation = 0;
  };
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;
  // The number of passes in the current window, or in the one before it if that is more.
  [[nodiscard]] std::uint64_t count_of(std::string_view key, async::TimePoint now) const;
  void begin_window(async::TimePoint now);

  std::map<std::string, Row, std::less<>> immediate_;  // only keys whose last pass requested the next one immediately
  async::TimePoint window_{};                          // its begin
  Counts counts_;
  Counts counts_before_;  // of the window before
};

}  // namespace keelson::controller
