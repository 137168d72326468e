// The Jobs of a CronJob: whether they have finished, their start times, and their slots.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/cron/zone.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/kube/object.hpp"
#include "src/kinds/cronjob/cronjob.hpp"

namespace keelson::kinds {

// The annotations with the slot of a Job: the original's and that of Kubernetes. Both are written, and the first
// existing one is read.
inline constexpr std::string_view kScheduledAt = "batch.tutorial.kubebuilder.io/scheduled-at";
inline constexpr std::string_view kScheduledTimestamp = "batch.kubernetes.io/cronjob-scheduled-timestamp";

using Slot = std::chrono::sys_seconds;

struct JobFacts {
  enum class End { kNone, kComplete, kFailed };
  JobReference reference;
  End end = End::kNone;  // kNone: the Job is active
  bool deleting = false;
  std::optional<kube::Time> start_time;
  std::optional<kube::Time> completion_time;
  std::optional<kube::Time> failure_time;
  std::string failure;      // of a failed Job: "BackoffLimitExceeded: Job has reached the specified backoff limit"
  bool lacks_pods = false;  // it has begun, and no pod of it exists or has ended: the API server may reject its pods
  bool lacks_ready_pods = false;  // it has pods, none is ready, and none has ended: they may not start
  std::optional<Slot> slot;
  std::string unreadable_slot;  // the text of an annotation that is not a time, or empty
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

// The oldest Jobs beyond the history limits, in the order of their deletion: by start time, those without one first,
// then by name. Jobs that are being deleted are neither counted nor returned.
[[nodiscard]] std::vector<JobFacts> beyond_history(const CronJobSpec& spec, const std::vector<JobFacts>& jobs);

// "<cronjob>-<unix seconds>": a slot has a single name, so that it cannot have two Jobs.
[[nodiscard]] std::string job_name(std::string_view cronjob, Slot slot);

// The Job of a slot as it is applied. kMalformed if the template cannot be read.
[[nodiscard]] Result<std::string> job_body(const kube::Object& cronjob, const CronJobSpec& spec, Slot slot,
                                           cron::Zone zone);

}  // namespace keelson::kinds
