// The CronJob controller: creates a Job for each time of the schedule, and deletes old Jobs.
#include <algorithm>

#include "keelson/cron/schedule.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr auto kDelta = std::chrono::milliseconds(100);  // after each time, because clocks may be slightly early

std::optional<sys_seconds> time_at(const Tree& tree, std::initializer_list<std::string_view> path) {
  auto time = kube::parse_time(tree.text_at(path));
  return time ? std::optional(std::chrono::floor<seconds>(*time)) : std::nullopt;
}

std::string kube_time_text(sys_seconds time) {
  return kube::format_time(std::chrono::time_point_cast<kube::Time::duration>(time));
}

// A sync of a CronJob with its Jobs and the time.
class CronJobPass {
 public:
  CronJobPass(Operations& operations, const kube::Object& cron_job, Tree tree)
      : operations_(operations),
        cron_job_(cron_job),
        tree_(std::move(tree)),
        now_(std::chrono::floor<seconds>(operations.world.controller_clock.wall_now())) {
    status_ = status_of(tree_);
    if (!status_["active"].is_array()) status_["active"] = Tree::array();
  }

  Again run() {
    observe_jobs();
    Again again;
    if (!cron_job_.deleting()) again = start();
    if (status_["active"].items().empty()) status_.erase("active");
    if (!status_.is_empty()) operations_.write_status(kube::cron_jobs(), cron_job_.key(), status_);
    return again;
  }

 private:
  void observe_jobs() {
    std::vector<kube::Object> complete;
    std::vector<kube::Object> failed;
    auto active = Tree::array();
    for (const auto& job : operations_.owned(kube::jobs(), cron_job_)) {
      const Tree& tree = *operations_.tree(kube::jobs(), job.key());
      const bool is_complete = has_condition(tree, "Complete");
      const bool has_failed = has_condition(tree, "Failed");
      if (is_complete) {
        complete.push_back(job);
        auto at = tree.text_at({"status", "completionTime"});
        if (at > status_.text_at({"lastSuccessfulTime"})) status_["lastSuccessfulTime"] = at;
      } else if (has_failed) {
        failed.push_back(job);
      } else if (is_active(job)) {
        active.items().push_back(reference_to(job));
      }
      if ((!is_complete && !has_failed) || !is_active(job)) continue;
      const char* condition = is_complete ? "Complete" : "Failed";
      record("SawCompletedJob", "Saw completed job: " + std::string(job.name()) + ", condition: " + condition);
    }
    status_["active"] = std::move(active);
    remove_oldest(std::move(complete), tree_.integer_at({"spec", "successfulJobsHistoryLimit"}, 3));
    remove_oldest(std::move(failed), tree_.integer_at({"spec", "failedJobsHistoryLimit"}, 1));
  }

  // kube-controller-manager does not adopt a Job that it did not start.
  [[nodiscard]] bool is_active(const kube::Object& job) const {
    const auto& active = status_.find("active")->items();
    return std::ranges::any_of(active, [&job](const Tree& one) { return one.text_at({"uid"}) == job.uid(); });
  }

  void remove_oldest(std::vector<kube::Object> jobs, std::int64_t limit) {
    std::ranges::sort(jobs, [this](const kube::Object& a, const kube::Object& b) {
      auto key = [this](const kube::Object& job) {
        return std::pair(operations_.tree(kube::jobs(), job.key())->text_at({"status", "startTime"}), job.name());
      };
      return key(a) < key(b);
    });
    auto keep = static_cast<std::size_t>(std::max<std::int64_t>(0, limit));
    for (std::size_t i = 0; i + keep < jobs.size(); ++i) {
      operations_.remove(kube::jobs(), jobs[i].key());
      record("SuccessfulDelete", "Deleted job " + std::string(jobs[i].name()));
    }
  }

  void record(const std::string& reason, const std::string& message) {
    operations_.record(kube::cron_jobs(), cron_job_, reason, message);
  }

  // Starts the due Job, and returns the time of the next one. An invalid schedule or time zone starts nothing.
  Again start() {
    auto zone = cron::Zone::find(tree_.text_at({"spec", "timeZone"}));
    if (!zone || tree_.is_true_at({"spec", "suspend"})) return std::nullopt;
    auto schedule = cron::Schedule::parse(tree_.text_at({"spec", "schedule"}), *zone);
    if (!schedule) return std::nullopt;
    auto last = time_at(status_, {"lastScheduleTime"});
    auto since = last ? last : time_at(tree_, {"metadata", "creationTimestamp"});
    if (!since) return std::nullopt;
    const Tree* deadline = tree_.at({"spec", "startingDeadlineSeconds"});
    constexpr std::int64_t kLongest = 100LL * 366 * 24 * 3600;
    auto window = std::clamp<std::int64_t>(tree_.integer_at({"spec", "startingDeadlineSeconds"}), 0, kLongest);
    auto from = deadline != nullptr ? std::max(*since, now_ - seconds(window)) : *since;
    auto due = schedule->missed(from, now_);
    if (due && due->latest != last) start(due->latest, *zone);
    auto next = schedule->next(due ? due->latest : std::max(from, *since));
    if (next && *next <= now_) next = schedule->next(now_);
    if (!next) return std::nullopt;
    auto wait = *next - operations_.world.controller_clock.wall_now() + kDelta;
    return operations_.world.controller_clock.now() + std::chrono::duration_cast<async::Duration>(wait);
  }

  void start(sys_seconds slot, cron::Zone zone) {
    auto& active = status_["active"];
    auto policy = tree_.text_at({"spec", "concurrencyPolicy"});
    if (policy == "Forbid" && !active.items().empty()) {
      record("JobAlreadyActive",
             "Not starting job because prior execution is running and concurrency policy is Forbid");
      return;
    }
    if (policy == "Replace") {
      for (const auto& one : active.items()) {
        operations_.remove(kube::jobs(), kube::Key(cron_job_.ns(), one.text_at({"name"})));
      }
      active = Tree::array();
    }
    auto minutes = std::chrono::floor<std::chrono::minutes>(slot).time_since_epoch().count();
    kube::Key key(cron_job_.ns(), std::string(cron_job_.name()) + "-" + std::to_string(minutes));
    const bool is_new = operations_.tree(kube::jobs(), key) == nullptr;
    operations_.create(kube::jobs(), key.ns, job_for(key.name, cron::format_rfc3339(slot, zone)));
    if (is_new) record("SuccessfulCreate", "Created job " + key.name);
    auto job = operations_.object(kube::jobs(), key);
    auto owner = job ? job->controller_owner() : std::nullopt;
    if (!owner || owner->uid != cron_job_.uid()) return;
    active.items().push_back(reference_to(*job));
    status_["lastScheduleTime"] = kube_time_text(slot);
  }

  [[nodiscard]] Tree job_for(const std::string& name, const std::string& slot) const {
    auto job = tree_.copy_at({"spec", "jobTemplate"});
    auto metadata = Tree::object({{"name", name}});
    for (const char* part : {"labels", "annotations"}) {
      if (const Tree* value = job.at({"metadata", part})) metadata[part] = *value;
    }
    metadata["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"] = slot;
    metadata["ownerReferences"] = controlled_by(kube::cron_jobs(), cron_job_);
    job["metadata"] = std::move(metadata);
    return job;
  }

  [[nodiscard]] static Tree reference_to(const kube::Object& job) {
    return Tree::object({{"kind", "Job"},
                         {"namespace", job.ns()},
                         {"name", job.name()},
                         {"uid", job.uid()},
                         {"apiVersion", "batch/v1"},
                         {"resourceVersion", std::to_string(job.resource_version())}});
  }

  Operations& operations_;
  const kube::Object& cron_job_;
  const Tree tree_;
  const sys_seconds now_;
  Tree status_;
};

}  // namespace

Again sync_cron_job(Operations& operations, const kube::Object& cron_job) {
  const Tree* tree = operations.tree(kube::cron_jobs(), cron_job.key());
  return tree == nullptr ? std::nullopt : CronJobPass(operations, cron_job, *tree).run();
}

}  // namespace keelson::sandbox
