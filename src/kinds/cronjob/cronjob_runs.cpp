#include "src/kinds/cronjob/cronjob_runs.hpp"

#include <algorithm>

#include "keelson/api/batch/v1/job.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/rejection.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob_status.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;

CronJobRuns::CronJobRuns(controller::Context& context, cron::Zone zone)
    : context_(context),
      zone_(zone),
      skew_(context.registry
                .histogram(
                    "cronjob_controller_job_creation_skew_duration_seconds",
                    "Time between when a cronjob is scheduled to be run, and when the corresponding job is created", {},
                    {1, 2, 4, 8, 16, 32, 64, 128, 256, 512})
                .with({})) {}

Task<void> CronJobRuns::start(CronJobPass& pass) {
  for (const auto& job : pass.plan.replaced) {
    if (pass.pass.is_paused<batch::v1::Job>({job.ns, job.name})) continue;
    auto removed = co_await remove(pass, job);
    if (removed) continue;
    if (pass.pass.must_report(removed.error())) pass.rejection = controller::words_of(removed.error());
    co_return std::move(removed.error()).with_context("could not replace job " + job.ns + "/" + job.name);
  }
  co_return co_await create(pass);
}

Task<void> CronJobRuns::create(CronJobPass& pass) {
  auto slot = *pass.plan.slot;
  auto body = job_body(pass.object(), pass.facts.spec, slot, zone_of(pass.facts.spec, zone_));
  if (!body) co_return terminal_error(std::move(body.error()));
  auto name = job_name(pass.facts.name, slot);
  kube::Key key(pass.object().ns(), name);
  auto created =
      co_await kube::apply(pass.pass.client, kube::jobs(), key, kube::ApplyForm::kCreateOnly, std::move(*body));
  if (!created && (kube::is_conflict(created.error()) || kube::is_already_exists(created.error()))) {
    co_return co_await decide_taken_name(pass, std::move(name), std::move(created.error()));
  }
  if (!created) {
    const auto& error = created.error();
    if (pass.pass.must_report(error)) pass.rejection = controller::words_of(error);
    bool is_answer = error.kind == Error::Kind::kStatus && !kube::is_namespace_terminating(error);
    if (is_answer) {
      record(pass, Type::kWarning, "FailedCreate", "Create", "Error creating job: " + controller::words_of(error));
    }
    co_return std::move(created.error()).with_context("unable to create Job for CronJob");
  }
  pass.facts.ran = pass.memory.ran = slot;
  skew_.observe(std::chrono::duration<double>(context_.clock.wall_now() - slot).count());
  pass.log().debug("created Job for CronJob run", {{"job", name}});
  JobReference job{"batch/v1", "Job", name, key.ns, std::string(created->object.uid())};
  record_about(pass, job, Type::kNormal, "SuccessfulCreate", "Create", "Created job " + name);
  co_return Result<void>();
}

// If the existing Job is ours, it is this slot's: created earlier, and its reply was lost or is not in the cache yet.
Task<void> CronJobRuns::decide_taken_name(CronJobPass& pass, std::string name, Error conflict) {
  kube::Key key(pass.object().ns(), name);
  auto job = co_await kube::get(pass.pass.client, kube::jobs(), key);
  // The Job is gone now, or the conflict was about something else.
  if (!job && kube::is_not_found(job.error())) co_return std::move(conflict);
  if (!job) co_return std::move(job.error());
  if (controller::is_controlled_by(*job, pass.object())) {
    pass.log().debug("Job already exists", {{"job", name}});
    pass.facts.ran = pass.memory.ran = *pass.plan.slot;
    pass.unlisted.push_back(std::move(*job));
    co_return Result<void>();
  }
  pass.name_is_taken = true;
  pass.rejection = "jobs.batch " + base::quote_go(name) + " already exists and is not controlled by this CronJob";
  record_once_a_slot(pass, Type::kWarning, "FailedCreate", "Error creating job: " + *pass.rejection);
  co_return Result<void>();
}

asio::awaitable<void> CronJobRuns::clean_up(CronJobPass& pass) {
  if (pass.facts.deleting) co_return;
  auto chosen = beyond_history(pass.facts.spec, pass.facts.jobs);
  for (const auto& job : chosen) {
    if (pass.pass.is_paused<batch::v1::Job>({job.reference.ns, job.reference.name})) continue;
    auto removed = co_await remove(pass, job.reference);
    const auto* which = job.end == JobFacts::End::kFailed ? "failed" : "successful";
    if (removed) {
      pass.log().debug(std::string("deleted old ") + which + " job", {{"job", job.reference.name}});
    } else {
      pass.log().error(removed.error(), std::string("unable to delete old ") + which + " job",
                       {{"job", job.reference.name}});
    }
  }
  // The status was written before and lists none of these as active.
  pass.memory.deleted.clear();
}

// The deletion of a Job that is gone already is a success without an Event.
Task<void> CronJobRuns::remove(CronJobPass& pass, JobReference job) {
  kube::DeleteOptions options;
  options.uid = job.uid;
  options.propagation = "Background";
  auto removed = co_await kube::remove(pass.pass.client, kube::jobs(), kube::Key(job.ns, job.name), std::move(options));
  if (!removed && !kube::is_not_found(removed.error())) {
    record_about(pass, job, Type::kWarning, "FailedDelete", "Delete",
                 "Deleted job: " + controller::words_of(removed.error()));
    co_return std::move(removed.error());
  }
  if (removed) record_about(pass, job, Type::kNormal, "SuccessfulDelete", "Delete", "Deleted job " + job.name);
  std::erase_if(pass.unlisted, [&job](const auto& object) { return object.uid() == job.uid; });
  pass.memory.deleted.push_back(std::move(job));
  co_return Result<void>();
}

void CronJobRuns::report_unbelieved(CronJobPass& pass) {
  const JobFacts* first = nullptr;
  std::size_t count = 0;
  for (const auto& job : pass.facts.jobs) {
    bool is_unbelieved = !job.unreadable_slot.empty() || is_ahead(job, pass.facts);
    if (!is_unbelieved || !pass.memory.reported_jobs.insert(job.reference.uid).second) continue;
    if (first == nullptr) first = &job;
    ++count;
  }
  if (first == nullptr) return;
  auto claim = first->slot ? kube::format_time(*first->slot) : base::quote_go(first->unreadable_slot);
  auto others = count > 1 ? ", and " + std::to_string(count - 1) + " other Jobs have such an annotation" : "";
  if (first->slot) {
    pass.log().error(invalid_error(claim + " is in the future"), "ignoring schedule time of child job",
                     {{"job", first->reference.name}, {"jobs", std::uint64_t{count}}});
  } else {
    pass.log().error(malformed_error("cannot parse " + claim), "unable to parse schedule time for child job",
                     {{"job", first->reference.name}, {"jobs", std::uint64_t{count}}});
  }
  record_about(pass, first->reference, Type::kWarning, std::string(kUnexpectedTime), "Reconcile",
               "Ignoring the schedule time " + claim + " of Job " + first->reference.name + ": it is " +
                   (first->slot ? "in the future" : "not a time") + others);
}

void CronJobRuns::record(const CronJobPass& pass, Type type, std::string reason, std::string action, std::string note) {
  context_.events.record(kube::resource_of<CronJob>(), pass.object(), type, std::move(reason), std::move(action),
                         std::move(note));
}

void CronJobRuns::record_about(const CronJobPass& pass, const JobReference& job, Type type, std::string reason,
                               std::string action, std::string note) {
  controller::RelatedObject related{job.api_version, job.kind, job.ns, job.name, job.uid};
  context_.events.record_related(kube::resource_of<CronJob>(), pass.object(), related, type, std::move(reason),
                                 std::move(action), std::move(note));
}

void CronJobRuns::record_once_a_slot(CronJobPass& pass, Type type, std::string reason, std::string note) {
  auto [reported, is_new] = pass.memory.reported.try_emplace(reason, *pass.plan.slot);
  if (!is_new && reported->second == *pass.plan.slot) return;
  reported->second = *pass.plan.slot;
  record(pass, type, std::move(reason), "Reconcile", std::move(note));
}

}  // namespace keelson::kinds
