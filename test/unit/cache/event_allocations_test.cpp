// The allocations for a watch event, from the bytes of the stream to the subscribers.
#include <string>

#include "test/support/count_allocations.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

constexpr std::size_t kEvents = 100;

std::string deployment(std::size_t version, std::size_t replicas, std::size_t note) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"note":")" + text(note) +
         R"("},"name":"web","namespace":"default","ownerReferences":[{"apiVersion":"v1","controller":true,)"
         R"("kind":"Memcached","name":"web","uid":"9b1c8b5e-6a3a-4c62-8b0e-6c1f1c7a0001"}],"resourceVersion":")" +
         text(version) + R"(","uid":"9b1c8b5e-6a3a-4c62-8b0e-6c1f1c7a0002"},"spec":{"replicas":)" + text(replicas) +
         R"(,"template":{"spec":{"containers":[{"name":"memcached","image":"memcached:1.6-alpine"}]}}}})";
}

struct Deployments {
  Deployments() {
    InformerOptions options;
    options.resource = kube::deployments();
    options.content = json::Projection::of({{"spec"}, {"status"}});
    cache = make_cache(loop.executor(), loop.clock(), random, Logger(sink), server, registry, {});
    informer = &cache->declare(std::move(options));
    informer->subscribe([this](const Event& event) { (event.unchanged ? unchanged : changed) += 1; });
    body = server.next_stream({event("ADDED", deployment(3, 1, 0)), end_of_list(5)});
    REQUIRE(testing::result_of(loop, cache->start()));
    loop.poll();
  }
  ~Deployments() {
    loop.run([this] { return cache->stop(); });
  }

  // The allocations for kEvents updates that arrive together, each with other replicas or only another annotation.
  std::size_t allocations_of_updates(bool changes_replicas) {
    std::string lines;
    for (std::size_t i = 0; i < kEvents; ++i) {
      ++version;
      lines += event("MODIFIED", deployment(version, changes_replicas ? version : 1, version)) + "\n";
    }
    body->push(std::move(lines));
    const auto before = testing::allocations();
    loop.poll();
    return testing::allocations() - before;
  }

  sandbox::loop::TestLoop loop;
  base::Random random{3};
  LineCollector sink;
  metrics::Registry registry;
  FakeServer server;
  std::unique_ptr<Cache> cache;
  Informer* informer = nullptr;
  std::shared_ptr<FakeBody> body;
  std::size_t version = 100;
  std::size_t changed = 0;
  std::size_t unchanged = 0;
};

// Beside the object: the event, and the values of the owner index.
TEST_CASE("an event that changes nothing stored allocates at most eight blocks") {
  Deployments world;
  static_cast<void>(world.allocations_of_updates(false));
  world.unchanged = 0;

  const auto allocations = world.allocations_of_updates(false);

  CHECK(world.unchanged == kEvents);
  INFO(allocations << " allocations for " << kEvents << " events");
  if (testing::kCountsAllocations) CHECK(allocations <= 8 * kEvents);
}

TEST_CASE("an event that changes a stored field allocates at most twelve blocks") {
  Deployments world;
  static_cast<void>(world.allocations_of_updates(true));
  world.changed = 0;

  const auto allocations = world.allocations_of_updates(true);

  CHECK(world.changed == kEvents);
  INFO(allocations << " allocations for " << kEvents << " events");
  if (testing::kCountsAllocations) CHECK(allocations <= 12 * kEvents);
}

}  // namespace
}  // namespace keelson::cache
