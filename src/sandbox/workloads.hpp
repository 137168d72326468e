// The controllers that make a Deployment run: ReplicaSets, their pods, and a node that runs those; and Jobs end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/sandbox/api_server.hpp"
#include "src/sandbox/committer.hpp"
#include "src/sandbox/deletes.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

// What the parts below share: the means to write, as the user they write as.
class Operations {
 public:
  Operations(World& world, Committer& committer, Deletes& deletes, std::string user)
      : world(world), committer_(committer), deletes_(deletes), user_(std::move(user)) {}

  World& world;

  [[nodiscard]] const ServedKind& kind(const kube::Resource& resource) const;
  // Whose controller has this uid. Handles, so that the store may change while they are gone through.
  [[nodiscard]] std::vector<kube::Object> owned(const kube::Resource& resource, const kube::Object& by) const;
  [[nodiscard]] std::optional<kube::Object> object(const kube::Resource& resource, const kube::Key& key) const;
  [[nodiscard]] const Tree* tree(const kube::Resource& resource, const kube::Key& key) const;

  void create(const kube::Resource& resource, const std::string& ns, Tree object);
  void write(const kube::Resource& resource, const kube::Key& key, Tree object, const std::string& subresource = "");
  void remove(const kube::Resource& resource, const kube::Key& key);
  void finish_removal(const kube::Resource& resource, const kube::Key& key);

 private:
  [[nodiscard]] Call call(const kube::Resource& resource, const kube::Key& key, const std::string& subresource) const;

  Committer& committer_;
  Deletes& deletes_;
  std::string user_;
};

class Jobs;

class Workloads {
 public:
  Workloads(World& world, Committer& committer, Deletes& deletes, const ServerOptions& options);
  ~Workloads();
  Workloads(const Workloads&) = delete;
  Workloads& operator=(const Workloads&) = delete;

  void hear(const Change& change);
  void set_image_works(std::function<bool(const std::string& image)> works);

 private:
  void wake_at(async::TimePoint when);
  void sync();
  void sync_pod(const kube::Object& pod);
  [[nodiscard]] bool can_run(const Tree& pod) const;

  World& world_;
  ServerOptions options_;
  Operations deployments_;
  Operations replica_sets_;
  Operations node_;
  std::unique_ptr<Jobs> jobs_;
  std::function<bool(const std::string& image)> image_works_;
  // What changed since the last look, or changed below.
  std::set<kube::Key> changed_deployments_;
  std::set<kube::Key> changed_replica_sets_;
  std::set<kube::Key> changed_pods_;
  std::map<std::string, async::TimePoint, std::less<>> starts_;  // by uid, of pods that do not run yet
  std::unique_ptr<async::Timer> timer_;
  async::TimePoint timer_at_{};
};

void sync_deployment(Operations& operations, const kube::Object& deployment);
void sync_replica_set(Operations& operations, const kube::Object& replica_set);

// An owner reference with controller and blockOwnerDeletion.
[[nodiscard]] Tree controlled_by(const kube::Resource& resource, const kube::Object& owner);
// Sets a condition by its type; its transition time moves only when the status does.
void set_condition(Tree& status, Tree condition, const std::string& now);
// Sets an integer, or leaves it out when it is zero, as Kubernetes' types do.
void set_count(Tree& status, const char* name, std::int64_t count);

}  // namespace keelson::sandbox
