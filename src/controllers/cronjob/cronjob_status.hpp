// The status of a CronJob from what can be seen of it, and what is worth an Event: plain decisions, no I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/controllers/cronjob/cronjob_steps.hpp"

namespace keelson::controllers {

// The reason of Events about a time of a Job or of the status that is in the future, or is no time.
inline constexpr std::string_view kUnexpectedTime = "UnexpectedScheduleTime";

struct Announcement {
  bool is_warning = false;
  std::string reason;
  std::string note;
  std::optional<JobReference> job{};  // which it is about
  bool operator==(const Announcement&) const = default;
};

// `facts` hold the Jobs as they are after the plan was followed, `refusal` the words with which the API server did not
// want the new Job. Conditions keep their transition times.
[[nodiscard]] CronJobStatus judge_cronjob(const CronJobFacts& facts, const CronJobPlan& plan,
                                          const std::optional<std::string>& refusal, async::WallTime now);

// What `status` says that the stored one did not: Jobs that ended or went missing, and what keeps runs from starting.
// `deleted` are those that we deleted ourselves.
[[nodiscard]] std::vector<Announcement> news(const CronJobFacts& facts, const CronJobPlan& plan,
                                             const CronJobStatus& status, const std::vector<JobReference>& deleted);

}  // namespace keelson::controllers
