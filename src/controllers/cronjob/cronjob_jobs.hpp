// What the Jobs of a CronJob say: whether they are done, when they began, and which slot they are for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/cron/zone.hpp"
#include "keelson/json/projection.hpp"
#include "keelson/kube/object.hpp"
#include "src/controllers/cronjob/cronjob_types.hpp"

namespace keelson::controllers {

// The slot a Job is for. The seed's annotation, and the one that Kubernetes writes: both are written, the first that is
// there is read.
inline constexpr std::string_view kScheduledAt = "batch.tutorial.kubebuilder.io/scheduled-at";
inline constexpr std::string_view kScheduledTimestamp = "batch.kubernetes.io/cronjob-scheduled-timestamp";

using Slot = std::chrono::sys_seconds;

struct JobFacts {
  enum class End { kNone, kComplete, kFailed };
  JobReference reference;
  End end = End::kNone;  // kNone: it is active
  bool deleting = false;
  std::optional<kube::Time> start_time;
  std::optional<kube::Time> completion_time;
  std::optional<kube::Time> failure_time;
  std::optional<Slot> slot;
  std::string unreadable_slot;  // an annotation that is no time, or empty
};

// The paths of a Job that are read.
[[nodiscard]] json::Projection job_projection();
[[nodiscard]] Result<JobFacts> look_at_job(const kube::Object& job);

struct JobCounts {
  std::size_t active = 0;
  std::size_t successful = 0;
  std::size_t failed = 0;
};
[[nodiscard]] JobCounts count_jobs(const std::vector<JobFacts>& jobs);

// Those beyond the limits, the oldest: by start time, those that never began first, then by name. What is being deleted
// is neither counted nor chosen. In the order in which they should go.
[[nodiscard]] std::vector<JobFacts> beyond_history(const CronJobSpec& spec, const std::vector<JobFacts>& jobs);

// "<cronjob>-<unix seconds>": one name a slot, so that no slot can have two Jobs.
[[nodiscard]] std::string job_name(std::string_view cronjob, Slot slot);

// The Job of a slot as it is applied. kMalformed when the template cannot be read.
[[nodiscard]] Result<std::string> job_body(const kube::Object& cronjob, const CronJobSpec& spec, Slot slot,
                                           cron::Zone zone);

}  // namespace keelson::controllers
