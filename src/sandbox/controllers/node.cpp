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

}  // namespace

void Node::set_image_works(std::function<bool(const std::string& image)> works) {
  image_works_ = std::move(works);
  all_changed();
}

void Node::all_changed() {
  for (const auto& [key, entry] : operations_.world.store.all(operations_.kind(kube::pods()))) changed(key);
}

Again Node::sync() {
  auto now = operations_.world.controller_clock.now();
  while (!due_.empty() && due_.begin()->first <= now) {
    changed(due_.begin()->second);
    due_.erase(due_.begin());
  }
  for (const auto& key : std::exchange(changed_, {})) {
    auto pod = operations_.object(kube::pods(), key);
    auto again = pod ? sync_pod(*pod) : std::nullopt;
    if (again) due_.emplace(*again, key);
  }
  return due_.empty() ? std::nullopt : Again(due_.begin()->first);
}

Again Node::sync_pod(const kube::Object& pod) {
  const Tree* tree = operations_.tree(kube::pods(), pod.key());
  if (pod.deleting()) {
    starts_.erase(std::string(pod.uid()));
    ends_.erase(std::string(pod.uid()));
    if (tree->text_at({"status", "phase"}) == "Running") record_each(pod, *tree, "Killing", "Stopping container ");
    operations_.finish_removal(kube::pods(), pod.key());
    return std::nullopt;
  }
  auto phase = tree->text_at({"status", "phase"});
  if (phase == "Running" && is_of_job(pod)) return sync_task(pod);
  if ((!phase.empty() && phase != "Pending") || !can_run(*tree)) return std::nullopt;
  if (auto placement = place(operations_, *tree); placement.node.empty()) {
    report_unschedulable(operations_, pod, placement.why_nowhere);
    return std::nullopt;
  }
  auto now = operations_.world.controller_clock.now();
  auto start = starts_.try_emplace(std::string(pod.uid()), now + options_.pod_start).first;
  if (now < start->second) return start->second;
  starts_.erase(start);
  run(pod.key());
  return std::nullopt;
}

// Ends the pod of a Job after a while.
Again Node::sync_task(const kube::Object& pod) {
  auto now = operations_.world.controller_clock.now();
  auto end = ends_.find(pod.uid());
  if (end == ends_.end()) {
    const auto annotated = annotated_time(pod);
    auto lasts = annotated.value_or(options_.job_shortest);
    auto more = std::chrono::milliseconds((options_.job_longest - lasts) / std::chrono::milliseconds(1)).count();
    if (more > 0 && !annotated) lasts += std::chrono::milliseconds(operations_.world.random.between(0, more));
    end = ends_.emplace(pod.uid(), now + lasts).first;
  }
  if (now < end->second) return end->second;
  ends_.erase(end);
  finish(pod.key());
  return std::nullopt;
}

void Node::finish(const kube::Key& key) {
  bool fails = options_.job_failure > 0 && operations_.world.random.unit() < options_.job_failure;
  const Tree& pod = *operations_.tree(kube::pods(), key);
  fails = fails || pod.text_at({"metadata", "annotations", kFails}) == "yes";
  auto now = operations_.world.time_text();
  auto status = status_of(pod);
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
  operations_.write_status(kube::pods(), key, std::move(status));
}

void Node::run(const kube::Key& key) {
  auto next = *operations_.tree(kube::pods(), key);
  auto status = running_status(next, operations_.world);
  auto node = place(operations_, next).node;
  operations_.bind(key, node);
  next = *operations_.tree(kube::pods(), key);
  next["status"] = status;
  const auto as_bound = next;
  operations_.write(kube::pods(), key, std::move(next), Subresource::kStatus);
  auto pod = operations_.object(kube::pods(), key);
  if (!pod || operations_.recorder() == nullptr) return;
  operations_.recorder()->record_binding(operations_, *pod, node);
  record_each(*pod, as_bound, "Pulled", "");
  record_each(*pod, as_bound, "Created", "Container created");
  record_each(*pod, as_bound, "Started", "Container started");
}

// Records an Event for each container, as the kubelet does.
void Node::record_each(const kube::Object& pod, const Tree& tree, const std::string& reason, const std::string& text) {
  if (operations_.recorder() == nullptr) return;
  for (const auto& container : tree.items_at({"spec", "containers"})) {
    auto name = container.text_at({"name"});
    auto image = base::quote_go(container.text_at({"image"}));
    auto pulled = "Container image " + image + " already present on machine and can be accessed by the pod";
    auto message = reason == "Pulled" ? pulled : reason == "Killing" ? text + name : text;
    operations_.recorder()->record(operations_, {"kubelet", kube::pods(), pod, "Normal", reason, message,
                                                 "spec.containers{" + name + "}", node_of(tree)});
  }
}

bool Node::can_run(const Tree& pod) const {
  const auto& containers = pod.items_at({"spec", "containers"});
  return !image_works_ || std::ranges::all_of(containers, [this](const Tree& container) {
    return image_works_(container.text_at({"image"}));
  });
}

}  // namespace keelson::sandbox
