#include "src/kinds/cronjob/cronjob_jobs.hpp"

#include <algorithm>
#include <tuple>

#include "keelson/base/try.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kinds {

namespace {

void read_end(json::View conditions, JobFacts& facts) {
  for (auto condition : conditions.items()) {
    if (condition.find("status").string() != "True") continue;
    auto type = condition.find("type").string();
    if (type != "Complete" && type != "Failed") continue;
    facts.end = type == "Complete" ? JobFacts::End::kComplete : JobFacts::End::kFailed;
    auto time = kube::parse_time(condition.find("lastTransitionTime").string().value_or(""));
    if (time) (type == "Complete" ? facts.completion_time : facts.failure_time) = *time;
    if (type == "Failed") {
      facts.failure = std::string(condition.find("reason").string().value_or(""));
      const auto message = condition.find("message").string().value_or("");
      if (!message.empty()) facts.failure += ": " + std::string(message);
    }
    return;
  }
}

// Job controllers before Kubernetes 1.24 do not count ready pods.
Result<bool> has_ready_pods(const kube::Fields& fields) {
  KEELSON_LET(const auto ready, fields.at({"status", "ready"}));
  return ready.integer().value_or(1) > 0;
}

// A pod that has ended is counted in two steps; between them it is in one of the lists of uncountedTerminatedPods.
Result<bool> has_ended_pods(const kube::Fields& fields) {
  for (const char* field : {"failed", "succeeded"}) {
    KEELSON_LET(const auto count, fields.at({"status", field}));
    if (count.integer().value_or(0) > 0) return true;
  }
  KEELSON_LET(const auto uncounted, fields.at({"status", "uncountedTerminatedPods"}));
  return uncounted.find("failed").size() > 0 || uncounted.find("succeeded").size() > 0;
}

Result<void> read_pods(const kube::Fields& fields, JobFacts& facts) {
  if (facts.end != JobFacts::End::kNone || !facts.start_time) return Result<void>();
  KEELSON_LET(const auto parallelism, fields.at({"spec", "parallelism"}));
  KEELSON_LET(const auto active, fields.at({"status", "active"}));
  KEELSON_LET(const auto has_ended, has_ended_pods(fields));
  KEELSON_LET(const auto has_ready, has_ready_pods(fields));
  const bool has_active = active.integer().value_or(0) > 0;
  const bool needs_none = parallelism.integer().value_or(1) == 0;
  facts.lacks_pods = !needs_none && !has_active && !has_ended;
  facts.lacks_ready_pods = has_active && !has_ready && !has_ended;
  return Result<void>();
}

Result<std::optional<kube::Time>> time_at(const kube::Fields& fields, const char* field) {
  KEELSON_LET(auto value, fields.at({"status", field}));
  auto text = value.string();
  if (!text) return std::optional<kube::Time>();
  KEELSON_LET(auto time, kube::parse_time(*text));
  return std::optional(time);
}

// The length at which an invalid annotation is cut for a log line or an Event: it can be 256 KiB.
constexpr std::size_t kShownBytes = 64;

void read_slot(const kube::Object& job, JobFacts& facts) {
  auto text = job.annotation(kScheduledAt);
  if (!text) text = job.annotation(kScheduledTimestamp);
  if (!text) return;
  auto time = kube::parse_time(*text);
  if (time) {
    facts.slot = std::chrono::floor<std::chrono::seconds>(*time);
  } else {
    facts.unreadable_slot = text->empty() ? " " : std::string(base::cut_utf8(*text, kShownBytes));
  }
}

auto age_of(const JobFacts& job) {
  return std::make_tuple(job.start_time.has_value(), job.start_time.value_or(kube::Time()),
                         std::string_view(job.reference.name));
}

void choose_oldest(std::vector<JobFacts> jobs, std::int32_t limit, std::vector<JobFacts>& chosen) {
  auto kept = static_cast<std::size_t>(std::max(limit, 0));
  if (jobs.size() <= kept) return;
  std::ranges::sort(jobs, [](const auto& left, const auto& right) { return age_of(left) < age_of(right); });
  jobs.resize(jobs.size() - kept);
  std::move(jobs.begin(), jobs.end(), std::back_inserter(chosen));
}

void write_annotations(json::Writer& writer, json::View given, Slot slot, cron::Zone zone) {
  auto time = cron::format_rfc3339(slot, zone);
  writer.key("annotations").begin_object();
  for (const auto& [name, value] : given.members()) {
    if (name != kScheduledAt && name != kScheduledTimestamp) writer.field(name, value);
  }
  writer.field(kScheduledAt, time).field(kScheduledTimestamp, time).end_object();
}

}  // namespace

json::Projection job_projection() {
  return json::Projection::of({{"metadata", "annotations", std::string(kScheduledAt)},
                               {"metadata", "annotations", std::string(kScheduledTimestamp)},
                               {"status", "conditions"},
                               {"spec", "parallelism"},
                               {"status", "active"},
                               {"status", "ready"},
                               {"status", "failed"},
                               {"status", "succeeded"},
                               {"status", "uncountedTerminatedPods"},
                               {"status", "startTime"},
                               {"status", "completionTime"}});
}

Result<JobFacts> look_at_job(const kube::Object& job) {
  KEELSON_LET(auto fields, kube::Fields::of(job));
  JobFacts facts;
  facts.reference = {"batch/v1", "Job", std::string(job.name()), std::string(job.ns()), std::string(job.uid())};
  facts.deleting = job.deleting();
  KEELSON_LET(auto conditions, fields.at({"status", "conditions"}));
  read_end(conditions, facts);
  KEELSON_LET(auto start, time_at(fields, "startTime"));
  facts.start_time = start;
  KEELSON_LET(auto completion, time_at(fields, "completionTime"));
  if (completion) facts.completion_time = completion;
  KEELSON_TRY(read_pods(fields, facts));
  read_slot(job, facts);
  return facts;
}

JobCounts count_jobs(const std::vector<JobFacts>& jobs) {
  JobCounts counts;
  for (const auto& job : jobs) {
    if (job.end == JobFacts::End::kNone) ++counts.active;
    if (job.end == JobFacts::End::kComplete) ++counts.successful;
    if (job.end == JobFacts::End::kFailed) ++counts.failed;
  }
  return counts;
}

std::vector<JobFacts> beyond_history(const CronJobSpec& spec, const std::vector<JobFacts>& jobs) {
  std::vector<JobFacts> failed;
  std::vector<JobFacts> successful;
  for (const auto& job : jobs) {
    if (job.deleting || job.end == JobFacts::End::kNone) continue;
    (job.end == JobFacts::End::kFailed ? failed : successful).push_back(job);
  }
  std::vector<JobFacts> chosen;
  choose_oldest(std::move(failed), spec.failed_jobs_history_limit.value_or(kFailedJobsHistoryLimit), chosen);
  choose_oldest(std::move(successful), spec.successful_jobs_history_limit.value_or(kSuccessfulJobsHistoryLimit),
                chosen);
  return chosen;
}

std::string job_name(std::string_view cronjob, Slot slot) {
  return std::string(cronjob) + "-" + std::to_string(slot.time_since_epoch().count());
}

Result<std::string> job_body(const kube::Object& cronjob, const CronJobSpec& spec, Slot slot, cron::Zone zone) {
  auto job_template = json::Document::parse(spec.job_template.text.empty() ? "{}" : spec.job_template.text);
  if (!job_template) return std::move(job_template.error()).with_context("spec.jobTemplate");
  KEELSON_LET(auto owner, controller::controller_reference(kube::resource_of<CronJob>(), cronjob, cronjob.ns()));
  auto metadata = job_template->root().find("metadata");
  json::Writer writer;
  writer.begin_object().field("apiVersion", "batch/v1").field("kind", "Job");
  writer.key("metadata").begin_object();
  writer.field("name", job_name(cronjob.name(), slot)).field("namespace", cronjob.ns());
  if (auto labels = metadata.find("labels"); labels.size() > 0) writer.field("labels", labels);
  write_annotations(writer, metadata.find("annotations"), slot, zone);
  writer.key("ownerReferences").begin_array().raw(owner).end_array();
  writer.end_object();
  if (auto job_spec = job_template->root().find("spec"); job_spec.has_value()) writer.field("spec", job_spec);
  writer.end_object();
  return std::move(writer).take();
}

}  // namespace keelson::kinds
