#include "src/controllers/cronjob/cronjob_pass.hpp"

#include <algorithm>
#include <set>

#include "keelson/controller/owner_reference.hpp"
#include "keelson/kube/fields.hpp"
#include "keelson/kube/time.hpp"

namespace keelson::controllers {

namespace {

// Jobs that are asked for in one pass, one after the other. The status may name any number that never were, while other
// CronJobs wait; the cache is behind by a few.
constexpr std::size_t kAskedJobs = 50;

// What can name an object, so far that asking for it is about that object and nothing else.
bool is_object_name(std::string_view name) {
  auto is_alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && is_alphanumeric(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

// A year that no time of ours can hold is as good as the latest one that it can: both are in the future.
std::optional<kube::Time> time_left(json::View field) {
  auto text = field.string();
  if (!text) return std::nullopt;
  auto time = kube::parse_time(*text);
  return time ? kube::Time(*time) : kube::Time::max();
}

// Of a status that cannot be read: when the last run was, so that none is made twice, and that there is a time of the
// last success, which may have to be removed.
CronJobStatus what_is_left(json::View status) {
  CronJobStatus left;
  left.last_schedule_time = time_left(status.find("lastScheduleTime"));
  left.last_successful_time = time_left(status.find("lastSuccessfulTime"));
  return left;
}

}  // namespace

Result<void> read_cronjob(controller::Context& context, CronJobPass& pass) {
  auto fields = kube::Fields::of(pass.cronjob);
  if (!fields) return std::move(fields.error());
  auto spec = kube::decode<CronJobSpec>(fields->root().find("spec"), "spec");
  if (!spec) return std::move(spec.error());
  // A status that an older operator left behind in another shape is replaced like any other.
  auto status = kube::decode<CronJobStatus>(fields->root().find("status"), "status");
  auto created = kube::parse_time(fields->root().at({"metadata", "creationTimestamp"}).string().value_or(""));
  auto& facts = pass.facts;
  facts.name = pass.cronjob.name();
  facts.generation = pass.cronjob.generation();
  facts.deleting = pass.cronjob.deleting();
  facts.created = std::chrono::floor<std::chrono::seconds>(created ? *created : context.clock.wall_now());
  facts.spec = std::move(*spec);
  facts.ran = pass.memory.ran;
  facts.status = status ? std::move(*status) : what_is_left(fields->root().find("status"));
  kube::keep_conditions(facts.status.conditions,
                        {"Ready", "Available", "Progressing", "Degraded", "Reconciling", "Stalled"});
  return read_jobs(context, pass);
}

// The Jobs whose controller has this uid: a CronJob that was made anew does not count those of its namesake.
Result<void> read_jobs(controller::Context& context, CronJobPass& pass) {
  auto jobs = context.informer(kube::jobs()).owned_by(pass.cronjob);
  for (const auto& job : pass.unlisted) {
    auto is_it = [&job](const auto& other) { return other.uid() == job.uid(); };
    if (std::none_of(jobs.begin(), jobs.end(), is_it)) jobs.push_back(job);
  }
  std::erase_if(jobs, [&pass](const auto& job) { return !controller::is_controlled_by(job, pass.cronjob); });
  // They are read again after each wait, in which nothing happens to most.
  auto is_same = [](const auto& left, const auto& right) { return left.same_block(right); };
  if (std::equal(jobs.begin(), jobs.end(), pass.jobs.begin(), pass.jobs.end(), is_same)) return {};
  pass.jobs = jobs;
  pass.facts.jobs.clear();
  for (const auto& job : jobs) {
    auto facts = look_at_job(job);
    if (!facts) return std::move(facts.error());
    pass.facts.jobs.push_back(std::move(*facts));
  }
  return {};
}

boost::asio::awaitable<Result<void>> look_for_missing(controller::Context& context, CronJobPass& pass) {
  std::set<std::string_view> known;
  for (const auto& job : pass.facts.jobs) known.insert(job.reference.uid);
  std::vector<JobReference> missing;
  for (const auto& reference : pass.facts.status.active) {
    if (missing.size() == kAskedJobs) break;
    if (is_object_name(reference.name) && !known.contains(reference.uid)) missing.push_back(reference);
  }
  for (const auto& reference : missing) {
    kube::Key key(pass.cronjob.ns(), reference.name);
    auto job = co_await kube::get(context.client, kube::jobs(), key);
    if (!job && !kube::is_not_found(job.error())) co_return std::move(job.error());
    if (job && job->uid() == reference.uid) pass.unlisted.push_back(std::move(*job));
  }
  if (pass.unlisted.empty()) co_return Result<void>();
  co_return read_jobs(context, pass);
}

}  // namespace keelson::controllers
