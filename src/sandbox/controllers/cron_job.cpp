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

class CronJobSync : public Sync {
 public:
  explicit CronJobSync(const Sync& sync) : Sync(sync) {
    if (!status_["active"].is_array()) status_["active"] = Tree::array();
  }

  Again run() {
    observe_jobs();
    if (!object.deleting()) again = start();
    if (status_["active"].items().empty()) status_.erase("active");
    if (!status_.is_empty()) write_status(status_);
    return again;
  }

 private:
  void observe_jobs() {
    std::vector<StoredObject> complete;
    std::vector<StoredObject> failed;
    auto active = Tree::array();
    for (const auto& job : owned(kube::jobs())) {
      const bool is_complete = has_condition(job.tree, "Complete");
      const bool has_failed = has_condition(job.tree, "Failed");
      if (is_complete) {
        complete.push_back(job);
        auto at = job.tree.text_at({"status", "completionTime"});
        if (at > status_.text_at({"lastSuccessfulTime"})) status_["lastSuccessfulTime"] = at;
      } else if (has_failed) {
        failed.push_back(job);
      } else if (is_active(job.object)) {
        active.items().push_back(reference_to(kube::jobs(), job.object));
      }
      if ((!is_complete && !has_failed) || !is_active(job.object)) continue;
      const char* condition = is_complete ? "Complete" : "Failed";
      record("SawCompletedJob", "Saw completed job: " + std::string(job.object.name()) + ", condition: " + condition);
    }
    status_["active"] = std::move(active);
    remove_oldest(std::move(complete), tree.integer_at({"spec", "successfulJobsHistoryLimit"}, 3));
    remove_oldest(std::move(failed), tree.integer_at({"spec", "failedJobsHistoryLimit"}, 1));
  }

  // kube-controller-manager does not adopt a Job that it did not start.
  [[nodiscard]] bool is_active(const kube::Object& job) const {
    const auto& active = status_.find("active")->items();
    return std::ranges::any_of(active, [&job](const Tree& one) { return one.text_at({"uid"}) == job.uid(); });
  }

  void remove_oldest(std::vector<StoredObject> jobs, std::int64_t limit) {
    std::ranges::sort(jobs, {}, [](const StoredObject& job) {
      return std::pair(job.tree.text_at({"status", "startTime"}), job.object.name());
    });
    auto keep = static_cast<std::size_t>(std::max<std::int64_t>(0, limit));
    for (std::size_t i = 0; i + keep < jobs.size(); ++i) {
      operations.remove(kube::jobs(), jobs[i].object.key());
      record("SuccessfulDelete", "Deleted job " + std::string(jobs[i].object.name()));
    }
  }

  // Starts the due Job, and returns the time of the next one. An invalid schedule or time zone starts nothing.
  Again start() {
    auto zone = cron::Zone::find(tree.text_at({"spec", "timeZone"}));
    if (!zone || tree.is_true_at({"spec", "suspend"})) return std::nullopt;
    auto schedule = cron::Schedule::parse(tree.text_at({"spec", "schedule"}), *zone);
    if (!schedule) return std::nullopt;
    auto last = time_at(status_, {"lastScheduleTime"});
    auto since = last ? last : time_at(tree, {"metadata", "creationTimestamp"});
    if (!since) return std::nullopt;
    const Tree* deadline = tree.at({"spec", "startingDeadlineSeconds"});
    constexpr std::int64_t kLongest = 100LL * 366 * 24 * 3600;
    auto window = std::clamp<std::int64_t>(tree.integer_at({"spec", "startingDeadlineSeconds"}), 0, kLongest);
    auto from = deadline != nullptr ? std::max(*since, now_ - seconds(window)) : *since;
    auto due = schedule->missed(from, now_);
    if (due && due->latest != last) start(due->latest, *zone);
    auto next = schedule->next(due ? due->latest : std::max(from, *since));
    if (next && *next <= now_) next = schedule->next(now_);
    if (!next) return std::nullopt;
    auto wait = *next - operations.world.controller_clock.wall_now() + kDelta;
    return operations.world.controller_clock.now() + std::chrono::duration_cast<async::Duration>(wait);
  }

  void start(sys_seconds slot, cron::Zone zone) {
    auto& active = status_["active"];
    auto policy = tree.text_at({"spec", "concurrencyPolicy"});
    if (policy == "Forbid" && !active.items().empty()) {
      record("JobAlreadyActive",
             "Not starting job because prior execution is running and concurrency policy is Forbid");
      return;
    }
    if (policy == "Replace") {
      for (const auto& one : active.items()) {
        operations.remove(kube::jobs(), key_of(one.text_at({"name"})));
      }
      active = Tree::array();
    }
    auto minutes = std::chrono::floor<std::chrono::minutes>(slot).time_since_epoch().count();
    const auto key = key_of(name() + "-" + std::to_string(minutes));
    const bool is_new = operations.tree(kube::jobs(), key) == nullptr;
    operations.create(kube::jobs(), key.ns, job_for(key.name, cron::format_rfc3339(slot, zone)));
    if (is_new) record("SuccessfulCreate", "Created job " + key.name);
    auto job = operations.object(kube::jobs(), key);
    auto owner = job ? job->controller_owner() : std::nullopt;
    if (!owner || owner->uid != object.uid()) return;
    active.items().push_back(reference_to(kube::jobs(), *job));
    status_["lastScheduleTime"] = kube_time_text(slot);
  }

  [[nodiscard]] Tree job_for(const std::string& name, const std::string& slot) const {
    auto job = tree.copy_at({"spec", "jobTemplate"});
    auto metadata = Tree::object({{"name", name}});
    for (const char* part : {"labels", "annotations"}) {
      if (const Tree* value = job.at({"metadata", part})) metadata[part] = *value;
    }
    metadata["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"] = slot;
    metadata["ownerReferences"] = as_owner();
    job["metadata"] = std::move(metadata);
    return job;
  }

  const sys_seconds now_ = std::chrono::floor<seconds>(operations.world.controller_clock.wall_now());
  Tree status_ = status_of(tree);
};

}  // namespace

void sync_cron_job(Sync& sync) { sync.again = CronJobSync(sync).run(); }

}  // namespace keelson::sandbox
