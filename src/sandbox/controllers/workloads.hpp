// The controllers of a cluster: Deployments, ReplicaSets, StatefulSets, Jobs and others.
//
// A controller is a function that compares an object with the objects that it owns and corrects the difference. It runs
// a short time after one of these changes, and again at the time that it sets. A change of another kind costs only a
// table lookup.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/controllers/node.hpp"
#include "src/sandbox/controllers/orphans.hpp"
#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

void sync_deployment(Sync& sync);
// Of a ReplicaSet or a ReplicationController.
void sync_replica_set(Sync& sync);
void sync_stateful_set(Sync& sync);
void sync_daemon_set(Sync& sync);
void sync_service(Sync& sync);
// Writes the legacy Endpoints of a Service, next to its EndpointSlices.
void sync_endpoints(Sync& service);
void sync_endpoint_mirror(Sync& endpoints);
void sync_claim_protection(Sync& claim);
void sync_volume_protection(Sync& volume);
// Taints a node by its conditions.
void sync_node_taints(Sync& node);
void sync_resource_quota(Sync& quota);
// Jobs have this controller only in a complete cluster; in a simulation, class Jobs determines the course of a Job.
void sync_job(Sync& sync);
void sync_cron_job(Sync& sync);
void sync_disruption_budget(Sync& budget);
void sync_signing_request(Sync& request, const tls::ClientAuthority& authority);

class EventRecorder;
class Jobs;

class Workloads {
 public:
  Workloads(World& world, Committer& committer, Deletes& deletes, const ApiServerOptions& options);
  ~Workloads();
  Workloads(const Workloads&) = delete;
  Workloads& operator=(const Workloads&) = delete;

  void hear(const Change& change);
  void set_image_works(std::function<bool(const std::string& image)> works);

 private:
  struct Controller {
    const ServedKind* kind;
    Operations operations;
    std::function<void(Sync& sync)> sync;
    std::set<kube::Key> changed = {};
  };
  void add(const kube::Resource& resource, const std::string& user, std::function<void(Sync&)> sync);
  [[nodiscard]] Controller* controller_of(std::string_view kind);
  // Syncs the controllers that own the object, or that may adopt it.
  void look_at_owners(const Change& change);
  void look_at_owner(const kube::Object& object);
  void look_at_adopters(const ServedKind& kind, const kube::Object& object);
  // Syncs the controllers of other objects in the namespace that the change affects.
  void look_at_slice(const kube::Object& slice);
  void look_at_network(const Change& change);
  void look_at_storage(const Change& change);
  void look_at_quotas(const Change& change);
  // Syncs all objects of this kind.
  void look_at_all(const kube::Resource& resource);
  // Syncs the objects whose selector matches this pod.
  void look_at_selectors(const kube::Object& pod);
  void sync();
  void sync(std::size_t index);

  World& world_;
  Committer& committer_;
  Deletes& deletes_;
  ApiServerOptions options_;
  std::unique_ptr<EventRecorder> recorder_;  // null: no Events are recorded
  Orphans orphans_;
  std::vector<Controller> controllers_;
  Node node_;
  std::unique_ptr<Jobs> jobs_;
  const ServedKind* pods_;
  const ServedKind* replica_sets_;
  const ServedKind* revisions_;
  const ServedKind* nodes_;
  const ServedKind* budgets_;
  const ServedKind* services_;
  const ServedKind* slices_;
  const ServedKind* endpoints_;
  const ServedKind* claims_;
  const ServedKind* quotas_;
  const ServedKind* job_kind_;
  std::set<kube::Key> deleted_claims_;  // PersistentVolumeClaims that wait until no pod mounts them
  // Objects to sync later, with the index of their controller.
  std::set<std::tuple<async::TimePoint, std::size_t, kube::Key>> later_;
  PassTimer passes_;
};

}  // namespace keelson::sandbox
