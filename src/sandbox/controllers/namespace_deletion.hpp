// The namespace controller: deletes the content of a namespace that is being deleted, and then the namespace.
//
// A namespace waits for objects whose deletion finalizers or a grace period delay; its conditions name them.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

class NamespaceDeletion {
 public:
  NamespaceDeletion(World& world, Committer& committer, Deletes& deletes, async::Duration delay)
      : operations_(world, committer, deletes, "system:serviceaccount:kube-system:namespace-controller"),
        deletes_(deletes),
        passes_(world.controller_clock, delay, [this] { continue_deletions(); }) {}
  NamespaceDeletion(const NamespaceDeletion&) = delete;
  NamespaceDeletion& operator=(const NamespaceDeletion&) = delete;

  // Continues the deletion of the namespace after a short delay.
  void hear(const Change& change);

 private:
  void look_at(const std::string& name);
  void continue_deletions();
  // False if a write was rejected, by an admission policy for example.
  bool continue_deletion(const kube::Key& key);

  Operations operations_;
  Deletes& deletes_;
  std::set<std::string, std::less<>> terminating_;  // the names of all namespaces that are being deleted
  std::set<std::string> changed_;                   // those whose content has changed
  PassTimer passes_;
};

}  // namespace keelson::sandbox
