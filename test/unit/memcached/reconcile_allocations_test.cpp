// The allocations of a reconcile that has nothing to do. Most are the strings and lists of the decoded structs.
#include "src/kinds/memcached/memcached.hpp"
#include "test/support/count_allocations.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace keelson::testing {
namespace {

constexpr std::size_t kReconciles = 100;
const kube::Key kWeb("default", "web");

std::string with_status(std::string json, const std::string& status) {
  json.pop_back();
  return json + R"(,"status":)" + status + "}";
}

// The body of the only request that applied a child of this kind, with what the API server adds.
std::string stored(const ReconcilerWorld& world, const kube::Resource& resource, const std::string& status) {
  const auto bodies = world.bodies(kube::Verb::kPatch, resource);
  REQUIRE(bodies.size() == 1);
  auto json = bodies[0];
  const std::string_view metadata = R"("metadata":{)";
  json.insert(json.find(metadata) + metadata.size(), R"("uid":"u-)" + resource.plural + R"(","resourceVersion":"8",)");
  return with_status(std::move(json), status);
}

TEST_CASE("a reconcile that has nothing to do allocates at most 340 blocks") {
  ReconcilerWorld world(kinds::memcached());
  const std::string memcached =
      R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web",)"
      R"("namespace":"default","uid":"u-1","resourceVersion":"7","generation":1},"spec":{"size":0}})";
  const auto& own = world.definition.resource();
  world.know(own, memcached);
  REQUIRE(world.reconcile(kWeb).has_value());
  world.know(kube::deployments(), stored(world, kube::deployments(), R"({"observedGeneration":0})"));
  world.know(kube::services(), stored(world, kube::services(), "{}"));
  REQUIRE(world.reconcile(kWeb).has_value());
  const auto statuses = world.bodies(kube::Verb::kPatch, own);
  REQUIRE_FALSE(statuses.empty());
  const auto status = json::Document::parse(statuses.back());
  REQUIRE(status.has_value());
  world.know(own, with_status(memcached, std::string(status->root().find("status").text())));
  REQUIRE(world.reconcile(kWeb).has_value());
  const auto requests = world.client.requests.size();

  const auto before = allocations();
  for (std::size_t i = 0; i < kReconciles; ++i) REQUIRE(world.reconcile(kWeb).has_value());

  const auto each = (allocations() - before) / kReconciles;
  CHECK(world.client.requests.size() == requests);
  INFO(each << " allocations for each reconcile");
  if (kCountsAllocations) CHECK(each <= 340);
}

}  // namespace
}  // namespace keelson::testing
