#include "keelson/api/batch/v1/cron_job.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::batch::v1 {

constexpr kube::StructTable::Field kJobTemplateSpecFields[] = {
    KEELSON_TABLE_FIELD(JobTemplateSpec, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(JobTemplateSpec, spec, "spec", kOptional),
};
constinit const kube::StructTable JobTemplateSpec::kFields(kJobTemplateSpecFields);

constexpr kube::StructTable::Field kCronJobSpecFields[] = {
    KEELSON_TABLE_FIELD(CronJobSpec, schedule, "schedule", kRequired),
    KEELSON_TABLE_FIELD(CronJobSpec, time_zone, "timeZone", kOptional),
    KEELSON_TABLE_FIELD(CronJobSpec, starting_deadline_seconds, "startingDeadlineSeconds", kOptional),
    KEELSON_TABLE_FIELD(CronJobSpec, concurrency_policy, "concurrencyPolicy", kOptional),
    KEELSON_TABLE_FIELD(CronJobSpec, suspend, "suspend", kOptional),
    KEELSON_TABLE_FIELD(CronJobSpec, job_template, "jobTemplate", kRequired),
    KEELSON_TABLE_FIELD(CronJobSpec, successful_jobs_history_limit, "successfulJobsHistoryLimit", kOptional),
    KEELSON_TABLE_FIELD(CronJobSpec, failed_jobs_history_limit, "failedJobsHistoryLimit", kOptional),
};
constinit const kube::StructTable CronJobSpec::kFields(kCronJobSpecFields);

constexpr kube::StructTable::Field kCronJobStatusFields[] = {
    KEELSON_TABLE_FIELD(CronJobStatus, active, "active", kOptional),
    KEELSON_TABLE_FIELD(CronJobStatus, last_schedule_time, "lastScheduleTime", kOptional),
    KEELSON_TABLE_FIELD(CronJobStatus, last_successful_time, "lastSuccessfulTime", kOptional),
};
constinit const kube::StructTable CronJobStatus::kFields(kCronJobStatusFields);

constexpr kube::StructTable::Field kCronJobFields[] = {
    KEELSON_TABLE_FIELD(CronJob, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(CronJob, spec, "spec", kRequired),
    KEELSON_TABLE_FIELD(CronJob, status, "status", kOptional),
};
constinit const kube::StructTable CronJob::kFields(kCronJobFields);

}  // namespace keelson::batch::v1
