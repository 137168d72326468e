// API servers whose etcd was restored from a backup, with raised revisions, and lists that are merely old.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;

constexpr int kRaised = 1'000'000'000;  // etcdutl snapshot restore --bump-revision 1000000000 --mark-compacted

// The reply to a watch from a version before the restore.
std::string compacted() {
  return event("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired","code":410})") + "\n";
}

std::ptrdiff_t logged(const CacheOnFakeServer& world) {
  return std::ranges::count_if(world.sink.lines, [](const std::string& line) {
    return line.find("restored from a backup") != std::string::npos;
  });
}

int version_of(const CacheOnFakeServer& world, const char* name) {
  auto object = world.informer->get({"default", name});
  return object ? static_cast<int>(object->resource_version()) : 0;
}

kube::Object written(const char* name, int version) { return *kube::Object::from_json(pod(name, version)); }

TEST_CASE("objects of a restored server replace newer cached ones, although its revision is higher") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("changed", 90)), event("ADDED", pod("created", 80)),
                                        event("ADDED", pod("same", 7)), end_of_list(100)});
  const std::vector<std::string> restored = {event("ADDED", pod("changed", 40)), event("ADDED", pod("deleted", 20)),
                                             event("ADDED", pod("same", 7)), end_of_list(kRaised + 50)};
  auto shows = world.server.next_stream(restored);
  auto again = world.server.next_stream(restored);
  world.start();
  world.events.clear();

  body->push(compacted());
  world.pass(10s);

  CHECK(world.names() == Names{"changed", "deleted", "same"});
  CHECK(version_of(world, "changed") == 40);
  CHECK(world.informer->observed_version() == kRaised + 50);
  CHECK(logged(world) == 1);
  REQUIRE(world.server.requests().size() == 3);
  CHECK(query_of(world.server.requests()[2], "resourceVersion").empty());  // the newest, from etcd
  std::ranges::sort(world.events);
  CHECK(world.events == Names{"added deleted", "deleted created", "updated changed"});
}

TEST_CASE("readers see the former state until a restored server has been listed, never an empty cache") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 80)), end_of_list(100)});
  auto shows = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(kRaised + 50)});
  auto again = world.server.next_stream({});
  world.start();

  body->push(compacted());
  world.pass(10s);
  auto during = world.names();
  again->push(event("ADDED", pod("a", 40)) + "\n" + end_of_list(kRaised + 50) + "\n");
  world.pass(100ms);

  CHECK(during == Names{"a", "b"});
  CHECK(world.names() == Names{"a"});
  CHECK(version_of(world, "a") == 40);
}

TEST_CASE("a restored server whose revision passed the cached one before the list is recognized by its objects") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  auto shows = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(120)});
  auto again = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(120)});
  world.start();

  body->push(compacted());
  world.pass(10s);

  CHECK(version_of(world, "a") == 40);
}

TEST_CASE("an object with another uid and a lower version also shows a restored server") {
  CacheOnFakeServer world;
  auto first_life = pod("a", 40);
  first_life.replace(first_life.find("uid-a"), 5, "uid-0");
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  auto shows = world.server.next_stream({event("ADDED", first_life), end_of_list(kRaised)});
  auto again = world.server.next_stream({event("ADDED", first_life), end_of_list(kRaised)});
  world.start();

  body->push(compacted());
  world.pass(10s);

  CHECK(world.informer->get({"default", "a"})->uid() == "uid-0");
}

TEST_CASE("a list that is older than an own write does not prove a restore") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  auto stale = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(150)});
  world.start();

  world.cache->observe_write(kube::pods(), written("a", 200));
  body->push(compacted());
  world.pass(10s);

  CHECK(version_of(world, "a") == 200);
  CHECK(world.server.requests().size() == 2);
  CHECK(logged(world) == 0);
}

TEST_CASE("a streamed list may begin before an own write and end after it") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 91)), end_of_list(100)});
  auto relist = world.server.next_stream({});
  world.start();

  world.cache->observe_write(kube::pods(), written("a", 200));
  world.cache->observe_write(kube::pods(), written("b", 201));
  body->push(compacted());
  world.pass(10s);
  relist->push(event("ADDED", pod("a", 90)) + "\n" + event("ADDED", pod("b", 91)) + "\n" +
               event("MODIFIED", pod("a", 200)) + "\n" + event("DELETED", pod("b", 202)) + "\n" + end_of_list(210) +
               "\n");
  world.pass(100ms);

  CHECK(world.names() == Names{"a"});
  CHECK(world.server.requests().size() == 2);
  CHECK(logged(world) == 0);
}

TEST_CASE("an own write before the restore is replaced, and one after it stays") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 91)), end_of_list(100)});
  // The first list is from the memory of an API server, the second one from etcd.
  auto shows =
      world.server.next_stream({event("ADDED", pod("a", 40)), event("ADDED", pod("b", 41)), end_of_list(kRaised + 50)});
  auto again = world.server.next_stream({});
  world.start();

  world.cache->observe_write(kube::pods(), written("a", 120));
  body->push(compacted());
  world.loop.poll();
  world.cache->observe_write(kube::pods(), written("b", kRaised + 60));
  world.pass(10s);
  auto during = version_of(world, "b");
  again->push(event("ADDED", pod("a", 40)) + "\n" + event("ADDED", pod("b", kRaised + 60)) + "\n" +
              end_of_list(kRaised + 70) + "\n");
  world.pass(100ms);

  CHECK(during == kRaised + 60);
  CHECK(version_of(world, "a") == 40);
  CHECK(version_of(world, "b") == kRaised + 60);
}

TEST_CASE("an object that this process deleted after the backup returns with the restored server") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 80)), end_of_list(100)});
  world.start();
  world.cache->observe_delete(kube::pods(), {"default", "a"}, "uid-a");

  SECTION("in the state before our last change") {
    const std::vector<std::string> restored = {event("ADDED", pod("a", 40)), event("ADDED", pod("b", 80)),
                                               end_of_list(kRaised)};
    auto shows = world.server.next_stream(restored);
    auto again = world.server.next_stream(restored);
    body->push(compacted());
    world.pass(10s);
    CHECK(version_of(world, "a") == 40);
  }
  SECTION("in the deleted state, after a list has confirmed the deletion") {
    auto confirms = world.server.next_stream({event("ADDED", pod("b", 80)), end_of_list(110)});
    auto returns =
        world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 80)), end_of_list(kRaised)});
    body->push(compacted());
    world.pass(10s);
    confirms->push(compacted());
    world.pass(20s);
    CHECK(version_of(world, "a") == 90);
  }
  SECTION("in the deleted state, while another object shows the restore") {
    const std::vector<std::string> restored = {event("ADDED", pod("a", 90)), event("ADDED", pod("b", 60)),
                                               end_of_list(kRaised)};
    auto shows = world.server.next_stream(restored);
    auto again = world.server.next_stream(restored);
    body->push(compacted());
    world.pass(10s);
    CHECK(version_of(world, "a") == 90);
  }
}

TEST_CASE("a restore affects the listed namespace, and others are unchanged") {
  CacheOptions options;
  options.namespaces = {"default", "other"};
  CacheOnFakeServer world(options);
  auto elsewhere = pod("b", 90);
  elsewhere.replace(elsewhere.find("\"default\""), 9, "\"other\"");
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  auto other = world.server.next_stream({event("ADDED", elsewhere), end_of_list(100)});
  auto shows = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(kRaised)});
  auto again = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(kRaised)});
  world.start();

  body->push(compacted());
  world.pass(10s);

  CHECK(version_of(world, "a") == 40);
  CHECK(world.names() == Names{"a", "b"});
}

TEST_CASE("the reflector pauses between lists of API servers with contradicting states") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  std::vector<std::shared_ptr<FakeBody>> lists;
  for (int list = 0; list < 100; ++list) {
    // Each time a write of ours is newer than what the next list has, within that list's version.
    world.server.next([&world, list](const kube::ApiRequest&) {
      world.cache->observe_write(kube::pods(), written("a", kRaised + list));
      auto listed = std::make_shared<FakeBody>();
      listed->push(event("ADDED", pod("a", 40)) + "\n" + end_of_list(2 * kRaised) + "\n");
      return listed;
    });
  }
  world.start();

  body->push(compacted());
  world.pass(10s);

  CHECK(world.server.requests().size() < 10);
}

}  // namespace
}  // namespace keelson::cache
