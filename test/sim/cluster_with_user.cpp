#include "test/sim/cluster_with_user.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::testing {

namespace {

void require(const auto& result) {
  INFO((result ? "" : result.error().message()));
  REQUIRE(result.has_value());
}

}  // namespace

ClusterWithUser::ClusterWithUser(std::uint64_t seed, controller::Definition definition,
                                 sandbox::ApiServerOptions options)
    // Webhooks are not registered: controllers must also cope with objects that a webhook rejects, and users create
    // objects while no manager runs.
    : SimulatedCluster(std::move(definition), {.seed = seed, .server = options, .has_webhooks = false}) {}

void ClusterWithUser::start_manager() { require(SimulatedCluster::start_manager()); }

kube::Object ClusterWithUser::create(const kube::Resource& resource, const std::string& ns, const std::string& object) {
  auto created = SimulatedCluster::create(resource, ns, object);
  require(created);
  return std::move(*created);
}

void ClusterWithUser::patch(const kube::Resource& resource, const kube::Key& key, const std::string& merge_patch) {
  require(SimulatedCluster::patch(resource, key, merge_patch));
}

void ClusterWithUser::remove(const kube::Resource& resource, const kube::Key& key) {
  require(SimulatedCluster::remove(resource, key));
}

}  // namespace keelson::testing
