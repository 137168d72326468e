// A simulated cluster: a manager that can crash at any write, and a user whose requests must succeed.
#pragma once

#include <string>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson::testing {

class ClusterWithUser : public sandbox::SimulatedCluster {
 public:
  ClusterWithUser(std::uint64_t seed, controller::Definition definition, sandbox::ApiServerOptions options = {});

  void start_manager();

  // Requests of a user: create an object, replace its spec, or delete it. A rejection fails the test.
  kube::Object create(const kube::Resource& resource, const std::string& ns, const std::string& object);
  void patch(const kube::Resource& resource, const kube::Key& key, const std::string& merge_patch);
  void remove(const kube::Resource& resource, const kube::Key& key);
};

}  // namespace keelson::testing
