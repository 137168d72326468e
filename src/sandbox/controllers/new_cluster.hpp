// What a new cluster has before anything is created in it, and what its controllers put into each namespace.
//
// Of the API server: the namespace kube-node-lease and the Service kubernetes. Of the controllers: the node that pods
// run on; the ServiceAccount default and the ConfigMap kube-root-ca.crt, which come back when they are deleted.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

class NewCluster {
 public:
  // Does nothing unless ServerOptions::has_cluster_objects.
  NewCluster(World& world, Committer& committer, Deletes& deletes, const ServerOptions& options);
  NewCluster(const NewCluster&) = delete;
  NewCluster& operator=(const NewCluster&) = delete;

  // The objects that are there from the start; those that exist already stay as they are.
  void begin();
  void hear(const Change& change);

 private:
  void fill_changed();
  void fill(const std::string& ns);

  ServerOptions options_;
  Operations server_;
  Operations node_;
  Operations accounts_;
  Operations publisher_;
  std::set<std::string> changed_;  // namespaces
  std::unique_ptr<async::Timer> timer_;
};

}  // namespace keelson::sandbox
