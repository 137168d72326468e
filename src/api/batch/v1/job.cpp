#include "keelson/api/batch/v1/job.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::batch::v1 {

constexpr kube::StructTable::Field kJobConditionFields[] = {
    KEELSON_TABLE_FIELD(JobCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(JobCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(JobCondition, last_probe_time, "lastProbeTime", kOptional),
    KEELSON_TABLE_FIELD(JobCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(JobCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(JobCondition, message, "message", kOptional),
};
constinit const kube::StructTable JobCondition::kFields(kJobConditionFields);

constexpr kube::StructTable::Field kUncountedTerminatedPodsFields[] = {
    KEELSON_TABLE_FIELD(UncountedTerminatedPods, succeeded, "succeeded", kOptional),
    KEELSON_TABLE_FIELD(UncountedTerminatedPods, failed, "failed", kOptional),
};
constinit const kube::StructTable UncountedTerminatedPods::kFields(kUncountedTerminatedPodsFields);

constexpr kube::StructTable::Field kJobStatusFields[] = {
    KEELSON_TABLE_FIELD(JobStatus, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, start_time, "startTime", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, completion_time, "completionTime", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, active, "active", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, succeeded, "succeeded", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, failed, "failed", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, terminating, "terminating", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, completed_indexes, "completedIndexes", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, failed_indexes, "failedIndexes", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, uncounted_terminated_pods, "uncountedTerminatedPods", kOptional),
    KEELSON_TABLE_FIELD(JobStatus, ready, "ready", kOptional),
};
constinit const kube::StructTable JobStatus::kFields(kJobStatusFields);

constexpr kube::StructTable::Field kJobFields[] = {
    KEELSON_TABLE_FIELD(Job, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Job, spec, "spec", kOptional),
    KEELSON_TABLE_FIELD(Job, status, "status", kOptional),
};
constinit const kube::StructTable Job::kFields(kJobFields);

}  // namespace keelson::batch::v1
