// Computes the status of a CronJob and the Events about its changes. Decisions without I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/kinds/cronjob/cronjob_policy.hpp"

namespace keelson::limits {

// Jobs that a CronJob's status lists as active; it counts all of them.
inline constexpr std::size_t kActiveReferences = 1000;

}  // namespace keelson::limits

namespace keelson::kinds {

// The reason of Events about a time of a Job or of the status that is in the future or not a time.
inline constexpr std::string_view kUnexpectedTime = "UnexpectedScheduleTime";

struct Announcement {
  bool is_warning = false;
  std::string reason;
  std::string note;
  std::optional<JobReference> job{};  // the related object
  bool operator==(const Announcement&) const = default;
};

// Computes the status. `facts` has the Jobs after the plan was executed, and `rejection` the API server's text if it
// rejected the new Job. Conditions keep their transition times while their status is the same.
[[nodiscard]] CronJobStatus compute_cronjob_status(const CronJobFacts& facts, const CronJobPlan& plan,
                                                   const std::optional<std::string>& rejection, async::WallTime now);

// When a Job that has no pod, or no ready one, becomes a problem if it does not change; absent: never.
[[nodiscard]] std::optional<Slot> next_check(const CronJobFacts& facts, async::WallTime now);

// The Events for the changes from the stored status to `status`: Jobs that ended or are missing, and problems that
// prevent runs. `deleted` are the Jobs that this process deleted, which are not missing.
[[nodiscard]] std::vector<Announcement> news(const CronJobFacts& facts, const CronJobPlan& plan,
                                             const CronJobStatus& status, const std::vector<JobReference>& deleted);

}  // namespace keelson::kinds
