#include "src/sandbox/tables/table_columns.hpp"

#include <algorithm>
#include <optional>

namespace keelson::sandbox {

namespace {

const Tree* container_named(const Tree& pod, const std::string& name) {
  for (const auto& container : pod.items_at({"spec", "initContainers"})) {
    if (container.text_at({"name"}) == name) return &container;
  }
  return nullptr;
}

// A sidecar.
bool is_restartable(const Tree* container) {
  return container != nullptr && container->text_at({"restartPolicy"}) == "Always";
}

std::string ended_text(const Tree& terminated) {
  auto reason = terminated.text_at({"reason"});
  if (!reason.empty()) return reason;
  auto signal = terminated.integer_at({"signal"});
  if (signal != 0) return "Signal:" + std::to_string(signal);
  return "ExitCode:" + std::to_string(terminated.integer_at({"exitCode"}));
}

struct Summary {
  std::string reason;
  std::int64_t ready = 0;
  std::int64_t restarts = 0;
  std::string last_restart;  // the newest metav1.Time; empty if there was no restart

  void count_restarts(const Tree& status) {
    restarts += status.integer_at({"restartCount"});
    last_restart = std::max(last_restart, status.text_at({"lastState", "terminated", "finishedAt"}));
  }
};

// The state of the init containers; nullopt after all of them are done.
std::optional<std::string> initializing(const Tree& pod, Summary& summary, Summary& sidecars) {
  const auto& statuses = pod.items_at({"status", "initContainerStatuses"});
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const auto& status = statuses[i];
    const bool is_sidecar = is_restartable(container_named(pod, status.text_at({"name"})));
    summary.count_restarts(status);
    if (is_sidecar) sidecars.count_restarts(status);
    const Tree* terminated = status.at({"state", "terminated"});
    if (terminated != nullptr && terminated->integer_at({"exitCode"}) == 0) continue;
    if (is_sidecar && status.is_true_at({"started"})) {
      if (status.is_true_at({"ready"})) ++summary.ready;
      continue;
    }
    if (terminated != nullptr) return "Init:" + ended_text(*terminated);
    auto waiting = status.text_at({"state", "waiting", "reason"});
    if (!waiting.empty() && waiting != "PodInitializing") return "Init:" + waiting;
    return "Init:" + std::to_string(i) + "/" + std::to_string(size_at(pod, {"spec", "initContainers"}));
  }
  return std::nullopt;
}

void read_containers(const Tree& pod, Summary& summary) {
  bool has_running = false;
  std::string error;
  const auto& statuses = pod.items_at({"status", "containerStatuses"});
  for (auto status = statuses.rbegin(); status != statuses.rend(); ++status) {
    summary.count_restarts(*status);
    auto waiting = status->text_at({"state", "waiting", "reason"});
    const Tree* terminated = status->at({"state", "terminated"});
    if (!waiting.empty()) {
      summary.reason = waiting;
    } else if (terminated != nullptr) {
      summary.reason = ended_text(*terminated);
      if (terminated->integer_at({"exitCode"}) != 0) error = summary.reason;
    } else if (status->is_true_at({"ready"}) && status->at({"state", "running"}) != nullptr) {
      has_running = true;
      ++summary.ready;
    }
  }
  if (summary.reason != "Completed") return;
  if (has_running && has_condition(pod, "Ready")) {
    summary.reason = "Running";
  } else if (!error.empty()) {
    summary.reason = error;
  } else if (has_running) {
    summary.reason = "NotReady";
  }
}

Summary summary_of(const Tree& pod) {
  Summary summary;
  Summary sidecars;
  auto phase = pod.text_at({"status", "phase"});
  auto reason = pod.text_at({"status", "reason"});
  summary.reason = reason.empty() ? phase : reason;
  const Tree* scheduled = condition_of(pod, "PodScheduled");
  const bool is_gated = scheduled != nullptr && scheduled->text_at({"reason"}) == "SchedulingGated";
  if (is_gated) summary.reason = "SchedulingGated";
  auto init = initializing(pod, summary, sidecars);
  if (init) summary.reason = *init;
  if (!init || has_condition(pod, "Initialized")) {
    summary.restarts = sidecars.restarts;
    summary.last_restart = sidecars.last_restart;
    read_containers(pod, summary);
  }
  if (pod.at({"metadata", "deletionTimestamp"}) == nullptr) return summary;
  if (reason == "NodeLost") {
    summary.reason = "Unknown";
  } else if (phase != "Succeeded" && phase != "Failed") {
    summary.reason = "Terminating";
  }
  return summary;
}

std::string ready_text(const Tree& pod) {
  auto total = size_at(pod, {"spec", "containers"});
  for (const auto& container : pod.items_at({"spec", "initContainers"})) {
    if (is_restartable(&container)) ++total;
  }
  return std::to_string(summary_of(pod).ready) + "/" + std::to_string(total);
}

std::string status_text(const Tree& pod) { return summary_of(pod).reason; }

Tree restarts_text(const Tree& pod, WallTime now) {
  auto summary = summary_of(pod);
  auto text = std::to_string(summary.restarts);
  if (summary.restarts == 0 || summary.last_restart.empty()) return {text};
  Tree last(summary.last_restart);
  return {text + " (" + since(&last, now) + " ago)"};
}

std::string address_text(const Tree& pod) {
  const auto& addresses = pod.items_at({"status", "podIPs"});
  return addresses.empty() ? "<none>" : text_or(addresses[0].find("ip"), "<none>");
}

std::string gates_text(const Tree& pod) {
  const auto& gates = pod.items_at({"spec", "readinessGates"});
  if (gates.empty()) return "<none>";
  auto open = std::ranges::count_if(
      gates, [&pod](const Tree& gate) { return has_condition(pod, gate.text_at({"conditionType"})); });
  return std::to_string(open) + "/" + std::to_string(gates.size());
}

}  // namespace

Columns pod_columns() {
  return {name_column(),
          computed_column("Ready", ready_text),
          computed_column("Status", status_text),
          {"Restarts", restarts_text},
          age_column(),
          computed_column("IP", address_text, 1),
          text_column("Node", "spec.nodeName", "<none>", 1),
          text_column("Nominated Node", "status.nominatedNodeName", "<none>", 1),
          computed_column("Readiness Gates", gates_text, 1)};
}

}  // namespace keelson::sandbox
