// The deletion of CustomResourceDefinitions that wait for objects with finalizers: the finalizer of kube-apiserver.
//
// A definition whose objects can all be deleted is deleted with them at once. Otherwise it remains and serves the
// remaining objects, but no new ones are created until the last of them is gone.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

class DefinitionDeletion {
 public:
  DefinitionDeletion(World& world, Committer& committer, Deletes& deletes);
  DefinitionDeletion(const DefinitionDeletion&) = delete;
  DefinitionDeletion& operator=(const DefinitionDeletion&) = delete;

  // Continues the deletion in the next turn of the loop. The kind of a deleted definition is not served from here on.
  void hear(const Change& change);

 private:
  void look_at(const std::string& name);
  void continue_deletions();
  // False if the write was rejected, by an admission policy for example.
  bool continue_deletion(const kube::Key& key);

  Operations operations_;
  Deletes& deletes_;
  std::set<std::string, std::less<>> terminating_;  // the names of all definitions that are being deleted
  std::set<std::string> changed_;                   // of these, the ones whose deletion may continue
  PassTimer passes_;
};

}  // namespace keelson::sandbox
