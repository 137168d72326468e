// The informers of a controller that follow from WatchOptions and partial structs.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/sources.hpp"
#include "test/support/toy_kinds.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace keelson::testing {
namespace {

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

const json::Projection& paths_in(const cache::CachedContent& content) { return std::get<json::Projection>(content); }

const json::Projection& paths_of_source(const controller::Definition& definition) {
  return paths_in(definition.parts().sources.at(0).options.content);
}

TEST_CASE("the informer of a source has the selectors and the projection of the source") {
  FakeCache cache;
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  queue::WorkQueue queue(loop.clock(), registry, "memcached");
  auto definition = memcached_definition();
  definition.watches(kube::pods(), {.fields = "spec.nodeName=n"_fields, .content = cache::OnlyMetadata{}}, nothing);
  controller::Sources sources(loop.clock(), cache, definition, queue, kube::OperatorName(),
                              [](const controller::Panic&) {});

  const auto& options = cache.of(kube::pods()).options;
  CHECK(options.selection() == cache::Selection{.fields = "spec.nodeName=n"_fields});
  CHECK(std::holds_alternative<cache::OnlyMetadata>(options.content));
}

TEST_CASE("the cache stores the hash of the desired state of owned objects, and no other annotation of theirs") {
  FakeCache cache;
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  queue::WorkQueue queue(loop.clock(), registry, "memcached");
  auto definition = memcached_definition();
  definition.owns(kube::pods(), {.content = json::Projection::of({{"spec"}}), .only_compares_generations = true});
  definition.watches(kube::secrets(), {.content = json::Projection::of({{"type"}})}, nothing);
  controller::Sources sources(loop.clock(), cache, definition, queue, kube::OperatorName("greeter"),
                              [](const controller::Panic&) {});

  const auto& owned = cache.of(kube::pods()).options;
  CHECK(paths_in(owned.content).covers({"metadata", "annotations", "greeter.keelson.dev/applied-hash"}));
  CHECK_FALSE(paths_in(owned.content).covers({"metadata", "annotations", "keelson.dev/applied-hash"}));
  CHECK_FALSE(paths_in(owned.content).covers({"metadata", "annotations", "note"}));
  CHECK(owned.generations == cache::InformerOptions::Generations::kOnlyCompared);
  const auto& watched = cache.of(kube::secrets()).options;
  CHECK_FALSE(paths_in(watched.content).covers({"metadata", "annotations", "greeter.keelson.dev/applied-hash"}));
  CHECK(watched.generations == cache::InformerOptions::Generations::kRead);
  CHECK(cache.of(memcacheds()).options.generations == cache::InformerOptions::Generations::kReconciled);
}

TEST_CASE("the cache stores the fields of a partial struct, unless the options have a content") {
  const auto watched = memcached_definition().watches<PodPhase>(nothing);
  const auto owned = memcached_definition().owns<PodPhase>();
  const auto chosen =
      memcached_definition().watches<PodPhase>(nothing, {.content = json::Projection::of({{"spec", "nodeName"}})});
  const auto whole = memcached_definition().watches<core::v1::Pod>(nothing);

  CHECK(paths_of_source(watched).covers({"status", "phase"}));
  CHECK_FALSE(paths_of_source(watched).covers({"status", "podIP"}));
  CHECK_FALSE(paths_of_source(watched).covers({"metadata", "annotations"}));
  CHECK_FALSE(paths_of_source(owned).covers({"spec"}));
  CHECK(paths_of_source(chosen).covers({"spec", "nodeName"}));
  CHECK_FALSE(paths_of_source(chosen).covers({"status", "phase"}));
  CHECK(paths_of_source(whole).covers({}));
}

TEST_CASE("a controller that declares a kind with several selectors reads it by a selection") {
  ControllerOnFakes world(
      [](kube::Key, Logger) -> Task<controller::Outcome> { co_return controller::Outcome::done(); });
  auto cache = cache::make_cache(world.loop.executor(), world.loop.clock(), world.random, Logger(world.lines),
                                 world.client, world.registry, {});
  const cache::Selection second{.fields = "spec.nodeName=b"_fields};
  auto definition = memcached_definition();
  definition.watches(kube::pods(), {.fields = "spec.nodeName=a"_fields}, nothing);
  definition.watches(kube::pods(), {.fields = second.fields}, nothing);
  for (const auto& source : definition.parts().sources) {
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
