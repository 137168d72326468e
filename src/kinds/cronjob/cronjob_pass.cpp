#include "src/kinds/cronjob/cronjob_pass.hpp"

#include <algorithm>
#include <set>

#include "keelson/api/batch/v1/job.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kinds {

namespace {

// The number of missing Jobs that a pass reads, one after the other. A forged status may name any number of Jobs, for
// which other CronJobs would wait; a stale cache lacks only a few.
constexpr std::size_t kAskedJobs = 50;

// True if a request with this name in its path can only refer to an object of this name.
bool is_object_name(std::string_view name) {
  auto is_alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && is_alphanumeric(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

// A time beyond the range of our type is replaced by the latest one: both are in the future.
std::optional<kube::Time> time_left(json::View field) {
  auto text = field.string();
  if (!text) return std::nullopt;
  auto time = kube::parse_time(*text);
  return time ? kube::Time(*time) : kube::Time::max();
}

// The readable parts of a status that cannot be decoded: the time of the last run, so that no run is repeated, and the
// time of the last success, which may have to be removed.
CronJobStatus what_is_left(const kube::Object& cronjob) {
  CronJobStatus left;
  const auto fields = kube::Fields::of(cronjob);
  if (!fields) return left;
  const auto status = fields->root().find("status");
  left.last_schedule_time = time_left(status.find("lastScheduleTime"));
  left.last_successful_time = time_left(status.find("lastSuccessfulTime"));
  return left;
}

}  // namespace

Result<void> read_cronjob(CronJobPass& pass) {
  const auto& object = pass.object();
  const auto& created = pass.cronjob.metadata.creation_timestamp;
  auto& facts = pass.facts;
  facts.name = object.name();
  facts.generation = object.generation();
  facts.deleting = object.deleting();
  facts.created = std::chrono::floor<std::chrono::seconds>(created ? *created : pass.pass.clock.wall_now());
  facts.spec = pass.cronjob.spec;
  facts.ran = pass.memory.ran;
  // A status with another schema, from an older operator, is decoded as an empty one.
  const auto& stored = pass.pass.stored_status();
  facts.status = stored == CronJobStatus() ? what_is_left(object) : stored;
  return read_jobs(pass);
}

// Reads the Jobs whose controller has this uid: those of an earlier CronJob of the same name do not count.
Result<void> read_jobs(CronJobPass& pass) {
  auto jobs = pass.pass.child_objects<batch::v1::Job>();
  for (const auto& job : pass.unlisted) {
    auto is_it = [&job](const auto& other) { return other.uid() == job.uid(); };
    if (std::ranges::none_of(jobs, is_it)) jobs.push_back(job);
  }
  std::erase_if(jobs, [&pass](const auto& job) { return !controller::is_controlled_by(job, pass.object()); });
  // The Jobs are read again after each wait, and most of the time they have not changed.
  auto is_same = [](const auto& left, const auto& right) { return left.same_block(right); };
  if (std::ranges::equal(jobs, pass.jobs, is_same)) return {};
  pass.jobs = jobs;
  pass.facts.jobs.clear();
  for (const auto& job : jobs) {
    KEELSON_LET(auto facts, look_at_job(job));
    pass.facts.jobs.push_back(std::move(facts));
  }
  return {};
}

Task<void> look_for_missing(CronJobPass& pass) {
  std::set<std::string_view> known;
  for (const auto& job : pass.facts.jobs) known.insert(job.reference.uid);
  std::vector<JobReference> missing;
  for (const auto& reference : pass.facts.status.active) {
    if (missing.size() == kAskedJobs) break;
    if (is_object_name(reference.name) && !known.contains(reference.uid)) missing.push_back(reference);
  }
  for (const auto& reference : missing) {
    kube::Key key(pass.object().ns(), reference.name);
    auto job = co_await kube::get(pass.pass.client, kube::jobs(), key);
    if (!job && !kube::is_not_found(job.error())) co_return std::move(job.error());
    if (job && job->uid() == reference.uid) pass.unlisted.push_back(std::move(*job));
  }
  if (pass.unlisted.empty()) co_return Result<void>();
  co_return read_jobs(pass);
}

}  // namespace keelson::kinds
