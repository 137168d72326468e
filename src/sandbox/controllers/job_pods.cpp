// The Job controller of a complete cluster: creates pods until enough of them succeed or too many fail.
#include <algorithm>
#include <map>
#include <set>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/controllers/job.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kIndexName = "batch.kubernetes.io/job-completion-index";
constexpr auto kFirstBackoff = std::chrono::seconds(10);
constexpr auto kLongestBackoff = std::chrono::minutes(10);

// The indexes in the format of the status: "0-2,5".
std::string interval_text(const std::set<std::int64_t>& indexes) {
  std::string text;
  for (auto at = indexes.begin(); at != indexes.end();) {
    auto first = *at;
    auto last = first;
    for (++at; at != indexes.end() && *at == last + 1; ++at) last = *at;
    if (!text.empty()) text += ",";
    text += std::to_string(first);
    if (last != first) text += (last == first + 1 ? "," : "-") + std::to_string(last);
  }
  return text;
}

std::int64_t index_of(const Tree& pod) {
  return base::parse_number<std::int64_t>(pod.text_at({"metadata", "annotations", kIndexName})).value_or(-1);
}

class JobSync : public Sync {
 public:
  explicit JobSync(const Sync& sync) : Sync(sync) {}

  Again run() {
    if (has_condition(tree, "Complete") || has_condition(tree, "Failed")) return expire();
    if (object.deleting()) return std::nullopt;
    count();
    auto failure = reason_to_fail();
    if (!failure.first.empty()) {
      remove_active(active_.size());
      end("FailureTarget", "Failed", failure.first, failure.second);
    } else if (is_complete()) {
      remove_active(active_.size());
      end("SuccessCriteriaMet", "Complete", "CompletionsReached", "Reached expected number of succeeded pods");
      status_["completionTime"] = now_;
    } else if (is_suspended_) {
      suspend();
    } else {
      resume();
      manage();
    }
    write();
    return again;
  }

 private:
  void count() {
    for (const auto& pod : owned(kube::pods())) {
      const auto phase = pod.tree.text_at({"status", "phase"});
      if (phase == "Succeeded") {
        ++succeeded_;
        if (is_indexed_) completed_.insert(index_of(pod.tree));
      } else if (phase == "Failed") {
        ++failed_;
      } else if (pod.object.deleting()) {
        ++terminating_;
      } else {
        active_.push_back(pod.object);
        if (is_ready(pod.tree)) ++ready_;
        taken_.insert(index_of(pod.tree));
      }
    }
    if (is_indexed_) {
      succeeded_ = static_cast<std::int64_t>(completed_.size());
    } else {
      // Finished pods that were deleted still count.
      succeeded_ = std::max(succeeded_, status_.integer_at({"succeeded"}));
    }
    failed_ = std::max(failed_, status_.integer_at({"failed"}));
  }

  // Reason and message; empty if the Job has not failed.
  [[nodiscard]] std::pair<std::string, std::string> reason_to_fail() {
    if (failed_ > tree.integer_at({"spec", "backoffLimit"}, 6)) {
      return {"BackoffLimitExceeded", "Job has reached the specified backoff limit"};
    }
    const Tree* deadline = tree.at({"spec", "activeDeadlineSeconds"});
    auto start = kube::parse_time(status_.text_at({"startTime"}));
    if (deadline == nullptr || !start || is_suspended_) return {};
    auto left = *start + std::chrono::seconds(tree.integer_at({"spec", "activeDeadlineSeconds"})) -
                operations.world.clock.wall_now();
    if (left <= std::chrono::seconds(0)) {
      return {"DeadlineExceeded", "Job was active longer than specified deadline"};
    }
    look_again_in(std::chrono::duration_cast<async::Duration>(left));
    return {};
  }

  [[nodiscard]] bool is_complete() const {
    return is_queue_ ? succeeded_ > 0 && active_.empty() : succeeded_ >= completions_;
  }

  void end(const char* first, const char* last, const std::string& reason, const std::string& message) {
    for (const char* type : {first, last}) {
      add_condition(type, true, reason, message);
    }
    const bool is_failure = std::string_view(last) == "Failed";
    record(is_failure ? reason : "Completed", is_failure ? message : "Job completed",
           is_failure ? "Warning" : "Normal");
    active_.clear();
    ready_ = 0;
  }

  void add_condition(const char* type, bool is_true, const std::string& reason, const std::string& message) {
    auto condition = new_condition(type, is_true, reason, message);
    condition["lastProbeTime"] = now_;
    set_condition(status_, std::move(condition), now_);
  }

  void suspend() {
    remove_active(active_.size());
    active_.clear();
    ready_ = 0;
    status_.erase("startTime");
    if (has_condition(tree, "Suspended")) return;
    add_condition("Suspended", true, "JobSuspended", "Job suspended");
    record("Suspended", "Job suspended");
  }

  void resume() {
    if (has_condition(tree, "Suspended")) {
      add_condition("Suspended", false, "JobResumed", "Job resumed");
      record("Resumed", "Job resumed");
    }
    if (status_.find("startTime") == nullptr) status_["startTime"] = now_;
  }

  // Runs as many pods as parallelism allows and the Job still needs.
  void manage() {
    auto wanted = std::max<std::int64_t>(0, tree.integer_at({"spec", "parallelism"}, 1));
    if (!is_queue_) wanted = std::min(wanted, completions_ - succeeded_);
    if (is_queue_ && succeeded_ > 0) wanted = 0;
    auto has = static_cast<std::int64_t>(active_.size());
    if (has > wanted && !is_queue_) remove_active(static_cast<std::size_t>(has - wanted));
    if (has >= wanted) return;
    if (auto wait = backoff(); wait > async::Duration::zero()) return look_again_in(wait);
    auto missing = std::min<std::int64_t>(wanted - has, kBurst);
    for (std::int64_t i = 0; i < missing; ++i) {
      if (!create()) break;
    }
  }

  // Ten seconds after a failure, and twice as long after each further one.
  [[nodiscard]] async::Duration backoff() const {
    if (failed_ == 0) return async::Duration::zero();
    async::Duration wait = kFirstBackoff;
    for (std::int64_t i = 1; i < failed_ && wait < kLongestBackoff; ++i) wait *= 2;
    std::optional<kube::Time> last;
    for (const auto& pod : owned(kube::pods())) {
      if (pod.tree.text_at({"status", "phase"}) != "Failed") continue;
      for (const auto& status : pod.tree.items_at({"status", "containerStatuses"})) {
        auto time = kube::parse_time(status.text_at({"state", "terminated", "finishedAt"}));
        if (time && (!last || *time > *last)) last = std::chrono::time_point_cast<kube::Time::duration>(*time);
      }
    }
    if (!last) return async::Duration::zero();
    auto left = *last + std::min<async::Duration>(wait, kLongestBackoff) - operations.world.clock.wall_now();
    return std::max(async::Duration::zero(), std::chrono::duration_cast<async::Duration>(left));
  }

  // False if the pod is rejected.
  [[nodiscard]] bool create() {
    auto pod = pod_of(tree.at({"spec", "template"}));
    auto prefix = name();
    if (is_indexed_) {
      std::int64_t index = 0;
      while (completed_.contains(index) || taken_.contains(index)) ++index;
      taken_.insert(index);
      prefix += "-" + std::to_string(index);
      mark(pod, std::to_string(index), prefix);
    }
    const bool is_created = create_pod(prefix, std::move(pod));
    if (is_created) active_.push_back(object);  // from here on only the number of active pods is used
    return is_created;
  }

  static void mark(Tree& pod, const std::string& index, const std::string& host) {
    pod["metadata"]["annotations"][kIndexName] = index;
    pod["metadata"]["labels"][kIndexName] = index;
    if (pod.text_at({"spec", "hostname"}).empty()) pod["spec"]["hostname"] = host;
    auto path = "metadata.labels['" + std::string(kIndexName) + "']";
    auto variable = Tree::object(
        {{"name", "JOB_COMPLETION_INDEX"},
         {"valueFrom", Tree::object({{"fieldRef", Tree::object({{"apiVersion", "v1"}, {"fieldPath", path}})}})}});
    for_each_container(pod["spec"], [&variable](Tree& container) { list_in(container, "env").push_back(variable); });
  }

  void remove_active(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      remove_pod(active_.back().key());
      active_.pop_back();
    }
  }

  void write() {
    set_count(status_, "active", static_cast<std::int64_t>(active_.size()));
    set_count(status_, "succeeded", succeeded_);
    set_count(status_, "failed", failed_);
    status_["ready"] = ready_;
    status_["terminating"] = terminating_;
    status_["uncountedTerminatedPods"] = Tree::object();
    if (is_indexed_ && !completed_.empty()) status_["completedIndexes"] = interval_text(completed_);
    write_status(status_);
  }

  Again expire() {
    const Tree* time_to_live = tree.at({"spec", "ttlSecondsAfterFinished"});
    if (time_to_live == nullptr || object.deleting()) return std::nullopt;
    std::string ended;
    for (const auto& one : tree.items_at({"status", "conditions"})) ended = one.text_at({"lastTransitionTime"});
    auto time = kube::parse_time(ended);
    if (!time) return std::nullopt;
    auto left = *time + std::chrono::seconds(tree.integer_at({"spec", "ttlSecondsAfterFinished"})) -
                operations.world.clock.wall_now();
    if (left <= std::chrono::seconds(0)) {
      operations.remove(kind.resource, object.key());
    } else {
      look_again_in(std::chrono::duration_cast<async::Duration>(left));
    }
    return again;
  }

  // Times in objects are those of the server's clock; --speed makes the controllers' clock faster.
  void look_again_in(async::Duration wait) {
    const auto& world = operations.world;
    sync_again(world.controller_clock.now() + world.on_controller_clock(wait + std::chrono::milliseconds(10)));
  }

  const std::string now_ = operations.world.time_text();
  const bool is_indexed_ = tree.text_at({"spec", "completionMode"}) == "Indexed";
  const bool is_queue_ = tree.at({"spec", "completions"}) == nullptr || tree.at({"spec", "completions"})->is_null();
  const bool is_suspended_ = tree.is_true_at({"spec", "suspend"});
  const std::int64_t completions_ = tree.integer_at({"spec", "completions"});
  Tree status_ = status_of(tree);
  std::int64_t succeeded_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t ready_ = 0;
  std::int64_t terminating_ = 0;
  std::vector<kube::Object> active_;
  std::set<std::int64_t> completed_;
  std::set<std::int64_t> taken_;
};

}  // namespace

void sync_job(Sync& sync) {
  if (!is_managed_elsewhere(sync.tree)) sync.again = JobSync(sync).run();
}

}  // namespace keelson::sandbox
