#include "src/sandbox/controllers/job.hpp"

namespace keelson::sandbox {

void Jobs::changed(const kube::Key& key) {
  due_.emplace(operations_.world.controller_clock.now() + options_.controller_delay, key);
}

std::optional<async::TimePoint> Jobs::sync() {
  auto now = operations_.world.controller_clock.now();
  while (!due_.empty() && due_.begin()->first <= now) {
    auto key = due_.begin()->second;
    due_.erase(due_.begin());
    look_at(key);
  }
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
}

void Jobs::look_at(const kube::Key& key) {
  auto job = operations_.object(kube::jobs(), key);
  if (!job || job->deleting()) return;
  auto tree = *operations_.tree(kube::jobs(), key);
  if (!tree.items_at({"status", "conditions"}).empty()) return expire(*job, tree);
  auto end_time = ends_.find(job->uid());
  if (end_time == ends_.end()) return begin(*job, tree);
  if (operations_.world.controller_clock.now() >= end_time->second) end(*job, tree);
}

void Jobs::begin(const kube::Object& job, const Tree& tree) {
  if (tree.is_true_at({"spec", "suspend"})) return;
  auto lasts = options_.job_shortest;
  auto more = std::chrono::milliseconds((options_.job_longest - lasts) / std::chrono::milliseconds(1)).count();
  if (more > 0) lasts += std::chrono::milliseconds(operations_.world.random.between(0, more));
  auto when = operations_.world.controller_clock.now() + lasts;
  ends_.emplace(job.uid(), when);
  due_.emplace(when, job.key());
  auto status = Tree::object({{"active", 1}, {"startTime", operations_.world.time_text()}});
  operations_.write_status(kube::jobs(), job.key(), std::move(status));
}

void Jobs::end(const kube::Object& job, const Tree& tree) {
  ends_.erase(ends_.find(job.uid()));
  const bool fails = options_.job_failure > 0 && operations_.world.random.unit() < options_.job_failure;
  auto now = operations_.world.time_text();
  auto status = status_of(tree);
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
  operations_.write_status(kube::jobs(), job.key(), std::move(status));
}

void Jobs::expire(const kube::Object& job, const Tree& tree) {
  const Tree* given = tree.at({"spec", "ttlSecondsAfterFinished"});
  if (given == nullptr) return;
  auto [time, is_new] = ends_.try_emplace(std::string(job.uid()));
  if (is_new) {
    time->second = operations_.world.controller_clock.now() +
                   std::chrono::seconds(tree.integer_at({"spec", "ttlSecondsAfterFinished"}));
    due_.emplace(time->second, job.key());
  }
  if (operations_.world.controller_clock.now() < time->second) return;
  ends_.erase(time);
  operations_.remove(kube::jobs(), job.key());
}

}  // namespace keelson::sandbox
