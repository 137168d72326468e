#include "src/sandbox/controllers/node.hpp"

#include <algorithm>
#include <utility>

#include "src/sandbox/controllers/node_fit.hpp"

namespace keelson::sandbox {

namespace {

// Of its own for each of the last 16 million versions.
std::string address_of(std::uint64_t version) {
  auto part = [version](unsigned shift) { return std::to_string((version >> shift) & 0xff); };
  return "10." + part(16) + "." + part(8) + "." + part(0);
}

Tree container_statuses(const Tree& pod, const std::string& now) {
  auto statuses = Tree::array();
  const Tree* containers = pod.at({"spec", "containers"});
  if (containers == nullptr) return statuses;
  for (const auto& container : containers->items()) {
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

Tree running_status(const Tree& pod, const World& world) {
  auto now = world.time_text();
  auto status = Tree::object({{"phase", "Running"}, {"startTime", now}});
  for (const char* type : {"PodScheduled", "Initialized", "ContainersReady", "Ready"}) {
    set_condition(status, Tree::object({{"type", type}, {"status", "True"}}), now);
  }
  auto address = address_of(world.store.version());
  status["podIP"] = address;
  status["podIPs"] = Tree::array({Tree::object({{"ip", address}})});
  status["containerStatuses"] = container_statuses(pod, now);
  return status;
}

}  // namespace

void Node::set_image_works(std::function<bool(const std::string& image)> works) {
  image_works_ = std::move(works);
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
    operations_.finish_removal(kube::pods(), pod.key());
    return std::nullopt;
  }
  auto phase = tree->text_at({"status", "phase"});
  if ((!phase.empty() && phase != "Pending") || !can_run(*tree)) return std::nullopt;
  auto now = operations_.world.controller_clock.now();
  auto start = starts_.try_emplace(std::string(pod.uid()), now + options_.pod_start).first;
  if (now < start->second) return start->second;
  starts_.erase(start);
  run(pod.key());
  return std::nullopt;
}

void Node::run(const kube::Key& key) {
  auto next = *operations_.tree(kube::pods(), key);
  auto status = running_status(next, operations_.world);
  auto node = node_of(next);
  next["spec"]["nodeName"] = node.empty() ? "node-1" : node;
  operations_.write(kube::pods(), key, std::move(next));
  next = *operations_.tree(kube::pods(), key);
  next["status"] = status;
  operations_.write(kube::pods(), key, std::move(next), "status");
}

bool Node::can_run(const Tree& pod) const {
  const Tree* containers = pod.at({"spec", "containers"});
  if (!image_works_ || containers == nullptr) return true;
  return std::all_of(containers->items().begin(), containers->items().end(),
                     [this](const Tree& container) { return image_works_(container.text_at({"image"})); });
}

}  // namespace keelson::sandbox
