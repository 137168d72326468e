// The objects of a new cluster, and those that its controllers create in each namespace.
//
// The API server creates the namespace kube-node-lease and the Service kubernetes. The controllers create the node that
// runs pods, and in each namespace the ServiceAccount default and the ConfigMap kube-root-ca.crt, which they restore
// after a deletion, the ConfigMap also after a change.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

class NewCluster {
 public:
  // Does nothing unless ApiServerOptions::has_cluster_objects.
  NewCluster(World& world, Committer& committer, Deletes& deletes, const ApiServerOptions& options);
  NewCluster(const NewCluster&) = delete;
  NewCluster& operator=(const NewCluster&) = delete;

  // Creates the initial objects; existing objects do not change.
  void begin();
  void hear(const Change& change);

 private:
  void fill_changed();
  void fill(const std::string& ns);
  // Creates the ConfigMap kube-root-ca.crt, or restores its data.
  void publish_root_ca(const std::string& ns);

  ApiServerOptions options_;
  Operations server_;
  Operations node_;
  Operations accounts_;
  Operations publisher_;
  std::set<std::string> changed_;  // namespaces
  PassTimer passes_;
};

}  // namespace keelson::sandbox
