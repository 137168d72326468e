// CronJob of batch/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/batch/v1/job_spec.hpp"
#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::batch::v1 {

// The type of CronJobSpec.jobTemplate.
struct JobTemplateSpec {
  meta::v1::ObjectMeta metadata;
  JobSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const JobTemplateSpec&) const = default;
};

// The type of CronJob.spec.
struct CronJobSpec {
  std::string schedule;                                   // required
  std::optional<std::string> time_zone;                   // timeZone
  std::optional<std::int64_t> starting_deadline_seconds;  // startingDeadlineSeconds
  std::string concurrency_policy;                         // concurrencyPolicy
  std::optional<bool> suspend;
  JobTemplateSpec job_template;                               // jobTemplate, required
  std::optional<std::int32_t> successful_jobs_history_limit;  // successfulJobsHistoryLimit
  std::optional<std::int32_t> failed_jobs_history_limit;      // failedJobsHistoryLimit

  static const kube::StructTable kFields;
  bool operator==(const CronJobSpec&) const = default;
};

// The type of CronJob.status.
struct CronJobStatus {
  kube::ListOf<core::v1::ObjectReference> active;  // applied as a whole
  std::optional<kube::Time> last_schedule_time;    // lastScheduleTime
  std::optional<kube::Time> last_successful_time;  // lastSuccessfulTime

  static const kube::StructTable kFields;
  bool operator==(const CronJobStatus&) const = default;
};

// CronJob, namespaced. `kubectl explain cronjob --recursive` shows what its fields mean.
struct CronJob {
  static constexpr kube::Identity kIdentity{"batch", "v1", "CronJob", "cronjobs"};

  meta::v1::ObjectMeta metadata;
  CronJobSpec spec;  // required
  CronJobStatus status;

  static const kube::StructTable kFields;
  bool operator==(const CronJob&) const = default;
};

}  // namespace keelson::batch::v1
