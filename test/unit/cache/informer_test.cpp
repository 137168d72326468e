// The lists and watches of informers, their declaration, and their sharing.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/base/limits.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

TEST_CASE("a streamed list fills the cache, and its stream continues as the watch") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 2)), end_of_list(5)});

  world.start();
  body->push(event("MODIFIED", pod("a", 6)) + "\n" + event("DELETED", pod("b", 7)) + "\n");
  world.loop.poll();

  CHECK(world.informer->has_synced());
  CHECK(world.names() == Names{"a"});
  CHECK(world.events == Names{"initial added a", "initial added b", "updated a", "deleted b"});
  CHECK(world.informer->observed_version() == 7);
  REQUIRE(world.server.requests().size() == 1);
  const auto& request = world.server.requests()[0];
  CHECK(request.verb == kube::Verb::kWatch);
  CHECK(query_of(request, "sendInitialEvents") == "true");
  CHECK(query_of(request, "resourceVersionMatch") == "NotOlderThan");
  CHECK(query_of(request, "allowWatchBookmarks") == "true");
}

TEST_CASE("updates outside of the projection are marked and counted, and move the cache forward") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  std::vector<bool> unchanged;
  world.informer->subscribe([&](const Event& event) { unchanged.push_back(event.unchanged); });
  world.start();

  body->push(event("MODIFIED", pod("a", 6)) + "\n");
  world.loop.poll();

  CHECK(unchanged == std::vector<bool>{false, true});
  CHECK(world.informer->get({"default", "a"})->resource_version() == 6);
  CHECK(world.informer->observed_version() == 6);
  CHECK(world.registry.text().find("keelson_cache_unchanged_updates_total{group=\"\",kind=\"Pod\"} 1") !=
        std::string::npos);
}

TEST_CASE("an informer has not synced before the end of the list") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3))});

  world.start();

  CHECK_FALSE(world.informer->has_synced());
  CHECK_FALSE(world.cache->check_synced().has_value());
  body->push(end_of_list(5) + "\n");
  world.loop.poll();
  CHECK(world.cache->check_synced().has_value());
}

TEST_CASE("a server without streamed lists is read in pages, cut from the stream") {
  CacheOnFakeServer world;
  Error rejected(Error::Kind::kStatus, "watch pods");
  rejected.code = 422;
  world.server.next_error(rejected);
  auto first = std::make_shared<FakeBody>();
  first->push(R"({"kind":"PodList","metadata":{"resourceVersion":"9","continue":"more"},"items":[)" + pod("a", 3) +
              "]}");
  first->close();
  auto second = std::make_shared<FakeBody>();
  second->push(R"({"items":[)" + pod("b", 4) + R"(],"metadata":{"resourceVersion":"9"}})");
  second->close();
  world.server.next([first](const kube::ApiRequest&) { return first; });
  world.server.next([second](const kube::ApiRequest&) { return second; });
  auto watch = world.server.next_stream({});

  world.start();

  CHECK(world.informer->has_synced());
  CHECK(world.names() == Names{"a", "b"});
  REQUIRE(world.server.requests().size() == 4);
  CHECK(query_of(world.server.requests()[1], "limit") == "500");
  CHECK(query_of(world.server.requests()[1], "resourceVersion") == "0");
  CHECK(query_of(world.server.requests()[2], "continue") == "more");
  CHECK(query_of(world.server.requests()[2], "resourceVersion").empty());
  CHECK(query_of(world.server.requests()[3], "resourceVersion") == "9");
  CHECK(query_of(world.server.requests()[3], "sendInitialEvents").empty());
}

TEST_CASE("bookmarks keep a quiet watch alive and the cache fresh") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  for (int minute = 1; minute <= 10; ++minute) {
    world.pass(60s);
    body->push(bookmark(5 + minute) + "\n");
    world.loop.poll();
  }

  CHECK(world.server.requests().size() == 1);
  CHECK(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("a read of a kind that is watched with several selectors needs a selector") {
  CacheOnFakeServer world;
  InformerOptions selected;
  selected.resource = kube::pods();
  selected.labels = kube::Selector::equals({{"app", "db"}});
  auto& chosen = world.cache->declare(selected);
  auto body = world.server.next_stream({end_of_list(5)});
  auto other = world.server.next_stream({end_of_list(5)});
  world.start();

  auto ambiguous = world.cache->find(kube::pods());
  auto found = world.cache->find(kube::pods(), Selection{selected.labels});

  REQUIRE_FALSE(ambiguous.has_value());
  CHECK(ambiguous.error().message().find("several label or field selectors") != std::string::npos);
  REQUIRE(found.has_value());
  CHECK(*found == &chosen);
}

TEST_CASE("the metrics of a kind are the sums of its informers") {
  CacheOnFakeServer world;
  InformerOptions selected;
  selected.resource = kube::pods();
  selected.labels = kube::Selector::equals({{"app", "db"}});
  auto& db_pods = world.cache->declare(selected);
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  auto other = world.server.next_stream({event("ADDED", pod("c", 5)), end_of_list(5)});
  world.start();

  CHECK(db_pods.list().size() == 1);
  CHECK(world.registry.text().find("keelson_cache_objects{group=\"\",kind=\"Pod\"} 3\n") != std::string::npos);
}

TEST_CASE("the status of a cache has a line for each informer") {
  CacheOnFakeServer world;
  InformerOptions selected;
  selected.resource = kube::pods();
  selected.labels = kube::Selector::equals({{"app", "db"}});
  (void)world.cache->declare(selected);
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  auto other = world.server.next_stream({event("ADDED", pod("c", 5)), end_of_list(5)});
  for (const auto& informer : world.cache->status()) CHECK_FALSE(informer.has_synced);
  world.start();

  const auto status = world.cache->status();

  REQUIRE(status.size() == 2);
  CHECK(status[0].resource == "pods");
  CHECK(status[0].kind == "Pod");
  CHECK(status[0].selection.empty());
  CHECK(status[0].objects + status[1].objects == 3);
  CHECK(status[0].bytes > 0);
  CHECK(status[0].version == 5);
  CHECK(status[0].has_synced);
  CHECK(status[0].problem.empty());
  CHECK(status[1].selection == "app=db");
}

std::string owned_pod(const std::string& ns, const std::string& name, const std::string& owner_uid) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":")" + ns +
         R"(","uid":"uid-)" + ns + name + R"(","resourceVersion":"3","ownerReferences":[{"apiVersion":"v1",)" +
         R"("kind":"Any","name":"any","uid":"other"},{"apiVersion":"v1","kind":"Any","name":"any","uid":")" +
         owner_uid + R"("}]}})";
}

kube::Object owner(const std::string& ns, const std::string& uid) {
  auto within = ns.empty() ? "" : R"("namespace":")" + ns + R"(",)";
  return *kube::Object::from_json(R"({"metadata":{"name":"any",)" + within + R"("uid":")" + uid + R"("}})");
}

Names names_of(const std::vector<kube::Object>& objects) {
  Names names;
  for (const auto& object : objects) names.push_back(object.key().text());
  std::ranges::sort(names);
  return names;
}

TEST_CASE(
    "an owner reference counts only in the namespace of its owner, even if objects elsewhere have the same uid in "
    "theirs") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", owned_pod("team", "a", "u-1")),
                                        event("ADDED", owned_pod("team", "b", "u-2")),
                                        event("ADDED", owned_pod("attacker", "c", "u-1")), end_of_list(5)});
  world.start();

  CHECK(names_of(world.informer->owned_by(owner("team", "u-1"))) == Names{"team/a"});
  CHECK(names_of(world.informer->owned_by(owner("attacker", "u-1"))) == Names{"attacker/c"});
  CHECK(names_of(world.informer->owned_by(owner("team", "other"))) == Names{"team/a", "team/b"});
  CHECK(world.informer->owned_by(owner("team", "nobody")).empty());
}

std::string pod_of_many(std::size_t count, std::size_t controller) {
  std::string owners;
  for (std::size_t i = 0; i < count; ++i) {
    owners += std::string(i == 0 ? "" : ",") + R"({"kind":"Any","name":"any","uid":"u-)" + std::to_string(i) +
              (i == controller ? R"(","controller":true})" : "\"}");
  }
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"team","uid":"p","resourceVersion":"3",)"
         R"("ownerReferences":[)" +
         owners + "]}}";
}

TEST_CASE("an object with very many owners is found by its controller and the first others") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod_of_many(12'000, 11'000)), end_of_list(5)});
  world.start();

  CHECK(world.informer->owned_by(owner("team", "u-0")).size() == 1);
  CHECK(world.informer->owned_by(owner("team", "u-62")).size() == 1);
  CHECK(world.informer->owned_by(owner("team", "u-11000")).size() == 1);
  CHECK(world.informer->owned_by(owner("team", "u-64")).empty());
}

TEST_CASE("the reference to a cluster-scoped owner counts in all namespaces, with an index for it and without") {
  CacheOnFakeServer world;
  InformerOptions pods;
  pods.resource = kube::pods();
  pods.cluster_scoped_owners = GENERATE(true, false);
  CHECK(&world.cache->declare(std::move(pods)) == world.informer);
  auto body = world.server.next_stream({event("ADDED", owned_pod("team", "a", "u-1")),
                                        event("ADDED", owned_pod("team", "b", "u-2")),
                                        event("ADDED", owned_pod("attacker", "c", "u-1")), end_of_list(5)});
  world.start();

  CHECK(names_of(world.informer->owned_by(owner("", "u-1"))) == Names{"attacker/c", "team/a"});
  CHECK(names_of(world.informer->owned_by(owner("team", "u-1"))) == Names{"team/a"});
}

TEST_CASE("declarations with the same kind and selector share one informer with the indexes of all") {
  CacheOnFakeServer world;
  InformerOptions same;
  same.resource = kube::pods();
  same.label_indexes = {"tier"};

  auto& shared = world.cache->declare(same);
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  CHECK(&shared == world.informer);
  CHECK(shared.by_index(label_index("tier"), "x").empty());
}

TEST_CASE("a kind that is not declared cannot be read, and the error names the declaration") {
  CacheOnFakeServer world;

  auto found = world.cache->find(kube::secrets());
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().message().find("Secret.v1 is not cached") == 0);
}

TEST_CASE("each namespace has a watch of its own, and they sync together") {
  CacheOptions options;
  options.namespaces = {"one", "two"};
  CacheOnFakeServer world(options);
  auto one = world.server.next_stream({end_of_list(5)});
  auto two = world.server.next_stream({});

  world.start();
  bool half = world.informer->has_synced();
  two->push(end_of_list(6) + "\n");
  world.loop.poll();

  CHECK_FALSE(half);
  CHECK(world.informer->has_synced());
  REQUIRE(world.server.requests().size() == 2);
  CHECK(world.server.requests()[0].key.ns == "one");
  CHECK(world.server.requests()[1].key.ns == "two");
}

TEST_CASE("a resync repeats every object, marked as a resync") {
  CacheOptions options;
  options.sync_period = 100s;
  CacheOnFakeServer world(options);
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  world.events.clear();

  world.pass(115s);

  CHECK(world.events == Names{"resync updated a"});
}

TEST_CASE("a resync of many objects runs in portions, with each object once and without deleted ones") {
  CacheOptions options;
  options.sync_period = 100s;
  CacheOnFakeServer world(options);
  std::vector<std::string> lines;
  for (int number = 0; number < 250; ++number) {
    lines.push_back(event("ADDED", pod("pod-" + std::to_string(number), 3)));
  }
  lines.push_back(end_of_list(5));
  auto body = world.server.next_stream(lines);
  world.start();
  world.pass(60s);
  world.events.clear();

  while (world.events.empty()) world.pass(50ms);
  auto first = world.events;
  // Handlers get the objects in the order of the list; they have not got the last one yet.
  REQUIRE(std::ranges::find(first, "resync updated pod-249") == first.end());
  body->push(event("DELETED", pod("pod-249", 6)) + "\n");
  world.loop.poll();
  world.pass(50ms);
  auto second = world.events;
  world.pass(5s);

  CHECK(first.size() == 100);
  CHECK(second.size() == 201);  // and the deletion
  CHECK(world.events.size() == 250);
  std::ranges::sort(world.events);
  CHECK(std::ranges::adjacent_find(world.events) == world.events.end());
  CHECK(std::ranges::find(world.events, "resync updated pod-249") == world.events.end());
}

asio::awaitable<void> count_turns(const Informer& informer, int& turns) {
  while (!informer.has_synced()) {
    ++turns;
    co_await sandbox::loop::yield();
  }
}

TEST_CASE("decoding yields the loop every 256 KiB, so that a list does not delay a probe") {
  CacheOnFakeServer world;
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  std::string lines;
  for (int number = 0; lines.size() < kBytes; ++number) {
    lines +=
        event("ADDED", pod("pod-" + std::to_string(number), 3, R"(,"pad":")" + std::string(8000, 'x') + "\"")) + "\n";
  }
  auto body = world.server.next_stream({lines + end_of_list(5)});
  int turns = 0;

  world.loop.run([&]() -> asio::awaitable<void> {
    auto started = co_await world.cache->start();
    REQUIRE(started.has_value());
    co_await count_turns(*world.informer, turns);
  });

  CHECK(turns >= static_cast<int>(kBytes / limits::kDecodeSliceBytes));
}

asio::awaitable<void> push_and_count_turns(FakeBody& body, const std::string& lines, int& seen, int until, int& turns) {
  body.push(lines);
  while (seen < until) {
    ++turns;
    co_await sandbox::loop::yield();
  }
}

TEST_CASE("slow handlers of changes yield the loop by time, however few bytes the changes have") {
  CacheOnFakeServer world;
  int seen = 0;
  world.informer->subscribe([&](const Event&) {
    ++seen;
    world.loop.clock().advance(1ms);
  });
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();
  constexpr int kEvents = 100;
  std::string lines;
  for (int number = 0; number < kEvents; ++number) {
    lines += event("ADDED", pod("pod-" + std::to_string(number), 6 + number,
                                R"(,"pad":")" + std::string(limits::kReadBytes, 'x') + "\"")) +
             "\n";
  }
  int turns = 0;

  world.loop.run([&] { return push_and_count_turns(*body, lines, seen, kEvents, turns); });

  CHECK(turns >= kEvents / 2 - 1);
}

}  // namespace
}  // namespace keelson::cache
