// CronJob of batch/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/batch/v1/job_spec.hpp"
#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"

namespace keelson::batch::v1 {

struct JobTemplateSpec {
  meta::v1::ObjectMeta metadata;
  JobSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const JobTemplateSpec&) const = default;
};

struct CronJobSpec {
  std::string schedule;
  std::optional<std::string> time_zone;
  std::optional<std::int64_t> starting_deadline_seconds;
  std::string concurrency_policy;
  std::optional<bool> suspend;
  JobTemplateSpec job_template;
  std::optional<std::int32_t> successful_jobs_history_limit;
  std::optional<std::int32_t> failed_jobs_history_limit;

  static const kube::StructTable kFields;
  bool operator==(const CronJobSpec&) const = default;
};

struct CronJobStatus {
  kube::ListOf<core::v1::ObjectReference> active;
  std::optional<kube::Time> last_schedule_time;
  std::optional<kube::Time> last_successful_time;

  static const kube::StructTable kFields;
  bool operator==(const CronJobStatus&) const = default;
};

struct CronJob {
  static constexpr kube::Identity kIdentity{"batch", "v1", "CronJob", "cronjobs"};

  meta::v1::ObjectMeta metadata;
  CronJobSpec spec;
  CronJobStatus status;

  static const kube::StructTable kFields;
  bool operator==(const CronJob&) const = default;
};

}  // namespace keelson::batch::v1
