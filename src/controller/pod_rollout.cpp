#include "keelson/controller/pod_rollout.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/schema/time.hpp"
#include "src/controller/pod_problems.hpp"

namespace keelson::controller {
using namespace std::chrono_literals;

namespace {

// A container that has run for as long starts again without a delay: the kubelet resets its backoff.
constexpr std::chrono::minutes kLongRun{10};
constexpr std::chrono::minutes kShortestRun{1};
// A ConfigMap that is created after its Deployment, or a registry that fails once, is no problem.
constexpr std::chrono::seconds kShortWait{10};
// An autoscaler of nodes takes one to two minutes.
constexpr std::chrono::minutes kScheduling{2};
// Messages of container runtimes can have kilobytes, and name the image and the cause in their first part.
constexpr std::size_t kRuntimeMessageBytes = 300;

// In the order of what is reported first.
enum class Rank : std::uint8_t { kCrash, kWaiting, kNodeLost, kUnschedulable, kNotReady };

struct PodProblem {
  Rank rank = Rank::kNotReady;
  async::WallTime from{};  // it is a problem from then on
  std::string reason;
  std::string text;  // what is wrong with the pod, without its name
};

const core::v1::PodCondition* condition_of_pod(const core::v1::Pod& pod, std::string_view type) {
  const auto found =
      std::ranges::find_if(pod.status.conditions, [type](const auto& condition) { return condition.type == type; });
  return found == pod.status.conditions.end() ? nullptr : &*found;
}

bool holds_for_pod(const core::v1::Pod& pod, std::string_view type) {
  const auto* condition = condition_of_pod(pod, type);
  return condition != nullptr && condition->status == "True";
}

// The last change of a condition; the creation of a pod that does not have it. A clock may be ahead of ours.
async::WallTime changed_at(const core::v1::Pod& pod, std::string_view type, async::WallTime now) {
  const auto* condition = condition_of_pod(pod, type);
  const auto has_time = condition != nullptr && condition->last_transition_time;
  const auto& time = has_time ? condition->last_transition_time : pod.metadata.creation_timestamp;
  return time ? std::min<async::WallTime>(*time, now) : now;
}

std::string since_text(async::WallTime time) { return " since " + kube::format_time(time); }

// The number is rounded down from 5 on, so that the message does not change with each restart.
std::string restarts_text(std::int32_t count) {
  if (count < 5) return std::to_string(count) + (count == 1 ? " restart" : " restarts");
  std::int32_t step = 5;
  for (const std::int32_t next : {10, 20, 50, 100, 200, 500, 1000}) {
    if (count >= next) step = next;
  }
  return std::to_string(step) + " or more restarts";
}

std::string exit_text(const core::v1::ContainerStateTerminated& ended) {
  auto text = "exit code " + std::to_string(ended.exit_code);
  if (!ended.reason.empty()) text += " (" + ended.reason + ")";
  return text;
}

// The time for which a run that follows a crash must last before the crash counts as overcome: twice the time of the
// run that crashed. Nothing if that was long: such a crash is a single one.
std::optional<async::Duration> recovery_of(const core::v1::ContainerStateTerminated& ended) {
  if (!ended.started_at || !ended.finished_at) return std::nullopt;
  const auto lasted = *ended.finished_at - *ended.started_at;
  if (lasted >= kLongRun) return std::nullopt;
  return std::clamp<async::Duration>(2 * lasted, kShortestRun, kLongRun);
}

std::string crash_text(const core::v1::ContainerStatus& container, const core::v1::ContainerStateTerminated& ended) {
  return "container " + container.name + " crashes, " + exit_text(ended) + ", " +
         restarts_text(container.restart_count);
}

// `until` is when a running container counts as recovered.
std::optional<PodProblem> crash_of(const core::v1::ContainerStatus& container, async::WallTime now,
                                   std::optional<async::WallTime>& until) {
  const auto& state = container.state;
  const auto& last = state.terminated ? state.terminated : container.last_state.terminated;
  const core::v1::ContainerStateTerminated unknown;
  const auto& ended = last ? *last : unknown;
  PodProblem problem{Rank::kCrash, now, "CrashLoopBackOff", crash_text(container, ended)};
  if (state.waiting) return state.waiting->reason == "CrashLoopBackOff" ? std::optional(problem) : std::nullopt;
  if (!last) return std::nullopt;
  const auto crashes = container.restart_count + (state.terminated ? 1 : 0);
  const auto recovery = recovery_of(*last);
  if (crashes < 2 || !recovery) return std::nullopt;
  if (state.terminated) return problem;
  if (!state.running || !state.running->started_at) return std::nullopt;
  const auto recovered = std::min<async::WallTime>(*state.running->started_at, now) + *recovery;
  if (recovered <= now) return std::nullopt;
  until = until ? std::min(*until, recovered) : recovered;
  return problem;
}

bool is_start(std::string_view waiting) {
  return waiting.empty() || waiting == "ContainerCreating" || waiting == "PodInitializing";
}

// The kubelet alternates between two reasons with each attempt to pull; the message of one contains the other's.
std::string runtime_message(std::string_view message) {
  constexpr std::string_view kPrefix = "ErrImagePull: ";
  if (message.starts_with("Back-off pulling image")) {
    const auto cause = message.find(kPrefix);
    message = cause == std::string_view::npos ? std::string_view() : message.substr(cause + kPrefix.size());
  }
  return base::on_one_line(kube::short_text(message, kRuntimeMessageBytes));
}

std::optional<PodProblem> wait_of(const core::v1::Pod& pod, const core::v1::ContainerStatus& container,
                                  async::WallTime now) {
  if (!container.state.waiting || is_start(container.state.waiting->reason)) return std::nullopt;
  const auto& waiting = *container.state.waiting;
  const auto start = changed_at(pod, "Ready", now);
  const auto reason = waiting.reason == "ErrImagePull" ? std::string("ImagePullBackOff") : waiting.reason;
  auto text = "container " + container.name + " waits with " + reason + since_text(start);
  if (const auto message = runtime_message(waiting.message); !message.empty()) text += ": " + message;
  return PodProblem{Rank::kWaiting, start + kShortWait, reason, std::move(text)};
}

// While a node does not report, the control plane changes only the condition Ready of its pods.
bool is_on_lost_node(const core::v1::Pod& pod) {
  if (pod.status.reason == "NodeLost" || pod.status.phase == "Unknown") return true;
  const auto* ready = condition_of_pod(pod, "Ready");
  return ready != nullptr && ready->status != "True" && ready->reason.empty() && holds_for_pod(pod, "ContainersReady");
}

PodProblem not_ready(const core::v1::Pod& pod, std::int32_t deadline_seconds, async::WallTime now) {
  const auto start = changed_at(pod, "Ready", now);
  if (is_on_lost_node(pod)) {
    return {Rank::kNodeLost, start, "NodeLost",
            "the pod is not ready" + since_text(start) + ", because its node does not report"};
  }
  const auto* scheduled = condition_of_pod(pod, "PodScheduled");
  if (scheduled != nullptr && scheduled->status == "False" && scheduled->reason == "Unschedulable") {
    const auto from = changed_at(pod, "PodScheduled", now);
    return {Rank::kUnschedulable, from + kScheduling, "Unschedulable",
            "no node fits" + since_text(from) + ": " + kube::short_text(scheduled->message, kRuntimeMessageBytes)};
  }
  return {Rank::kNotReady, start + std::chrono::seconds(deadline_seconds), "PodNotReady",
          "the pod is not ready" + since_text(start)};
}

// The worst problem of a pod, which may begin in the future. `until` is when it may end without a change of the pod.
std::optional<PodProblem> problem_of(const core::v1::Pod& pod, std::int32_t deadline_seconds, async::WallTime now,
                                     std::optional<async::WallTime>& until) {
  std::optional<PodProblem> worst;
  const auto consider = [&worst](std::optional<PodProblem> found) {
    const bool is_worse = found && (!worst || found->rank < worst->rank);
    if (is_worse) worst = std::move(found);
  };
  for (const auto* containers : {&pod.status.init_container_statuses, &pod.status.container_statuses}) {
    for (const auto& container : *containers) {
      // An init container that has completed stays in the status.
      const bool is_init = containers == &pod.status.init_container_statuses;
      const auto& ended = container.state.terminated;
      if (is_init && ended && ended->exit_code == 0) continue;
      consider(crash_of(container, now, until));
      consider(wait_of(pod, container, now));
    }
  }
  if (!is_ready(pod)) consider(not_ready(pod, deadline_seconds, now));
  return worst;
}

std::string place_of(const core::v1::Pod& pod) {
  return "Pod " + pod.metadata.name + (pod.spec.node_name.empty() ? "" : " on node " + pod.spec.node_name);
}

struct Found {
  const core::v1::Pod* pod;
  PodProblem problem;
};

// The same pod is named as long as it has the problem: the first by name.
bool is_reported_before(const Found& left, const Found& right) {
  return std::tie(left.problem.rank, left.pod->metadata.name) < std::tie(right.problem.rank, right.pod->metadata.name);
}

std::string ended(std::string text) { return text.ends_with('.') ? text : text + "."; }

void report_pods(const std::vector<Found>& found, std::size_t pods, Rollout& rollout) {
  if (found.empty()) return;
  const auto& first = *std::ranges::min_element(found, is_reported_before);
  auto message = ended(place_of(*first.pod) + ": " + first.problem.text);
  if (found.size() > 1) {
    message += " " + std::to_string(found.size()) + " of " + std::to_string(pods) + " pods have a problem.";
  }
  if (rollout.problem) message += " " + rollout.problem->message;
  rollout.problem = RolloutProblem{first.problem.reason, std::move(message)};
}

}  // namespace

json::Projection pod_rollout_projection() {
  std::vector<std::vector<std::string>> paths{{"spec", "nodeName"},
                                              {"status", "phase"},
                                              {"status", "reason"},
                                              {"status", "conditions", "type"},
                                              {"status", "conditions", "status"},
                                              {"status", "conditions", "reason"},
                                              {"status", "conditions", "message"},
                                              {"status", "conditions", "lastTransitionTime"}};
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const char* member : {"name", "restartCount"}) paths.push_back({"status", list, member});
    paths.push_back({"status", list, "state", "waiting"});
    paths.push_back({"status", list, "state", "running"});
    for (const char* state : {"state", "lastState"}) {
      for (const char* member : {"exitCode", "reason", "startedAt", "finishedAt"}) {
        paths.push_back({"status", list, state, "terminated", member});
      }
    }
  }
  return json::Projection::of(paths);
}

WatchOptions replica_sets_of_rollouts(kube::Selector labels) {
  return {.labels = std::move(labels), .content = json::Projection::of({})};
}

WatchOptions pods_of_rollouts(kube::Selector labels) {
  return {.labels = std::move(labels), .content = pod_rollout_projection()};
}

void add_pod_problems(const std::vector<core::v1::Pod>& pods, std::int32_t deadline_seconds, async::WallTime now,
                      Rollout& rollout) {
  const auto check_at = [&rollout](async::WallTime time) {
    rollout.check_at = rollout.check_at ? std::min(*rollout.check_at, time) : time;
  };
  std::vector<Found> found;
  std::size_t live = 0;
  for (const auto& pod : pods) {
    if (!is_live(pod)) continue;
    ++live;
    std::optional<async::WallTime> until;
    auto problem = problem_of(pod, deadline_seconds, now, until);
    if (until) check_at(*until);
    if (!problem) continue;
    if (problem->from > now) {
      check_at(problem->from);
    } else {
      found.push_back({&pod, *std::move(problem)});
    }
  }
  report_pods(found, live, rollout);
}

Rollout rollout_of(const apps::v1::Deployment& deployment, const std::vector<core::v1::Pod>& pods,
                   async::WallTime now) {
  auto rollout = rollout_of(deployment);
  add_pod_problems(pods, deployment.spec.progress_deadline_seconds.value_or(kDeadlineSeconds), now, rollout);
  return rollout;
}

Outcome check_again(const Rollout& rollout, async::WallTime now) {
  if (!rollout.check_at) return Outcome::done();
  // A time that is read again a moment too early would be the end of the checks.
  constexpr auto kPad = 100ms;
  return Outcome::requeue_after(std::max<async::Duration>(*rollout.check_at - now, 0s) + kPad);
}

bool is_live(const core::v1::Pod& pod) {
  const auto& phase = pod.status.phase;
  return !pod.metadata.deletion_timestamp && phase != "Failed" && phase != "Succeeded";
}

bool is_ready(const core::v1::Pod& pod) { return holds_for_pod(pod, "Ready"); }

}  // namespace keelson::controller
