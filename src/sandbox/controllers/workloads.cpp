#include "src/sandbox/controllers/workloads.hpp"

#include <algorithm>
#include <utility>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"
#include "src/sandbox/controllers/job.hpp"
#include "src/sandbox/controllers/selects.hpp"

namespace keelson::sandbox {

namespace {

std::unique_ptr<EventRecorder> recorder_for(World& world, const ApiServerOptions& options) {
  const bool is_whole = options.has_cluster_objects && options.has_controllers;
  return is_whole ? std::make_unique<EventRecorder>(world) : nullptr;
}

std::string account(const std::string& name) { return "system:serviceaccount:kube-system:" + name; }

}  // namespace

Workloads::Workloads(World& world, Committer& committer, Deletes& deletes, const ApiServerOptions& options)
    : world_(world),
      committer_(committer),
      deletes_(deletes),
      options_(options),
      recorder_(recorder_for(world, options)),
      node_(Operations(world, committer, deletes, "system:node:node-1", recorder_.get()), options),
      jobs_(std::make_unique<Jobs>(Operations(world, committer, deletes, account("job-controller")), options)),
      pods_(world.kinds.find(kube::pods())),
      replica_sets_(world.kinds.find(kube::replica_sets())),
      nodes_(world.kinds.find(kube::nodes())),
      budgets_(world.kinds.find(kube::disruption_budgets())),
      services_(world.kinds.find(kube::services())),
      job_kind_(world.kinds.find(kube::jobs())) {
  add(kube::deployments(), "deployment-controller", sync_deployment);
  add(kube::replica_sets(), "replicaset-controller", sync_replica_set);
  add(kube::stateful_sets(), "statefulset-controller", sync_stateful_set);
  add(kube::daemon_sets(), "daemon-set-controller", sync_daemon_set);
  add(kube::services(), "endpointslice-controller", sync_service);
  add(kube::cron_jobs(), "cronjob-controller", sync_cron_job);
  add(kube::disruption_budgets(), "disruption-controller", sync_disruption_budget);
  if (recorder_) add(kube::jobs(), "job-controller", sync_job);
}

Workloads::~Workloads() = default;

void Workloads::add(const kube::Resource& resource, const std::string& user,
                    Again (*sync)(Operations&, const kube::Object&)) {
  controllers_.push_back(
      {world_.kinds.find(resource), Operations(world_, committer_, deletes_, account(user), recorder_.get()), sync});
}

Workloads::Controller* Workloads::controller_of(std::string_view kind) {
  auto found =
      std::ranges::find_if(controllers_, [kind](const Controller& one) { return one.kind->resource.kind == kind; });
  return found == controllers_.end() ? nullptr : &*found;
}

void Workloads::hear(const Change& change) {
  if (!options_.has_controllers) return;
  const auto& object = change.after ? *change.after : *change.before;
  bool is_ours = false;
  for (auto& controller : controllers_) {
    if (controller.kind != change.kind) continue;
    controller.changed.insert(object.key());
    is_ours = true;
  }
  if (change.kind == pods_ || change.kind == replica_sets_) {
    auto owner = object.controller_owner();
    auto* controller = owner ? controller_of(owner->kind) : nullptr;
    if (controller != nullptr) controller->changed.emplace(object.ns(), owner->name);
    if (change.kind == pods_) {
      node_.changed(object.key());
      look_at_selectors(object);
      if (change.before && change.after) look_at_selectors(*change.before);
    }
    is_ours = true;
  } else if (change.kind == nodes_) {
    look_at_all(kube::daemon_sets());
    node_.all_changed();
    is_ours = true;
  } else if (change.kind == job_kind_) {
    auto owner = object.controller_owner();
    if (owner && owner->kind == "CronJob" && owner->api_version == "batch/v1") {
      controller_of("CronJob")->changed.emplace(object.ns(), owner->name);
    }
    if (change.after && !recorder_) jobs_->changed(object.key());
    is_ours = true;
  }
  if (is_ours) wake_soon();
}

void Workloads::look_at_selectors(const kube::Object& pod) {
  const auto selector_of = [](const Store::Entry& entry) { return entry.stored().tree.at({"spec", "selector"}); };
  const auto& budgets = world_.store.all(*budgets_);
  for (auto one = budgets.lower_bound(kube::Key(pod.ns(), "")); one != budgets.end() && one->first.ns == pod.ns();
       ++one) {
    if (selects(selector_of(one->second), pod)) controller_of("PodDisruptionBudget")->changed.insert(one->first);
  }
  for (const auto& key : world_.store.pod_index().services_of(pod)) {
    const auto* service = world_.store.find(*services_, key);
    if (service != nullptr && selects_by_map(selector_of(*service), pod)) controller_of("Service")->changed.insert(key);
  }
}

void Workloads::look_at_all(const kube::Resource& resource) {
  auto* controller = controller_of(resource.kind);
  for (const auto& [key, entry] : world_.store.all(*controller->kind)) controller->changed.insert(key);
}

void Workloads::set_image_works(std::function<bool(const std::string& image)> works) {
  node_.set_image_works(std::move(works));
  wake_soon();
}

void Workloads::wake_soon() { wake_at(world_.controller_clock.now() + options_.controller_delay); }

void Workloads::wake_at(async::TimePoint when) {
  if (timer_ && timer_at_ <= when) return;
  timer_at_ = when;
  timer_ = world_.controller_clock.call_at(when, [this] {
    timer_.reset();
    world_.store.trim_trees();
    sync();
  });
}

void Workloads::sync() {
  auto now = world_.controller_clock.now();
  while (!later_.empty() && std::get<async::TimePoint>(*later_.begin()) <= now) {
    const auto& [when, index, key] = *later_.begin();
    controllers_[index].changed.insert(key);
    later_.erase(later_.begin());
  }
  for (std::size_t i = 0; i < controllers_.size(); ++i) sync(i);
  auto again = earlier(node_.sync(), jobs_->sync());
  if (!later_.empty()) again = earlier(again, std::get<async::TimePoint>(*later_.begin()));
  if (again) wake_at(*again);
}

void Workloads::sync(std::size_t index) {
  auto& controller = controllers_[index];
  for (const auto& key : std::exchange(controller.changed, {})) {
    auto object = controller.operations.object(controller.kind->resource, key);
    auto again = object ? controller.sync(controller.operations, *object) : std::nullopt;
    const bool is_gone = !object && controller.kind == services_ && recorder_ != nullptr;
    if (is_gone) controller.operations.remove(kube::endpoints(), key);
    if (again) later_.emplace(*again, index, key);
  }
}

}  // namespace keelson::sandbox
