// The controllers of a cluster: Deployments, ReplicaSets, StatefulSets, Jobs and others.
//
// A controller is a function that compares an object with the objects that it owns and corrects the difference. It runs
// a short time after one of these changes, and again after the delay that it returns. A change of another kind costs
// only a table lookup.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/controllers/node.hpp"
#include "src/sandbox/controllers/pods.hpp"

namespace keelson::sandbox {

Again sync_deployment(Operations& operations, const kube::Object& deployment);
Again sync_replica_set(Operations& operations, const kube::Object& replica_set);
Again sync_stateful_set(Operations& operations, const kube::Object& set);
Again sync_daemon_set(Operations& operations, const kube::Object& set);
Again sync_service(Operations& operations, const kube::Object& service);
// Writes the legacy Endpoints of a Service, next to its EndpointSlices.
void sync_endpoints(Operations& operations, const kube::Object& service, const Tree& tree);
// Jobs have this controller only in a complete cluster; in a simulation, class Jobs determines the course of a Job.
Again sync_job(Operations& operations, const kube::Object& job);
Again sync_cron_job(Operations& operations, const kube::Object& cron_job);
Again sync_disruption_budget(Operations& operations, const kube::Object& budget);

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
    Again (*sync)(Operations& operations, const kube::Object& object);
    std::set<kube::Key> changed = {};
  };
  void add(const kube::Resource& resource, const std::string& user, Again (*sync)(Operations&, const kube::Object&));
  [[nodiscard]] Controller* controller_of(std::string_view kind);
  // Syncs all objects of this kind.
  void look_at_all(const kube::Resource& resource);
  // Syncs the objects whose selector matches this pod.
  void look_at_selectors(const kube::Object& pod);
  void wake_soon();
  void wake_at(async::TimePoint when);
  void sync();
  void sync(std::size_t index);

  World& world_;
  Committer& committer_;
  Deletes& deletes_;
  ApiServerOptions options_;
  std::unique_ptr<EventRecorder> recorder_;  // null: no Events are recorded
  std::vector<Controller> controllers_;
  Node node_;
  std::unique_ptr<Jobs> jobs_;
  const ServedKind* pods_;
  const ServedKind* replica_sets_;
  const ServedKind* nodes_;
  const ServedKind* budgets_;
  const ServedKind* services_;
  const ServedKind* job_kind_;
  // Objects to sync later, with the index of their controller.
  std::set<std::tuple<async::TimePoint, std::size_t, kube::Key>> later_;
  std::unique_ptr<async::Timer> timer_;
  async::TimePoint timer_at_{};
};

}  // namespace keelson::sandbox
