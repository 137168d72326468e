// Reconciles a CronJob: it creates a Job for each slot of the schedule and reports the Jobs in the status.
//
// Invariants, and the step that holds them when the process crashes before, in the middle of or after any write:
//   1. At most one Job for a slot. Its name follows from the slot, and a create-only apply does not change an object
//      that exists: after a crash the same create finds the Job (start_run).
//   2. A slot whose Job is gone does not run again. The status has the slot before clean-up may delete the Job
//      (write_status before clean_up); after a crash between the two the Job is still there.
//   3. A slot is not skipped. The status gets a slot only after its Job exists (start_run before write_status).
//   4. Forbid and Replace are decided after a consistent read (decide): if a leader crashed after a create, the cache
//      of the next one may not have that Job yet, and would allow a second run.
//   5. A create whose reply is lost, by a crash or a broken connection, is repeated in the next pass, which finds
//      the Job by invariant 1. Until then the conditions of the status are unchanged.
#include <algorithm>
#include <map>
#include <string_view>

#include "keelson/api/batch/v1/job.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/cronjob/cronjob_pass.hpp"
#include "src/kinds/cronjob/cronjob_runs.hpp"
#include "src/kinds/cronjob/cronjob_status.hpp"
#include "src/kinds/cronjob/cronjob_webhook.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// The longest delay until the next try if a Job that is not owned has the name of our slot's Job.
constexpr std::chrono::seconds kNameTakenRetry = 1min;

class CronJobReconciler {
 public:
  // The status reports runs that are active while the CronJob is being deleted.
  static constexpr bool kReconcilesDeleting = true;

  explicit CronJobReconciler(controller::Context& context)
      : zone_(cron::Zone::of_process(context.environment("TZ"))), runs_(context, zone_) {}

  [[nodiscard]] Reconciled reconcile(const CronJob& cronjob, Pass<CronJob>& pass);
  void forget(const kube::Key& cronjob) { memories_.erase(cronjob); }

 private:
  using Type = controller::EventRecorder::Type;

  [[nodiscard]] Reconciled run_steps(CronJobPass& pass);
  [[nodiscard]] Task<void> observe(CronJobPass& pass);
  void plan(CronJobPass& pass);
  [[nodiscard]] Task<void> decide(CronJobPass& pass, bool may_be_stale);
  [[nodiscard]] Task<void> start_run(CronJobPass& pass);
  [[nodiscard]] CronJobStatus computed_status(const CronJobPass& pass) const;
  [[nodiscard]] Task<void> write_status(CronJobPass& pass);
  [[nodiscard]] controller::Outcome next_run(const CronJobPass& pass) const;
  [[nodiscard]] CronJobMemory recall(const kube::Object& cronjob) const;
  void remember(CronJobPass& pass);

  cron::Zone zone_;
  CronJobRuns runs_;
  async::WallTime latest_seen_ = async::WallTime::min();
  std::map<kube::Key, CronJobMemory> memories_;  // only those that are not empty
};

Reconciled CronJobReconciler::reconcile(const CronJob& cronjob, Pass<CronJob>& pass) {
  CronJobPass work(cronjob, pass);
  work.memory = recall(pass.object());
  auto outcome = co_await run_steps(work);
  remember(work);
  co_return outcome;
}

// The seven steps of a pass.
Reconciled CronJobReconciler::run_steps(CronJobPass& pass) {
  // Evaluated before the cache is read, because the cache may become current while missing Jobs are read.
  const bool may_be_stale = pass.pass.may_be_stale<batch::v1::Job>();
  KEELSON_CO_TRY(co_await observe(pass));
  plan(pass);
  KEELSON_CO_TRY(co_await decide(pass, may_be_stale));
  auto started = co_await start_run(pass);
  // An error that may be over with the next try does not make the CronJob degraded, and its other runs continue.
  pass.is_undecided = !started && !pass.rejection;
  KEELSON_CO_TRY(co_await write_status(pass));
  co_await runs_.clean_up(pass);
  // The error is returned only now, because clean_up may free the quota that the next try needs.
  if (!started) co_return std::move(started).error();
  co_return next_run(pass);
}

Task<void> CronJobReconciler::observe(CronJobPass& pass) {
  KEELSON_CO_TRY(read_cronjob(pass));
  co_return co_await look_for_missing(pass);
}

void CronJobReconciler::plan(CronJobPass& pass) {
  const auto now = pass.pass.clock.wall_now();
  latest_seen_ = std::max(latest_seen_, now);
  pass.facts.now = std::chrono::floor<std::chrono::seconds>(now);
  pass.facts.horizon = horizon_of(now, latest_seen_);
  pass.plan = plan_cronjob(pass.facts, zone_, now);
}

// A plan with a change is computed after a consistent read, never from a cache that is older than the writes of another
// leader.
Task<void> CronJobReconciler::decide(CronJobPass& pass, bool may_be_stale) {
  const bool is_at_rest = !pass.plan.slot && computed_status(pass) == pass.facts.status;
  if (is_at_rest || !may_be_stale) co_return Result<void>();
  KEELSON_CO_TRY(co_await pass.pass.consistent_read<batch::v1::Job>());
  KEELSON_CO_TRY(co_await observe(pass));
  plan(pass);
  co_return Result<void>();
}

Task<void> CronJobReconciler::start_run(CronJobPass& pass) {
  const auto& plan = pass.plan;
  auto counts = count_jobs(pass.facts.jobs);
  pass.log().debug("job count", {{"active jobs", std::uint64_t{counts.active}},
                                 {"successful jobs", std::uint64_t{counts.successful}},
                                 {"failed jobs", std::uint64_t{counts.failed}}});
  runs_.report_unbelieved(pass);
  if (plan.problem) {
    pass.log().error(invalid_error(plan.problem->note), "unable to figure out CronJob schedule");
  } else if (plan.suspended) {
    pass.log().debug("cronjob suspended, skipping");
  } else if (!plan.slot) {
    pass.log().debug("no upcoming scheduled times, sleeping until next");
  }
  if (!plan.slot) co_return Result<void>();
  if (plan.too_many) {
    pass.log().info(
        "Too many missed start times (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew.");
    runs_.record_once_a_slot(
        pass, Type::kWarning, "TooManyMissedTimes",
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew");
  }
  if (plan.too_late) pass.log().debug("missed starting deadline for last run, sleeping till next");
  if (plan.blocked) {
    pass.log().debug("concurrency policy blocks concurrent runs, skipping",
                     {{"num active", std::uint64_t{counts.active}}});
    runs_.record_once_a_slot(pass, Type::kNormal, "JobAlreadyActive",
                             "Not starting job because prior execution is running and concurrency policy is Forbid");
  }
  if (!plan.runs()) co_return Result<void>();
  co_return co_await runs_.start(pass);
}

CronJobStatus CronJobReconciler::computed_status(const CronJobPass& pass) const {
  return compute_cronjob_status(pass.facts, pass.plan, pass.rejection, pass.pass.clock.wall_now());
}

// Writes the status immediately, because clean_up relies on it. Its Events are recorded after the write, so that a
// crash repeats none.
Task<void> CronJobReconciler::write_status(CronJobPass& pass) {
  KEELSON_CO_TRY(read_jobs(pass));
  auto status = computed_status(pass);
  if (pass.is_undecided) status.conditions = pass.facts.status.conditions;
  pass.pass.set_status(status);
  auto written = co_await pass.pass.write_status();
  if (!written) co_return std::move(written).error().with_context("unable to update CronJob status");
  if (status != pass.facts.status) {
    for (auto& event : news(pass.facts, pass.plan, status, pass.memory.deleted)) {
      const auto type = event.is_warning ? Type::kWarning : Type::kNormal;
      if (event.job) {
        runs_.record_about(pass, *event.job, type, std::move(event.reason), "Reconcile", std::move(event.note));
      } else {
        runs_.record(pass, type, std::move(event.reason), "Reconcile", std::move(event.note));
      }
    }
  }
  pass.memory.ran.reset();
  pass.memory.deleted.clear();
  if (!pass.plan.blocked && !pass.rejection) pass.memory.reported.clear();
  co_return Result<void>();
}

controller::Outcome CronJobReconciler::next_run(const CronJobPass& pass) const {
  const auto now = pass.pass.clock.wall_now();
  auto next = pass.plan.next;
  if (pass.name_is_taken) {
    auto soon = std::chrono::floor<std::chrono::seconds>(now) + kNameTakenRetry;
    next = next ? std::min(*next, soon) : soon;
  }
  if (const auto check = next_check(pass.facts, now)) next = next ? std::min(*next, *check) : *check;
  if (!next) return controller::Outcome::done();
  pass.log().debug("sleeping until the next run",
                   {{"now", kube::format_time(now)}, {"next run", cron::format_rfc3339(*next, cron::Zone::utc())}}, 2);
  return controller::Outcome::requeue_after(time_until(*next, now));
}

// The memory of an earlier object of the same name is dropped.
CronJobMemory CronJobReconciler::recall(const kube::Object& cronjob) const {
  auto found = memories_.find(cronjob.key());
  if (found != memories_.end() && found->second.uid == cronjob.uid()) return found->second;
  CronJobMemory memory;
  memory.uid = cronjob.uid();
  return memory;
}

// Uses sets, because a tenant may have created ten thousand Jobs of this CronJob.
void forget_gone_jobs(CronJobPass& pass) {
  auto& memory = pass.memory;
  // A deletion is remembered only while the stored status lists the Job as active.
  base::TextSet<std::string_view> active;
  if (!memory.deleted.empty()) {
    for (const auto& job : pass.facts.status.active) active.insert(job.uid);
  }
  std::erase_if(memory.deleted, [&active](const auto& job) { return !active.contains(job.uid); });
  base::TextSet<std::string_view> existing;
  if (!memory.reported_jobs.empty()) {
    for (const auto& job : pass.facts.jobs) existing.insert(job.reference.uid);
  }
  std::erase_if(memory.reported_jobs, [&existing](const auto& uid) { return !existing.contains(uid); });
}

void CronJobReconciler::remember(CronJobPass& pass) {
  forget_gone_jobs(pass);
  const auto& memory = pass.memory;
  bool is_empty = !memory.ran && memory.reported.empty() && memory.reported_jobs.empty() && memory.deleted.empty();
  if (is_empty) {
    memories_.erase(pass.cronjob.key());
  } else {
    memories_.insert_or_assign(pass.cronjob.key(), pass.memory);
  }
}

// Filters updates of the status: our own writes of it start no pass.
bool is_news(const cache::Event& event) {
  if (event.type != cache::Event::Type::kUpdated || event.resync) return true;
  return event.before->generation() != event.after->generation() || event.before->deleting() != event.after->deleting();
}

}  // namespace

controller::Definition cronjob() {
  return controller_for<CronJob, CronJobReconciler>()
      .with_event_filter(is_news)
      .owns<batch::v1::Job>({.content = job_projection()})
      .reconcile_on_clock_jump()
      .with_defaulter<CronJobSpec>([](controller::Context&) { return make_cronjob_defaulter(); })
      .with_validator<CronJobSpec>([](controller::Context&) { return make_cronjob_validator(); })
      .rbac({"batch", "jobs", {"get"}});
}

}  // namespace keelson::kinds
