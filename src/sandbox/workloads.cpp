#include "src/sandbox/workloads.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/assert.hpp"
#include "src/sandbox/job.hpp"

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

Workloads::Workloads(World& world, Committer& committer, Deletes& deletes, const ServerOptions& options)
    : world_(world),
      options_(options),
      deployments_(world, committer, deletes, "system:serviceaccount:kube-system:deployment-controller"),
      replica_sets_(world, committer, deletes, "system:serviceaccount:kube-system:replicaset-controller"),
      node_(world, committer, deletes, "system:node:node-1"),
      jobs_(std::make_unique<Jobs>(
          Operations(world, committer, deletes, "system:serviceaccount:kube-system:job-controller"), options)) {}

Workloads::~Workloads() = default;

void Workloads::hear(const Change& change) {
  if (!options_.has_controllers) return;
  const auto& object = change.after ? *change.after : *change.before;
  const auto& resource = change.kind->resource;
  auto owner = object.controller_owner();
  auto owner_key = owner ? kube::Key(object.ns(), owner->name) : kube::Key();
  if (resource == kube::deployments()) {
    changed_deployments_.insert(object.key());
  } else if (resource == kube::replica_sets()) {
    changed_replica_sets_.insert(object.key());
    if (owner) changed_deployments_.insert(owner_key);
  } else if (resource == kube::pods()) {
    changed_pods_.insert(object.key());
    if (owner) changed_replica_sets_.insert(owner_key);
  } else if (resource == kube::jobs()) {
    if (!change.after) return;
    jobs_->changed(object.key());
  } else {
    return;
  }
  wake_at(world_.controller_clock.now() + options_.controller_delay);
}

void Workloads::set_image_works(std::function<bool(const std::string& image)> works) {
  image_works_ = std::move(works);
  for (const auto& [key, entry] : world_.store.all(node_.kind(kube::pods()))) changed_pods_.insert(key);
  wake_at(world_.controller_clock.now() + options_.controller_delay);
}

void Workloads::wake_at(async::TimePoint when) {
  if (timer_ && timer_at_ <= when) return;
  timer_at_ = when;
  timer_ = world_.controller_clock.call_at(when, [this] {
    timer_.reset();
    sync();
  });
}

void Workloads::sync() {
  for (const auto& key : std::exchange(changed_deployments_, {})) {
    if (auto deployment = deployments_.object(kube::deployments(), key)) sync_deployment(deployments_, *deployment);
  }
  for (const auto& key : std::exchange(changed_replica_sets_, {})) {
    if (auto found = replica_sets_.object(kube::replica_sets(), key)) sync_replica_set(replica_sets_, *found);
  }
  for (const auto& key : std::exchange(changed_pods_, {})) {
    if (auto pod = node_.object(kube::pods(), key)) sync_pod(*pod);
  }
  if (auto next = jobs_->sync()) wake_at(*next);
}

void Workloads::sync_pod(const kube::Object& pod) {
  const Tree* tree = node_.tree(kube::pods(), pod.key());
  if (pod.deleting()) {
    starts_.erase(std::string(pod.uid()));
    node_.finish_removal(kube::pods(), pod.key());
    return;
  }
  auto phase = tree->text_at({"status", "phase"});
  if ((!phase.empty() && phase != "Pending") || !can_run(*tree)) return;
  auto start = starts_.try_emplace(std::string(pod.uid()), world_.controller_clock.now() + options_.pod_start).first;
  if (world_.controller_clock.now() < start->second) {
    changed_pods_.insert(pod.key());
    wake_at(start->second);
    return;
  }
  starts_.erase(start);
  auto status = running_status(*tree, world_);
  auto next = *tree;
  next["spec"]["nodeName"] = "node-1";
  node_.write(kube::pods(), pod.key(), std::move(next));
  next = *node_.tree(kube::pods(), pod.key());
  next["status"] = status;
  node_.write(kube::pods(), pod.key(), std::move(next), "status");
}

bool Workloads::can_run(const Tree& pod) const {
  const Tree* containers = pod.at({"spec", "containers"});
  if (!image_works_ || containers == nullptr) return true;
  return std::all_of(containers->items().begin(), containers->items().end(),
                     [this](const Tree& container) { return image_works_(container.text_at({"image"})); });
}

const ServedKind& Operations::kind(const kube::Resource& resource) const {
  const auto* found = world.kinds.find(resource);
  KEELSON_ASSERT(found != nullptr);
  return *found;
}

std::vector<kube::Object> Operations::owned(const kube::Resource& resource, const kube::Object& by) const {
  std::vector<kube::Object> objects;
  for (auto& [owned_kind, object] : world.store.dependents(by)) {
    auto owner = object.controller_owner();
    if (owned_kind == &kind(resource) && owner && owner->uid == by.uid()) objects.push_back(std::move(object));
  }
  return objects;
}

std::optional<kube::Object> Operations::object(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? std::nullopt : std::optional(entry->object);
}

const Tree* Operations::tree(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? nullptr : &entry->stored.tree;
}

Call Operations::call(const kube::Resource& resource, const kube::Key& key, const std::string& subresource) const {
  Call made;
  made.user = user_;
  made.verb = kube::Verb::kUpdate;
  made.kind = &kind(resource);
  made.key = key;
  made.subresource = subresource;
  return made;
}

void Operations::create(const kube::Resource& resource, const std::string& ns, Tree object) {
  kube::Key key(ns, object.text_at({"metadata", "name"}));
  if (world.store.find(kind(resource), key) != nullptr) return;
  static_cast<void>(committer_.commit(call(resource, key, ""), nullptr, std::move(object), std::nullopt));
}

void Operations::write(const kube::Resource& resource, const kube::Key& key, Tree object,
                       const std::string& subresource) {
  const auto* entry = world.store.find(kind(resource), key);
  if (entry == nullptr) return;
  static_cast<void>(committer_.commit(call(resource, key, subresource), entry, std::move(object), std::nullopt));
}

void Operations::remove(const kube::Resource& resource, const kube::Key& key) {
  deletes_.remove_quietly(kind(resource), key, "Background");
}

void Operations::finish_removal(const kube::Resource& resource, const kube::Key& key) {
  deletes_.finish_removal(kind(resource), key);
}

Tree controlled_by(const kube::Resource& resource, const kube::Object& owner) {
  return Tree::array({Tree::object({{"apiVersion", resource.api_version()},
                                    {"kind", resource.kind},
                                    {"name", owner.name()},
                                    {"uid", owner.uid()},
                                    {"controller", true},
                                    {"blockOwnerDeletion", true}})});
}

void set_condition(Tree& status, Tree condition, const std::string& now) {
  auto& conditions = status["conditions"];
  if (!conditions.is_array()) conditions = Tree::array();
  auto type = condition.text_at({"type"});
  auto found = std::find_if(conditions.items().begin(), conditions.items().end(),
                            [&type](const Tree& other) { return other.text_at({"type"}) == type; });
  condition["lastTransitionTime"] = now;
  if (found == conditions.items().end()) {
    conditions.items().push_back(std::move(condition));
    return;
  }
  if (found->text_at({"status"}) == condition.text_at({"status"})) {
    condition["lastTransitionTime"] = found->text_at({"lastTransitionTime"});
  }
  *found = std::move(condition);
}

void set_count(Tree& status, const char* name, std::int64_t count) {
  status.erase(name);
  if (count != 0) status[name] = count;
}

}  // namespace keelson::sandbox
