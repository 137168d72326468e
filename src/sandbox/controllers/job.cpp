#include "src/sandbox/controllers/job.hpp"

namespace keelson::sandbox {

bool is_managed_elsewhere(const Tree& job) {
  const auto manager = job.text_at({"spec", "managedBy"});
  return !manager.empty() && manager != "kubernetes.io/job-controller";
}

void Jobs::sync(Sync& job) {
  if (job.object.deleting() || is_managed_elsewhere(job.tree)) return;
  if (!job.tree.items_at({"status", "conditions"}).empty()) return expire(job);
  const auto end_time = ends_.find(job.object.uid());
  if (end_time == ends_.end()) return begin(job);
  if (job.operations.world.controller_clock.now() < end_time->second) return job.sync_again(end_time->second);
  end(job);
}

void Jobs::begin(Sync& job) {
  if (job.tree.is_true_at({"spec", "suspend"})) return;
  auto& world = job.operations.world;
  auto lasts = options_.job_shortest;
  const auto more = std::chrono::milliseconds((options_.job_longest - lasts) / std::chrono::milliseconds(1)).count();
  if (more > 0) lasts += std::chrono::milliseconds(world.random.between(0, more));
  const auto when = world.controller_clock.now() + lasts;
  ends_.emplace(job.object.uid(), when);
  job.sync_again(when);
  job.write_status(Tree::object({{"active", 1}, {"startTime", world.time_text()}}));
}

void Jobs::end(Sync& job) {
  auto& world = job.operations.world;
  ends_.erase(ends_.find(job.object.uid()));
  const bool fails = options_.job_failure > 0 && world.random.unit() < options_.job_failure;
  const auto now = world.time_text();
  auto status = status_of(job.tree);
  status.erase("active");
  status[fails ? "failed" : "succeeded"] = 1;
  if (fails) {
    const char* message = "Job has reached the specified backoff limit";
    set_condition(status, new_condition("FailureTarget", true, "BackoffLimitExceeded", message), now);
    set_condition(status, new_condition("Failed", true, "BackoffLimitExceeded", message), now);
  } else {
    const char* message = "Reached expected number of succeeded pods";
    set_condition(status, new_condition("SuccessCriteriaMet", true, "CompletionsReached", message), now);
    set_condition(status, new_condition("Complete", true, "CompletionsReached", message), now);
    status["completionTime"] = now;
  }
  job.write_status(std::move(status));
}

void Jobs::expire(Sync& job) {
  if (job.tree.at({"spec", "ttlSecondsAfterFinished"}) == nullptr) return;
  const auto now = job.operations.world.controller_clock.now();
  const auto [time, is_new] = ends_.try_emplace(std::string(job.object.uid()));
  if (is_new) time->second = now + std::chrono::seconds(job.tree.integer_at({"spec", "ttlSecondsAfterFinished"}));
  if (now < time->second) return job.sync_again(time->second);
  ends_.erase(time);
  job.operations.remove(kube::jobs(), job.object.key());
}

}  // namespace keelson::sandbox
