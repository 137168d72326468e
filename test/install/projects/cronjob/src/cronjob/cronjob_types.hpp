// The kind CronJob: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/batch/v1/cron_job.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace cronjob {

// The desired state, which users write. The webhook sets the optional fields.
struct CronJobSpec {
  std::string schedule;
  std::optional<std::int64_t> starting_deadline_seconds;
  std::optional<std::string> concurrency_policy;
  std::optional<bool> suspend;
  keelson::batch::v1::JobTemplateSpec job_template;
  std::optional<std::int32_t> successful_jobs_history_limit;
  std::optional<std::int32_t> failed_jobs_history_limit;
};

// The observed state, which the controller writes.
struct CronJobStatus {
  std::vector<std::string> active;
  std::optional<keelson::kube::Time> last_schedule_time;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// The names, rules and documentation of the fields, from which the CRD follows.
void describe(keelson::kube::Description& d, CronJobSpec& spec);
void describe(keelson::kube::Description& d, CronJobStatus& status);

struct CronJob : keelson::CustomResource<CronJobSpec, CronJobStatus> {
  static constexpr keelson::kube::Identity kIdentity{"batch.tutorial.kubebuilder.io", "v1", "CronJob"};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace cronjob
