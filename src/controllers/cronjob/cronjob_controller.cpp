// Reconciles a CronJob: a Job for each slot of its schedule, and what became of them in its status.
#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

#include "keelson/controller/catch_up.hpp"
#include "keelson/controller/status.hpp"
#include "keelson/kube/time.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/cronjob/cronjob_admission.hpp"
#include "src/controllers/cronjob/cronjob_pass.hpp"
#include "src/controllers/cronjob/cronjob_runs.hpp"
#include "src/controllers/cronjob/cronjob_status.hpp"

namespace keelson::controllers {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// A Job of somebody else that has our slot's name is looked at again after so long at most.
constexpr std::chrono::seconds kForeignRetry = 1min;

class CronJobReconciler final : public controller::Reconciler {
 public:
  explicit CronJobReconciler(controller::Context& context)
      : context_(context),
        zone_(cron::Zone::of_process(context.environment("TZ"))),
        runs_(context, zone_),
        catch_up_(context) {}

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  using Type = controller::EventRecorder::Type;

  [[nodiscard]] asio::awaitable<Result<controller::Outcome>> bring_in_line(CronJobPass& pass);
  [[nodiscard]] asio::awaitable<Result<bool>> decide(CronJobPass& pass);
  [[nodiscard]] asio::awaitable<Result<void>> plan(CronJobPass& pass);
  [[nodiscard]] asio::awaitable<Result<void>> follow(CronJobPass& pass);
  [[nodiscard]] CronJobStatus judged(const CronJobPass& pass) const;
  [[nodiscard]] asio::awaitable<Result<void>> write_status(CronJobPass& pass);
  [[nodiscard]] asio::awaitable<Result<void>> remove_successful_time(const CronJobPass& pass);
  [[nodiscard]] controller::Outcome outcome(const CronJobPass& pass) const;
  [[nodiscard]] CronJobMemory recall(const kube::Object& cronjob) const;
  void remember(CronJobPass& pass);

  controller::Context& context_;
  cron::Zone zone_;
  CronJobRuns runs_;
  controller::CatchUp catch_up_;
  async::WallTime latest_seen_ = async::WallTime::min();
  std::map<kube::Key, CronJobMemory> memories_;  // only those that hold something
};

asio::awaitable<Result<controller::Outcome>> CronJobReconciler::reconcile(kube::Key key, Logger log) {
  auto found = context_.informer(cronjob_resource()).get(key);
  if (!found) {
    log.info("CronJob resource not found. Ignoring since object must be deleted");
    memories_.erase(key);
    co_return controller::Outcome::done();
  }
  CronJobPass pass(*found, std::move(log));
  pass.memory = recall(*found);
  auto ended = co_await bring_in_line(pass);
  remember(pass);
  co_return ended;
}

asio::awaitable<Result<controller::Outcome>> CronJobReconciler::bring_in_line(CronJobPass& pass) {
  auto decided = co_await decide(pass);
  if (!decided) co_return std::move(decided.error());
  if (!*decided) co_return controller::Outcome::done();
  auto followed = co_await follow(pass);
  // What the API server did not answer says nothing about the CronJob, whose other runs go on all the same.
  pass.is_undecided = !followed && !pass.refusal;
  auto again = read_jobs(context_, pass);
  if (!again) co_return std::move(again.error());
  auto written = co_await write_status(pass);
  if (!written) co_return std::move(written.error()).within("unable to update CronJob status");
  co_await runs_.clean_up(pass);
  // Only now: what was cleaned up may free the quota that the next try needs.
  if (!followed) co_return std::move(followed.error());
  co_return outcome(pass);
}

// What is done is decided by what the API server knows, never by a cache that is behind what another leader did. False:
// the CronJob has gone meanwhile.
asio::awaitable<Result<bool>> CronJobReconciler::decide(CronJobPass& pass) {
  const bool may_lag = catch_up_.may_lag(cronjob_resource(), kube::jobs());
  auto planned = co_await plan(pass);
  if (!planned) co_return std::move(planned.error());
  const bool is_at_rest = !pass.plan.slot && judged(pass) == pass.facts.status;
  if (!may_lag || is_at_rest) co_return true;
  auto asked = co_await catch_up_.bring_up_to_date(cronjob_resource(), pass.cronjob, kube::jobs());
  if (!asked) co_return asked;
  auto now = context_.informer(cronjob_resource()).get(pass.cronjob.key());
  if (!now || now->uid() != pass.cronjob.uid()) co_return false;
  pass.cronjob = std::move(*now);
  planned = co_await plan(pass);
  if (!planned) co_return std::move(planned.error());
  co_return true;
}

asio::awaitable<Result<void>> CronJobReconciler::plan(CronJobPass& pass) {
  auto known = read_cronjob(context_, pass);
  if (!known) co_return terminal(std::move(known.error()));
  auto looked = co_await look_for_missing(context_, pass);
  if (!looked) co_return std::move(looked.error());
  auto now = context_.clock.wall_now();
  latest_seen_ = std::max(latest_seen_, now);
  pass.facts.now = std::chrono::floor<std::chrono::seconds>(now);
  pass.facts.horizon = horizon_of(now, latest_seen_);
  pass.plan = plan_cronjob(pass.facts, zone_, now);
  co_return Result<void>();
}

asio::awaitable<Result<void>> CronJobReconciler::follow(CronJobPass& pass) {
  const auto& plan = pass.plan;
  auto counts = count_jobs(pass.facts.jobs);
  pass.log.debug("job count", {{"active jobs", std::uint64_t{counts.active}},
                               {"successful jobs", std::uint64_t{counts.successful}},
                               {"failed jobs", std::uint64_t{counts.failed}}});
  runs_.report_unbelieved(pass);
  if (plan.trouble) {
    pass.log.error(invalid(plan.trouble->note), "unable to figure out CronJob schedule");
  } else if (plan.suspended) {
    pass.log.debug("cronjob suspended, skipping");
  } else if (!plan.slot) {
    pass.log.debug("no upcoming scheduled times, sleeping until next");
  }
  if (!plan.slot) co_return Result<void>();
  if (plan.too_many) {
    pass.log.info(
        "Too many missed start times (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew.");
    runs_.record_once_a_slot(
        pass, Type::kWarning, "TooManyMissedTimes",
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew");
  }
  if (plan.too_late) pass.log.debug("missed starting deadline for last run, sleeping till next");
  if (plan.blocked) {
    pass.log.debug("concurrency policy blocks concurrent runs, skipping",
                   {{"num active", std::uint64_t{counts.active}}});
    runs_.record_once_a_slot(pass, Type::kNormal, "JobAlreadyActive",
                             "Not starting job because prior execution is running and concurrency policy is Forbid");
  }
  if (!plan.runs()) co_return Result<void>();
  co_return co_await runs_.start(pass);
}

CronJobStatus CronJobReconciler::judged(const CronJobPass& pass) const {
  return judge_cronjob(pass.facts, pass.plan, pass.refusal, context_.clock.wall_now());
}

asio::awaitable<Result<void>> CronJobReconciler::write_status(CronJobPass& pass) {
  auto status = judged(pass);
  if (pass.is_undecided) status.conditions = pass.facts.status.conditions;
  if (status != pass.facts.status) {
    auto written = co_await controller::apply_status(context_.client, cronjob_resource(), pass.cronjob,
                                                     encode_cronjob_status(status, pass.facts.status));
    if (!written) co_return std::move(written.error());
    if (*written && pass.facts.status.last_successful_time && !status.last_successful_time) {
      auto removed = co_await remove_successful_time(pass);
      if (!removed) co_return removed;
    }
    for (auto& event : news(pass.facts, pass.plan, status, pass.memory.deleted)) {
      auto type = event.is_warning ? Type::kWarning : Type::kNormal;
      if (event.job) {
        runs_.record_about(pass, *event.job, type, std::move(event.reason), "Reconcile", std::move(event.note));
      } else {
        runs_.record(pass, type, std::move(event.reason), "Reconcile", std::move(event.note));
      }
    }
  }
  pass.memory.ran.reset();
  pass.memory.deleted.clear();
  if (!pass.plan.blocked && !pass.refusal) pass.memory.reported.clear();
  co_return Result<void>();
}

// Apply removes only fields that nobody else owns, so a time that a user wrote would stay.
asio::awaitable<Result<void>> CronJobReconciler::remove_successful_time(const CronJobPass& pass) {
  std::string body =
      R"({"metadata":{"uid":")" + std::string(pass.cronjob.uid()) + R"("},"status":{"lastSuccessfulTime":null}})";
  auto removed = co_await kube::patch(context_.client, cronjob_resource(), pass.cronjob.key(), kube::PatchType::kMerge,
                                      std::move(body), "status");
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Result<void>();
}

controller::Outcome CronJobReconciler::outcome(const CronJobPass& pass) const {
  auto now = context_.clock.wall_now();
  auto next = pass.plan.next;
  if (pass.name_is_taken) {
    auto soon = std::chrono::floor<std::chrono::seconds>(now) + kForeignRetry;
    next = next ? std::min(*next, soon) : soon;
  }
  if (!next) return controller::Outcome::done();
  pass.log.debug("sleeping until the next run",
                 {{"now", kube::format_time(now)}, {"next run", cron::format_rfc3339(*next, cron::Zone::utc())}}, 2);
  return controller::Outcome::requeue_after(time_until(*next, now));
}

// Of an earlier life of the name nothing is remembered.
CronJobMemory CronJobReconciler::recall(const kube::Object& cronjob) const {
  auto found = memories_.find(cronjob.key());
  if (found != memories_.end() && found->second.uid == cronjob.uid()) return found->second;
  CronJobMemory memory;
  memory.uid = cronjob.uid();
  return memory;
}

// By sets: a tenant may have made ten thousand Jobs of this CronJob.
void forget_gone_jobs(CronJobPass& pass) {
  auto& memory = pass.memory;
  // Of a deletion only the stored status could know: what it does not name is not worth keeping.
  std::unordered_set<std::string_view> active;
  if (!memory.deleted.empty()) {
    for (const auto& job : pass.facts.status.active) active.insert(job.uid);
  }
  std::erase_if(memory.deleted, [&active](const auto& job) { return !active.contains(job.uid); });
  std::unordered_set<std::string_view> existing;
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

// Our own writes of the status are no news to us.
bool is_news(const cache::Event& event) {
  if (event.type != cache::Event::Type::kUpdated || event.resync) return true;
  return event.before->generation() != event.after->generation() || event.before->deleting() != event.after->deleting();
}

}  // namespace

controller::Definition cronjob() {
  controller::WatchOptions jobs;
  jobs.projection = job_projection();
  return controller::define(cronjob_kind())
      .filtered_by(is_news)
      .owns(kube::jobs(), jobs)
      .follows_wall_clock()
      .defaulted_by<CronJobSpec>([](controller::Context&) { return make_cronjob_defaulter(); })
      .validated_by<CronJobSpec>([](controller::Context&) { return make_cronjob_validator(); })
      .needs({"batch", "jobs", {"create", "delete", "get", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<CronJobReconciler>(context); });
}

}  // namespace keelson::controllers
