// The kind CronJob: its spec, its status, and its columns in kubectl. Its validation is in cronjob_types.cpp (schema)
// and cronjob_webhook.cpp (the rest).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::kinds {

// Absent fields have the webhook's defaults: false, Allow, 3 and 1.
struct CronJobSpec {
  std::string schedule;
  std::optional<std::string> time_zone;
  std::optional<std::int64_t> starting_deadline_seconds;
  std::optional<std::string> concurrency_policy;
  std::optional<bool> suspend;
  kube::RawJson job_template;
  std::optional<std::int32_t> successful_jobs_history_limit;
  std::optional<std::int32_t> failed_jobs_history_limit;
  bool operator==(const CronJobSpec&) const = default;
};

inline constexpr std::string_view kAllow = "Allow";
inline constexpr std::string_view kForbid = "Forbid";
inline constexpr std::string_view kReplace = "Replace";
inline constexpr std::int32_t kSuccessfulJobsHistoryLimit = 3;
inline constexpr std::int32_t kFailedJobsHistoryLimit = 1;
// A Job's name is its CronJob's name, a dash and ten digits, and becomes a label value: 63 bytes at most.
inline constexpr std::size_t kCronJobNameBytes = 52;

// A core/v1 ObjectReference without a resourceVersion: with it, every change of a Job would change our status.
struct JobReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string ns;
  std::string uid;
  bool operator==(const JobReference&) const = default;
};

struct CronJobStatus {
  std::vector<JobReference> active;  // by name, at most limits::kActiveReferences
  std::int32_t active_jobs = 0;      // the number of all active Jobs, because a column of kubectl cannot count
  std::optional<kube::Time> last_schedule_time;
  std::optional<kube::Time> last_successful_time;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // kConditions below, and Ready, Stalled
  bool operator==(const CronJobStatus&) const = default;
};

void describe(kube::Description& d, CronJobSpec& spec);
void describe(kube::Description& d, JobReference& reference);
void describe(kube::Description& d, CronJobStatus& status);

struct CronJob : CustomResource<CronJobSpec, CronJobStatus> {
  static constexpr kube::Identity kIdentity{"batch.tutorial.kubebuilder.io", "v1", "CronJob"};
  static constexpr std::array<std::string_view, 3> kConditions{"Available", "Progressing", "Degraded"};
  static void describe_kind(kube::Kind& kind);
};

// The CronJob controller: it creates a Job each time that a CronJob's schedule fires, exactly once.
[[nodiscard]] controller::Definition cronjob();

}  // namespace keelson::kinds
