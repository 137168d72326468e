// Decides without I/O whether a child is updated that another writer changes back again and again.
//
// A correction is an update that sends the same desired state as the last one, because the same field differs again.
// After kCorrections of them the child is contested: two writers disagree about the field, and each update only makes
// the other one write again. From then on the child is updated once per kContestedInterval, until a whole interval
// passes without a change of the field, or the desired state itself changes.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/controller/managed_field.hpp"
#include "src/controller/recent_map.hpp"

namespace keelson::limits {

// Children of a controller whose corrections are counted, those with the latest updates first (at most about 4 MB).
inline constexpr std::size_t kCorrectedChildren = 4096;

}  // namespace keelson::limits

namespace keelson::controller {

// The update with the first desired state and these corrections are 4 writes. With those of the other writer the
// conflict is detected within 10 writes.
inline constexpr int kCorrections = 3;

// Corrections that are further apart are independent: a user who edits a field now and then.
inline constexpr std::chrono::minutes kCorrectionGap(10);

// A child is updated less than once per minute. That holds also for two managers without a common lease, each of which
// is the other one's conflict: each waits for the interval after the other one's update.
inline constexpr std::chrono::seconds kContestedInterval(65);

class ConflictPolicy {
 public:
  struct Decision {
    std::optional<async::Duration> wait;  // the child is contested: do not send the update before this time has passed
    bool is_new = false;                  // this update would be the first one that is not sent
    bool has_ended = false;               // the child was contested until now
    bool is_correction = false;           // the update that is sent corrects a field that was corrected before
  };
  // Called before an update. `child` identifies the object ("deployments.apps default/web"), `hash` the desired state.
  // The update must be sent if the decision has no `wait`, and reported with updated() if it succeeds: a failed update
  // is repeated because of its error, and not because of another writer.
  [[nodiscard]] Decision before_update(const std::string& child, const std::string& hash, const ManagedField& field,
                                       async::TimePoint now);

  void updated(const std::string& child);

  // Called if the child has the desired state. `wait`: the conflict is over if the child stays as it is for this time.
  [[nodiscard]] Decision unchanged(const std::string& child, async::TimePoint now);

  // A text about the conflict, which is stored as long as the child is contested; empty if there is none.
  void report(const std::string& child, std::string text);
  [[nodiscard]] std::string report_of(const std::string& child);

  // The child is deleted, or no longer desired.
  void forget(const std::string& child) { entries_.erase(child); }

  // The number of contested children that passes have observed lately. Those of owners that are gone do not count.
  [[nodiscard]] std::size_t contested(async::TimePoint now);

 private:
  struct Entry {
    std::string hash;
    // By field, the latest ones: two writers may change different fields in turns.
    std::vector<std::pair<ManagedField, int>> corrections = {};
    async::TimePoint last_update{};
    async::TimePoint last_pass{};  // in which the child was observed; while it is contested, at least once per interval
    bool is_stored = false;        // the last update succeeded
    bool is_contested = false;
    std::string report = {};
  };
  [[nodiscard]] static int count_correction(Entry& entry, const ManagedField& field);

  RecentMap<Entry> entries_{limits::kCorrectedChildren};
};

}  // namespace keelson::controller
