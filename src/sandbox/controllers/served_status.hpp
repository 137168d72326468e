// The conditions that kube-apiserver itself writes: whether a FlowSchema refers to a priority level that exists, and
// whether an APIService is available. It does so after the client has its answer, with controllers or without.
#pragma once

#include <map>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

class ServedStatus {
 public:
  ServedStatus(World& world, Committer& committer, Deletes& deletes);
  ServedStatus(const ServedStatus&) = delete;
  ServedStatus& operator=(const ServedStatus&) = delete;

  // Creates the API server's own FlowSchemas and priority levels, and writes the conditions of what exists at the
  // start.
  void begin(bool has_cluster_objects);
  // Schedules the writes that follow from the change.
  void hear(const Change& change);

 private:
  [[nodiscard]] Call call_of(const kube::Resource& resource, const kube::Key& key, const char* manager) const;
  void look_at(std::set<kube::Key>& waiting, const kube::Key& key);
  // Looks at the APIServices that lead to this Service.
  void look_at_backend(const kube::Key& service);
  void settle();
  // False if the write was rejected, by an admission policy for example.
  bool settle_flow(const kube::Key& key);
  bool settle_service(const kube::Key& key);

  Committer& committer_;
  Operations operations_;
  std::set<kube::Key> flows_;
  std::set<kube::Key> services_;
  std::map<kube::Key, kube::Key> backends_;  // the Services of APIServices that have one
  PassTimer passes_;
};

}  // namespace keelson::sandbox
