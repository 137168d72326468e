// Job of batch/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/batch/v1/job_spec.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::batch::v1 {

// The type of JobStatus.conditions.
struct JobCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_probe_time;       // lastProbeTime
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const JobCondition&) const = default;
};

// The type of JobStatus.uncountedTerminatedPods.
struct UncountedTerminatedPods {
  std::vector<std::string> succeeded;
  std::vector<std::string> failed;

  static const kube::StructTable kFields;
  bool operator==(const UncountedTerminatedPods&) const = default;
};

// The type of Job.status.
struct JobStatus {
  kube::ListOf<JobCondition> conditions;      // applied as a whole
  std::optional<kube::Time> start_time;       // startTime
  std::optional<kube::Time> completion_time;  // completionTime
  std::int32_t active = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::optional<std::int32_t> terminating;
  std::string completed_indexes;                                 // completedIndexes
  std::optional<std::string> failed_indexes;                     // failedIndexes
  kube::Box<UncountedTerminatedPods> uncounted_terminated_pods;  // uncountedTerminatedPods
  std::optional<std::int32_t> ready;

  static const kube::StructTable kFields;
  bool operator==(const JobStatus&) const = default;
};

// Job, namespaced. `kubectl explain job --recursive` shows what its fields mean.
struct Job {
  static constexpr kube::Identity kIdentity{"batch", "v1", "Job", "jobs"};

  meta::v1::ObjectMeta metadata;
  JobSpec spec;
  JobStatus status;

  static const kube::StructTable kFields;
  bool operator==(const Job&) const = default;
};

}  // namespace keelson::batch::v1
