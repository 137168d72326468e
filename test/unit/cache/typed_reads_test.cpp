#include "keelson/detail/cache/informer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <string>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/schema/describe.hpp"
#include "test/support/toy_kinds.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using testing::PhaseStatus;
using testing::ShortMetadata;

struct PodPhase {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod"};
  ShortMetadata metadata;
  PhaseStatus status;
};
void describe(kube::Description& d, PodPhase& pod) {
  d.field("metadata", pod.metadata, "");
  d.field("status", pod.status, "");
}
struct Secret {
  static constexpr kube::Identity kIdentity{"", "v1", "Secret"};
  ShortMetadata metadata;
};
void describe(kube::Description& d, Secret& secret) { d.field("metadata", secret.metadata, ""); }

TEST_CASE("cached objects are read as structs, by key, by namespace and by index") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  world.start();

  const auto found = get<PodPhase>(*world.informer, {"default", "a"});
  const auto missing = get<PodPhase>(*world.informer, {"default", "c"});
  const auto all = list<PodPhase>(*world.informer);
  const auto elsewhere = list<PodPhase>(*world.informer, "other");
  const auto indexed = by_index<PodPhase>(*world.informer, label_index("app"), "web");

  REQUIRE(found);
  REQUIRE(*found);
  CHECK((*found)->status.phase == "Running");
  REQUIRE(missing);
  CHECK_FALSE(*missing);
  CHECK(all->size() == 2);
  CHECK(elsewhere->empty());
  CHECK(indexed->size() == 2);
}

TEST_CASE("an object that cannot be decoded is an error that names it and the field") {
  CacheOnFakeServer world;
  auto broken = pod("odd", 4);
  broken.replace(broken.find("\"Running\""), 9, "7");
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", broken), end_of_list(5)});
  world.start();

  const auto one = get<PodPhase>(*world.informer, {"default", "odd"});
  const auto all = list<PodPhase>(*world.informer);

  REQUIRE_FALSE(one);
  CHECK(one.error().message() == "default/odd: status.phase: expected a string, found a number (put it in quotes)");
  REQUIRE_FALSE(all);
  CHECK(all.error().message() == "default/odd: status.phase: expected a string, found a number (put it in quotes)");
}

TEST_CASE("reading an informer as another kind is a Misuse") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  CHECK_THROWS_AS(get<Secret>(*world.informer, {"default", "a"}), base::Misuse);
  CHECK_THROWS_AS(list<Secret>(*world.informer), base::Misuse);
}

}  // namespace
}  // namespace keelson::cache
