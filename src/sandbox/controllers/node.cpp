#include "src/sandbox/controllers/node.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"
#include "src/sandbox/controllers/node_fit.hpp"
#include "src/sandbox/controllers/scheduler.hpp"

namespace keelson::sandbox {

namespace {

// The address is unique among the last 16 million versions.
std::string address_of(std::uint64_t version) {
  auto part = [version](unsigned shift) { return std::to_string((version >> shift) & 0xff); };
  return "10." + part(16) + "." + part(8) + "." + part(0);
}

Tree container_statuses(const Tree& pod, const char* list, const std::string& now) {
  auto statuses = Tree::array();
  for (const auto& container : pod.items_at({"spec", list})) {
    auto name = container.text_at({"name"});
    statuses.items().push_back(
        Tree::object({{"name", name},
                      {"state", Tree::object({{"running", Tree::object({{"startedAt", now}})}})},
                      {"lastState", Tree::object()},
                      {"ready", true},
                      {"restartCount", 0},
                      {"image", container.text_at({"image"})},
                      {"imageID", ""},
                      {"containerID", "sandbox://" + pod.text_at({"metadata", "uid"}) + "/" + name},
                      {"started", true}}));
  }
  return statuses;
}

Tree init_container_statuses(const Tree& pod, const std::string& now) {
  auto statuses = container_statuses(pod, "initContainers", now);
  for (auto& status : statuses.items()) {
    auto ended = Tree::object({{"exitCode", 0}, {"reason", "Completed"}, {"startedAt", now}, {"finishedAt", now}});
    ended["containerID"] = status["containerID"];
    status["state"] = Tree::object({{"terminated", ended}});
    status["started"] = false;
  }
  return statuses;
}

// Annotations for tests, which the nodes of `scripts/cluster` also read: the duration of a Job's pod ("20s"), and
// whether it fails.
constexpr const char* kLasts = "keelson.test/lasts";
constexpr const char* kFails = "keelson.test/fails";

std::optional<async::Duration> annotated_time(const kube::Object& pod) {
  auto text = pod.annotation(kLasts);
  auto time = base::parse_go_duration(text ? std::string(*text) : "");
  if (!time || *time < async::Duration::zero()) return std::nullopt;
  return *time;
}

bool is_of_job(const kube::Object& pod) {
  auto owner = pod.controller_owner();
  return owner && owner->kind == "Job";
}

Tree running_status(const Tree& pod, const World& world) {
  auto now = world.time_text();
  auto status = Tree::object({{"phase", "Running"}, {"startTime", now}});
  if (const Tree* qos = pod.at({"status", "qosClass"})) status["qosClass"] = *qos;
  for (const char* type : {"Initialized", "ContainersReady", "Ready", "PodScheduled"}) {
    set_condition(status, Tree::object({{"type", type}, {"status", "True"}, {"lastProbeTime", Tree()}}), now);
  }
  auto address = address_of(world.store.version());
  status["podIP"] = address;
  status["podIPs"] = Tree::array({Tree::object({{"ip", address}})});
  status["containerStatuses"] = container_statuses(pod, "containers", now);
  if (auto first = init_container_statuses(pod, now); !first.is_empty()) status["initContainerStatuses"] = first;
  return status;
}

// Records an Event for each container, as the kubelet does.
void record_each(Operations& operations, const StoredObject& pod, const std::string& reason, const std::string& text) {
  if (operations.recorder() == nullptr) return;
  for (const auto& container : pod.tree.items_at({"spec", "containers"})) {
    const auto name = container.text_at({"name"});
    const auto image = base::quote_go(container.text_at({"image"}));
    const auto pulled = "Container image " + image + " already present on machine and can be accessed by the pod";
    const auto message = reason == "Pulled" ? pulled : reason == "Killing" ? text + name : text;
    operations.recorder()->record(operations, {"kubelet", kube::pods(), pod.object, "Normal", reason, message,
                                               "spec.containers{" + name + "}", node_of(pod.tree)});
  }
}

void run(Sync& pod, const std::string& node) {
  auto& operations = pod.operations;
  const auto key = pod.object.key();
  const auto status = running_status(pod.tree, operations.world);
  operations.bind(key, node);
  auto next = *operations.tree(kube::pods(), key);
  next["status"] = status;
  operations.write(kube::pods(), key, next, Subresource::kStatus);
  const auto object = operations.object(kube::pods(), key);
  if (!object || operations.recorder() == nullptr) return;
  operations.recorder()->record_binding(operations, *object, node);
  const StoredObject bound{*object, next};
  record_each(operations, bound, "Pulled", "");
  record_each(operations, bound, "Created", "Container created");
  record_each(operations, bound, "Started", "Container started");
}

}  // namespace

void Node::sync(Sync& pod) {
  const auto phase = pod.tree.text_at({"status", "phase"});
  const std::string uid(pod.object.uid());
  if (pod.object.deleting()) {
    starts_.erase(uid);
    ends_.erase(uid);
    if (phase == "Running") record_each(pod.operations, {pod.object, pod.tree}, "Killing", "Stopping container ");
    return pod.operations.finish_removal(kube::pods(), pod.object.key());
  }
  if (phase == "Running" && is_of_job(pod.object)) return sync_task(pod);
  if ((!phase.empty() && phase != "Pending") || !can_run(pod.tree)) return;
  const auto placement = place(pod.operations, pod.tree);
  if (placement.node.empty()) return report_unschedulable(pod.operations, pod.object, placement.why_nowhere);
  const auto now = pod.operations.world.controller_clock.now();
  const auto start = starts_.try_emplace(uid, now + options_.pod_start).first;
  if (now < start->second) return pod.sync_again(start->second);
  starts_.erase(start);
  run(pod, placement.node);
}

// Ends the pod of a Job after a while.
void Node::sync_task(Sync& pod) {
  const auto now = pod.operations.world.controller_clock.now();
  auto end = ends_.find(pod.object.uid());
  if (end == ends_.end()) {
    const auto annotated = annotated_time(pod.object);
    auto lasts = annotated.value_or(options_.job_shortest);
    auto more = std::chrono::milliseconds((options_.job_longest - lasts) / std::chrono::milliseconds(1)).count();
    if (more > 0 && !annotated) lasts += std::chrono::milliseconds(pod.operations.world.random.between(0, more));
    end = ends_.emplace(pod.object.uid(), now + lasts).first;
  }
  if (now < end->second) return pod.sync_again(end->second);
  ends_.erase(end);
  finish(pod);
}

void Node::finish(Sync& pod) {
  auto& world = pod.operations.world;
  bool fails = options_.job_failure > 0 && world.random.unit() < options_.job_failure;
  fails = fails || pod.tree.text_at({"metadata", "annotations", kFails}) == "yes";
  const auto now = world.time_text();
  auto status = status_of(pod.tree);
  status["phase"] = fails ? "Failed" : "Succeeded";
  const char* reason = fails ? "PodFailed" : "PodCompleted";
  for (const char* type : {"Initialized", "ContainersReady", "Ready"}) {
    const bool is_initial = std::string_view(type) == "Initialized";
    auto condition =
        Tree::object({{"type", type}, {"status", is_initial ? "True" : "False"}, {"lastProbeTime", Tree()}});
    if (!is_initial || !fails) condition["reason"] = reason;
    set_condition(status, std::move(condition), now);
  }
  for (auto& container : status["containerStatuses"].items()) {
    auto started = container.text_at({"state", "running", "startedAt"});
    auto ended = Tree::object({{"exitCode", fails ? 1 : 0},
                               {"reason", fails ? "Error" : "Completed"},
                               {"startedAt", started},
                               {"finishedAt", now},
                               {"containerID", container.text_at({"containerID"})}});
    container["state"] = Tree::object({{"terminated", ended}});
    container["ready"] = false;
    container["started"] = false;
  }
  pod.write_status(std::move(status));
}

bool Node::can_run(const Tree& pod) const {
  const auto& containers = pod.items_at({"spec", "containers"});
  return !image_works_ || std::ranges::all_of(containers, [this](const Tree& container) {
    return image_works_(container.text_at({"image"}));
  });
}

}  // namespace keelson::sandbox
