#include "src/sandbox/controllers/workloads.hpp"

#include <algorithm>
#include <utility>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/endpoint_parts.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"
#include "src/sandbox/controllers/job.hpp"
#include "src/sandbox/controllers/selects.hpp"
#include "src/sandbox/controllers/storage_protection.hpp"

namespace keelson::sandbox {

namespace {

std::unique_ptr<EventRecorder> recorder_for(World& world, const ApiServerOptions& options) {
  const bool is_whole = options.has_cluster_objects && options.has_controllers;
  return is_whole ? std::make_unique<EventRecorder>(world) : nullptr;
}

const kube::Resource kReplicationControllers("", "v1", "ReplicationController", "replicationcontrollers");

const kube::Resource kPersistentVolumes("", "v1", "PersistentVolume", "persistentvolumes", false);
const kube::Resource kAttributesClasses("storage.k8s.io", "v1", "VolumeAttributesClass", "volumeattributesclasses",
                                        false);
const kube::Resource kResourceQuotas("", "v1", "ResourceQuota", "resourcequotas");

const kube::Resource kSigningRequests("certificates.k8s.io", "v1", "CertificateSigningRequest",
                                      "certificatesigningrequests", false);

std::string account(const std::string& name) { return "system:serviceaccount:kube-system:" + name; }

}  // namespace

Workloads::Workloads(World& world, Committer& committer, Deletes& deletes, const ApiServerOptions& options)
    : world_(world),
      committer_(committer),
      deletes_(deletes),
      options_(options),
      recorder_(recorder_for(world, options)),
      node_(options),
      jobs_(std::make_unique<Jobs>(options)),
      pods_(world.kinds.find(kube::pods())),
      replica_sets_(world.kinds.find(kube::replica_sets())),
      revisions_(world.kinds.find(kube::controller_revisions())),
      nodes_(world.kinds.find(kube::nodes())),
      budgets_(world.kinds.find(kube::disruption_budgets())),
      services_(world.kinds.find(kube::services())),
      slices_(world.kinds.find(kube::endpoint_slices())),
      endpoints_(world.kinds.find(kube::endpoints())),
      claims_(world.kinds.find(kube::persistent_volume_claims())),
      quotas_(world.kinds.find(kResourceQuotas)),
      job_kind_(world.kinds.find(kube::jobs())),
      passes_(world.controller_clock, options.controller_delay, [this] { sync(); }) {
  add(kube::deployments(), account("deployment-controller"), sync_deployment);
  add(kube::replica_sets(), account("replicaset-controller"), sync_replica_set);
  add(kReplicationControllers, account("replication-controller"), sync_replica_set);
  add(kube::stateful_sets(), account("statefulset-controller"), sync_stateful_set);
  add(kube::daemon_sets(), account("daemon-set-controller"), sync_daemon_set);
  add(kube::services(), account("endpointslice-controller"), sync_service);
  add(kube::cron_jobs(), account("cronjob-controller"), sync_cron_job);
  add(kube::disruption_budgets(), account("disruption-controller"), sync_disruption_budget);
  add(kube::endpoints(), account("endpointslicemirroring-controller"), sync_endpoint_mirror);
  add(kResourceQuotas, account("resourcequota-controller"), sync_resource_quota);
  add(kube::persistent_volume_claims(), account("pvc-protection-controller"), sync_claim_protection);
  add(kPersistentVolumes, account("pv-protection-controller"), sync_volume_protection);
  add(kAttributesClasses, account("volumeattributesclass-protection-controller"), sync_class_protection);
  if (recorder_) add(kube::nodes(), account("node-controller"), sync_node_taints);
  if (options_.client_authority) {
    add(kSigningRequests, account("certificate-controller"),
        [this](Sync& request) { sync_signing_request(request, *options_.client_authority); });
  }
  if (recorder_) add(kube::jobs(), account("job-controller"), sync_job);
  add(kube::pods(), "system:node:node-1", [this](Sync& pod) { node_.sync(pod); });
  if (!recorder_) add(kube::jobs(), account("job-controller"), [this](Sync& job) { jobs_->sync(job); });
}

Workloads::~Workloads() = default;

void Workloads::add(const kube::Resource& resource, const std::string& user, std::function<void(Sync&)> sync) {
  controllers_.push_back({world_.kinds.find(resource),
                          Operations(world_, committer_, deletes_, user, recorder_.get(), &orphans_), std::move(sync)});
}

Workloads::Controller* Workloads::controller_of(std::string_view kind) {
  auto found =
      std::ranges::find_if(controllers_, [kind](const Controller& one) { return one.kind->resource.kind == kind; });
  return found == controllers_.end() ? nullptr : &*found;
}

void Workloads::hear(const Change& change) {
  if (!options_.has_controllers) return;
  orphans_.hear(change);
  const auto& object = change.after ? *change.after : *change.before;
  bool is_ours = false;
  for (auto& controller : controllers_) {
    if (controller.kind != change.kind) continue;
    controller.changed.insert(object.key());
    is_ours = true;
  }
  if (change.kind == pods_ || change.kind == replica_sets_ || change.kind == job_kind_ || change.kind == revisions_) {
    look_at_owners(change);
    is_ours = true;
  }
  look_at_network(change);
  look_at_storage(change);
  look_at_quotas(change);
  if (change.kind == pods_) {
    look_at_selectors(object);
    if (change.before && change.after) look_at_selectors(*change.before);
  } else if (change.kind == nodes_) {
    look_at_all(kube::daemon_sets());
    look_at_all(kube::pods());  // unscheduled pods may fit now
    is_ours = true;
  }
  if (is_ours) passes_.wake();
}

void Workloads::look_at_owners(const Change& change) {
  // A change of the labels or of the owners may affect the former owner, too.
  if (change.before) look_at_owner(*change.before);
  if (!change.after) {
    // A StatefulSet may wait until a pod that it does not own releases its name.
    const auto name = change.before->name();
    if (change.kind == pods_ && !change.before->controller_owner()) {
      controller_of("StatefulSet")->changed.emplace(change.before->ns(), name.substr(0, name.rfind('-')));
    }
  } else if (change.after->controller_owner()) {
    look_at_owner(*change.after);
  } else if (!change.after->deleting()) {
    look_at_adopters(*change.kind, *change.after);
  }
}

void Workloads::look_at_owner(const kube::Object& object) {
  const auto owner = object.controller_owner();
  auto* controller = owner ? controller_of(owner->kind) : nullptr;
  const bool is_owned = controller != nullptr && controller->kind->resource.api_version() == owner->api_version;
  if (is_owned) controller->changed.emplace(object.ns(), owner->name);
}

void Workloads::look_at_adopters(const ServedKind& kind, const kube::Object& object) {
  static const std::vector<std::string> kOfPods{"ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet"};
  static const std::vector<std::string> kOfReplicaSets{"Deployment"};
  static const std::vector<std::string> kOfRevisions{"DaemonSet"};
  if (&kind == job_kind_) return;
  const auto& adopters = &kind == pods_ ? kOfPods : &kind == replica_sets_ ? kOfReplicaSets : kOfRevisions;
  for (const auto& name : adopters) {
    auto* controller = controller_of(name);
    const bool is_map = controller->kind->resource == kReplicationControllers;
    const auto& all = world_.store.all(*controller->kind);
    for (auto one = all.lower_bound(kube::Key(object.ns(), "")); one != all.end() && one->first.ns == object.ns();
         ++one) {
      const Tree* selector = one->second.stored().tree.at({"spec", "selector"});
      const bool is_selected = is_map ? selects_by_map(selector, object) : selects(selector, object);
      if (is_selected) controller->changed.insert(one->first);
    }
  }
}

// Slices and Endpoints that a client changes or deletes are restored.
void Workloads::look_at_network(const Change& change) {
  const auto key = change.key();
  if (change.kind == services_) {
    controller_of("Endpoints")->changed.insert(key);
  } else if (change.kind == endpoints_) {
    if (!change.after) controller_of("Service")->changed.insert(key);
  } else if (change.kind == slices_) {
    if (change.before) look_at_slice(*change.before);
    if (change.after) look_at_slice(*change.after);
    passes_.wake();
  }
}

void Workloads::look_at_slice(const kube::Object& slice) {
  const auto manager = slice.label(kSliceManager);
  const auto service = slice.label(kSliceService);
  if (!manager || !service) return;
  if (*manager == kPodSliceManager) controller_of("Service")->changed.emplace(slice.ns(), *service);
  if (*manager == kMirrorManager) controller_of("Endpoints")->changed.emplace(slice.ns(), *service);
}

void Workloads::look_at_storage(const Change& change) {
  const auto key = change.key();
  if (change.kind == claims_ || change.kind == controller_of("PersistentVolume")->kind) {
    auto* classes = controller_of("VolumeAttributesClass");
    for (const auto& [name, entry] : world_.store.all(*classes->kind)) {
      if (entry.object.deleting()) classes->changed.insert(name);
    }
  }
  if (change.kind == claims_) {
    if (change.after && change.after->deleting()) {
      deleted_claims_.insert(key);
    } else {
      deleted_claims_.erase(key);
    }
  } else if (change.kind == pods_ && !change.after) {
    auto& changed = controller_of("PersistentVolumeClaim")->changed;
    auto claim = deleted_claims_.lower_bound(kube::Key(key.ns, ""));
    for (; claim != deleted_claims_.end() && claim->ns == key.ns; ++claim) changed.insert(*claim);
  }
}

// Most quotas count objects; those of compute resources and storage also depend on their contents.
void Workloads::look_at_quotas(const Change& change) {
  const bool has_amounts = change.kind == pods_ || change.kind == services_ || change.kind == claims_;
  if (change.before && change.after && !has_amounts) return;
  const auto ns = change.key().ns;
  const auto& quotas = world_.store.all(*quotas_);
  for (auto one = quotas.lower_bound(kube::Key(ns, "")); one != quotas.end() && one->first.ns == ns; ++one) {
    controller_of("ResourceQuota")->changed.insert(one->first);
    passes_.wake();
  }
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
  look_at_all(kube::pods());
  passes_.wake();
}

void Workloads::sync() {
  world_.store.trim_trees();
  auto now = world_.controller_clock.now();
  while (!later_.empty() && std::get<async::TimePoint>(*later_.begin()) <= now) {
    const auto& [when, index, key] = *later_.begin();
    controllers_[index].changed.insert(key);
    later_.erase(later_.begin());
  }
  for (std::size_t i = 0; i < controllers_.size(); ++i) sync(i);
  if (!later_.empty()) passes_.wake_at(std::get<async::TimePoint>(*later_.begin()));
}

void Workloads::sync(std::size_t index) {
  auto& controller = controllers_[index];
  for (const auto& key : std::exchange(controller.changed, {})) {
    if (auto object = controller.operations.stored(*controller.kind, key)) {
      Sync sync(controller.operations, *controller.kind, std::move(*object));
      controller.sync(sync);
      if (sync.again) later_.emplace(*sync.again, index, key);
    } else if (controller.kind == services_ && recorder_ != nullptr) {
      controller.operations.remove(kube::endpoints(), key);
    }
  }
}

}  // namespace keelson::sandbox
