// The informers of a controller that follow from WatchOptions and partial structs.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "src/controller/sources.hpp"
#include "test/unit/controller/world.hpp"

namespace keelson::testing {
namespace {

struct PhaseStatus {
  std::string phase;
};
void describe(kube::Description& d, PhaseStatus& status) { d.field("phase", status.phase, ""); }
struct ShortMetadata {
  std::string name;
  std::string ns;
};
void describe(kube::Description& d, ShortMetadata& metadata) {
  d.field("name", metadata.name, "");
  d.field("namespace", metadata.ns, "");
}
struct PodPhase {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod"};
  static constexpr bool kIsPartial = true;
  ShortMetadata metadata;
  PhaseStatus status;
};
void describe(kube::Description& d, PodPhase& pod) {
  d.field("metadata", pod.metadata, "");
  d.field("status", pod.status, "");
}

controller::Definition memcached_definition() {
  kube::Kind kind;
  kind.resource = memcacheds();
  return controller::define(kind);
}

std::vector<kube::Key> nothing(const kube::Object&, cache::Cache&) { return {}; }

const controller::WatchOptions& options_of(const controller::Definition& definition) {
  return definition.sources().at(0).options;
}

TEST_CASE("the informer of a source has the selectors and the projection of the source") {
  FakeCache cache;
  TestLoop loop;
  metrics::Registry registry;
  queue::WorkQueue queue(loop.clock(), registry, "memcached");
  auto definition = memcached_definition();
  definition.watches(kube::pods(), {.fields = "spec.nodeName=n"_fields, .only_metadata = true}, nothing);
  controller::Sources sources(loop.clock(), cache, definition, queue, kube::OperatorName(),
                              [](const controller::Panic&) {});

  const auto& options = cache.of(kube::pods()).options;
  CHECK(options.selection() == cache::Selection{.fields = "spec.nodeName=n"_fields});
  CHECK(options.only_metadata);
  CHECK_FALSE(options.only_digest);
}

TEST_CASE("the cache stores the hash of the desired state of owned objects, and no other annotation of theirs") {
  FakeCache cache;
  TestLoop loop;
  metrics::Registry registry;
  queue::WorkQueue queue(loop.clock(), registry, "memcached");
  auto definition = memcached_definition();
  definition.owns(kube::pods(), {.projection = json::Projection::of({{"spec"}}), .only_compares_generations = true});
  definition.watches(kube::secrets(), {.projection = json::Projection::of({{"type"}})}, nothing);
  controller::Sources sources(loop.clock(), cache, definition, queue, kube::OperatorName("greeter"),
                              [](const controller::Panic&) {});

  const auto& owned = cache.of(kube::pods()).options;
  CHECK(owned.projection.covers({"metadata", "annotations", "greeter.keelson.dev/applied-hash"}));
  CHECK_FALSE(owned.projection.covers({"metadata", "annotations", "keelson.dev/applied-hash"}));
  CHECK_FALSE(owned.projection.covers({"metadata", "annotations", "note"}));
  CHECK(owned.only_compares_generations);
  const auto& watched = cache.of(kube::secrets()).options;
  CHECK_FALSE(watched.projection.covers({"metadata", "annotations", "greeter.keelson.dev/applied-hash"}));
  CHECK_FALSE(watched.only_compares_generations);
}

TEST_CASE("the cache stores the fields of a partial struct, unless the options have a projection") {
  const auto watched = memcached_definition().watches<PodPhase>(nothing);
  const auto owned = memcached_definition().owns<PodPhase>();
  const auto chosen =
      memcached_definition().watches<PodPhase>(nothing, {.projection = json::Projection::of({{"spec", "nodeName"}})});
  const auto whole = memcached_definition().watches<core::v1::Pod>(nothing);

  CHECK(options_of(watched).projection.covers({"status", "phase"}));
  CHECK_FALSE(options_of(watched).projection.covers({"status", "podIP"}));
  CHECK_FALSE(options_of(watched).projection.covers({"metadata", "annotations"}));
  CHECK_FALSE(options_of(owned).projection.covers({"spec"}));
  CHECK(options_of(chosen).projection.covers({"spec", "nodeName"}));
  CHECK_FALSE(options_of(chosen).projection.covers({"status", "phase"}));
  CHECK(options_of(whole).projection.covers({}));
}

TEST_CASE("a source with only_metadata has no digest") {
  CHECK_THROWS_WITH(
      memcached_definition().watches(kube::secrets(), {.only_digest = true, .only_metadata = true}, nothing),
      "controller memcached: .watches(secrets, …) has only_digest and only_metadata: a digest needs the content, so "
      "set "
      "one of them");
}

TEST_CASE("a controller that declares a kind with several selectors reads it by a selection") {
  World world([](kube::Key, Logger) -> Task<controller::Outcome> { co_return controller::Outcome::done(); });
  auto cache = cache::make_cache(world.loop.executor(), world.loop.clock(), world.random, Logger(world.lines),
                                 world.client, world.registry, {});
  const cache::Selection second{.fields = "spec.nodeName=b"_fields};
  auto definition = memcached_definition();
  definition.watches(kube::pods(), {.fields = "spec.nodeName=a"_fields}, nothing);
  definition.watches(kube::pods(), {.fields = second.fields}, nothing);
  for (const auto& source : definition.sources()) {
    static_cast<void>(cache->declare({.resource = source.resource, .fields = source.options.fields}));
  }
  controller::Context context{world.loop.clock(), world.random, Logger(world.lines), world.client, *cache, world.events,
                              world.registry,     nullptr};
  context.definition = &definition;

  CHECK_THROWS_WITH(context.informer(kube::pods()),
                    "controller memcached reads pods and declares it with several selectors: read "
                    "context.cache.find(resource, selection), or declare it with one");
  CHECK(cache->find(kube::pods(), second));
}

}  // namespace
}  // namespace keelson::testing
