// Watches that end, send garbage or are silent, and API servers that reject requests or are unavailable.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

TEST_CASE("a broken watch resumes from its last version without a relist") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  auto resumed = world.server.next_stream({event("MODIFIED", pod("a", 8))});
  world.start();

  body->push(bookmark(6) + "\n");
  world.loop.poll();
  body->break_off();
  world.loop.poll();

  REQUIRE(world.server.requests().size() == 2);
  CHECK(query_of(world.server.requests()[1], "resourceVersion") == "6");
  CHECK(world.informer->get({"default", "a"})->resource_version() == 8);
}

TEST_CASE("after 410 the reflector relists, and objects that no longer exist are deleted") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  auto again = world.server.next_stream({event("ADDED", pod("b", 4)), event("ADDED", pod("c", 9)), end_of_list(10)});
  world.start();

  body->push(
      event("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old"})") +
      "\n");
  world.loop.poll();
  world.pass(3s);

  CHECK(world.names() == Names{"b", "c"});
  CHECK(world.events == Names{"initial added a", "initial added b", "added c", "deleted a"});
  CHECK(world.registry.text().find(R"(keelson_cache_relists_total{group="",kind="Pod"} 1)") != std::string::npos);
}

TEST_CASE("a watch that receives nothing for two and a half minutes is replaced") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  auto replaced = world.server.next_stream({bookmark(6)});
  world.start();

  world.pass(140s);
  auto before = world.server.requests().size();
  world.pass(15s);

  CHECK(before == 1);
  REQUIRE(world.server.requests().size() == 2);
  CHECK(query_of(world.server.requests()[1], "resourceVersion") == "5");
}

TEST_CASE("a silent watch makes the cache stale, but not unsynced") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  world.pass(200s);

  CHECK(world.cache->check_synced().has_value());
  auto fresh = world.cache->check_fresh(3min);
  REQUIRE_FALSE(fresh.has_value());
  CHECK(fresh.error().message().find("pods: no event or bookmark for") != std::string::npos);
}

TEST_CASE("a watch that opens and receives nothing does not make the cache fresh, even if it is reopened") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  auto silent = world.server.next_stream({});
  auto closed = world.server.next_stream({});
  closed->close();
  world.start();

  SECTION("the watch stays open") {
    world.pass(100s);
    body->break_off();
    world.pass(100s);
  }
  SECTION("the server closes the watch") {
    body->break_off();
    world.pass(140s);
    silent->close();
    world.pass(60s);
  }

  CHECK(world.server.requests().size() >= 2);
  CHECK_FALSE(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("a relist follows a watch that received nothing, because its version may be in the future") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 80)), end_of_list(100)});
  auto silent_watch = world.server.next_stream({});
  auto silent_list = world.server.next_stream({});
  const std::string restored =
      R"({"kind":"PodList","metadata":{"resourceVersion":"50"},"items":[)" + pod("a", 40) + "]}";
  for (int list = 0; list < 2; ++list) world.server.next_stream({restored})->close();
  auto watch = world.server.next_stream({});
  world.start();

  body->break_off();
  world.pass(149s);
  CHECK(world.server.requests().size() == 2);
  world.pass(70s);

  CHECK(world.names() == Names{"a"});
  CHECK(world.informer->observed_version() == 50);
  CHECK(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("the reflector stops reading a streamed list that shows an older state of the server") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), end_of_list(100)});
  auto silent = world.server.next_stream({});
  auto restored = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(50)});
  auto anew = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(50)});
  world.start();

  body->break_off();
  world.pass(155s);

  CHECK(world.names() == Names{"a"});
  CHECK(world.informer->observed_version() == 50);
}

TEST_CASE("a watch that closes after each event reopens about once a second without losing an event") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  body->close();
  int version = 5;
  for (int watch = 0; watch < 200; ++watch) {
    world.server.next(
        [&version](const kube::ApiRequest&) { return whole_body(event("MODIFIED", pod("a", ++version)) + "\n"); });
  }
  world.start();

  world.pass(20s);

  CHECK(world.server.requests().size() >= 10);
  CHECK(world.server.requests().size() <= 22);
  CHECK(world.requests_that([](const auto& r) { return !query_of(r, "sendInitialEvents").empty(); }) == 1);
  CHECK(world.informer->get({"default", "a"})->resource_version() == static_cast<std::uint64_t>(version));
}

TEST_CASE("a watch that closes after each bookmark reopens about once a second") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  body->close();
  for (int watch = 0; watch < 200; ++watch) {
    world.server.next([watch](const kube::ApiRequest&) { return whole_body(bookmark(6 + watch) + "\n"); });
  }
  world.start();

  world.pass(20s);

  CHECK(world.server.requests().size() <= 22);
}

TEST_CASE("a watch whose connection breaks every few seconds resumes immediately from its last version") {
  CacheOnFakeServer world;
  std::vector<std::shared_ptr<FakeBody>> bodies;
  bodies.push_back(world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)}));
  for (int watch = 0; watch < 40; ++watch) bodies.push_back(world.server.next_stream({}));
  world.start();

  for (int watch = 0; watch < 40; ++watch) {
    world.pass(3s);
    const bool has_event = watch % 2 == 0;
    if (has_event) bodies[static_cast<std::size_t>(watch)]->push(event("MODIFIED", pod("a", 10 + watch)) + "\n");
    world.loop.poll();
    bodies[static_cast<std::size_t>(watch)]->break_off();
    world.loop.poll();
    REQUIRE(world.server.requests().size() == static_cast<std::size_t>(watch) + 2);
    const auto& request = world.server.requests().back();
    auto timeout = std::stoi(query_of(request, "timeoutSeconds"));
    CHECK(timeout >= 300);
    CHECK(timeout < 600);
    CHECK(query_of(request, "allowWatchBookmarks") == "true");
    CHECK(query_of(request, "sendInitialEvents").empty());
    CHECK(query_of(request, "resourceVersion") == std::to_string(has_event ? 10 + watch : 9 + watch));
  }

  CHECK(world.informer->get({"default", "a"})->resource_version() == 48);
  CHECK(world.informer->has_synced());
  CHECK(world.informer->problem().empty());
  CHECK(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("a watch without an event resumes if it lasted a second, and a relist follows if it did not") {
  const bool is_short = GENERATE(false, true);
  CacheOnFakeServer world;
  auto body = world.server.next_stream({end_of_list(5)});
  auto empty = world.server.next_stream({});
  auto next = world.server.next_stream({});
  world.start();
  world.pass(5s);
  body->break_off();
  world.loop.poll();

  world.pass(is_short ? 950ms : 1s);
  empty->close();
  world.loop.poll();
  auto at_once = world.server.requests().size();
  world.pass(3s);

  CHECK(at_once == (is_short ? 2 : 3));
  REQUIRE(world.server.requests().size() == 3);
  CHECK(query_of(world.server.requests()[2], "sendInitialEvents") == (is_short ? "true" : ""));
}

TEST_CASE("a watch that fails after the list has an age and an error until it is open again") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  world.pass(1s);
  CHECK(world.informer->failing_for() == 0s);

  // Without a reply each further request fails with "connection refused".
  body->break_off();
  world.pass(5s);
  CHECK(world.informer->has_synced());
  CHECK(world.informer->problem().find("connection refused") != std::string::npos);
  CHECK(world.informer->failing_for() >= 4s);
  CHECK(world.informer->failing_for() <= 5s);
  CHECK(world.cache->status().front().failing_for == world.informer->failing_for());

  // An open watch sends its first bookmark after up to a minute.
  std::vector<std::shared_ptr<FakeBody>> open;
  for (int i = 0; i < 3; ++i) open.push_back(world.server.next_stream({}));
  world.pass(35s);
  CHECK(world.informer->problem().empty());
  CHECK(world.informer->failing_for() == 0s);
}

TEST_CASE("a watch that the server no longer permits or serves is failing since the first error") {
  for (const int code : {403, 404, 410}) {
    CacheOnFakeServer world;
    auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
    world.start();
    world.pass(1s);
    Error rejected(Error::Kind::kStatus, "watch pods");
    rejected.code = code;
    rejected.reason = code == 403 ? "Forbidden" : code == 404 ? "NotFound" : "Expired";
    for (int i = 0; i < 100; ++i) world.server.next_error(rejected);
    body->break_off();
    world.pass(2min);

    INFO(code);
    CHECK(world.informer->has_synced());
    CHECK_FALSE(world.informer->problem().empty());
    CHECK(world.informer->failing_for() >= 110s);
  }
}

TEST_CASE("a 401 is logged once with a remedy, and does not make a manager without caches ready") {
  CacheOnFakeServer world;
  Error rejected(Error::Kind::kStatus, "watch pods");
  rejected.code = 401;
  rejected.reason = "Unauthorized";
  for (int i = 0; i < 100; ++i) world.server.next_error(rejected);

  world.start();
  world.pass(2min);

  const auto is_waiting = [](const std::string& line) { return line.starts_with("Watch failed; the controllers"); };
  CHECK(std::ranges::count_if(world.sink.lines, is_waiting) == 1);
  const auto line = std::ranges::find_if(world.sink.lines, is_waiting);
  REQUIRE(line != world.sink.lines.end());
  CHECK(line->find("remedy=\"renew the credentials") != std::string::npos);
  CHECK_FALSE(world.cache->check_synced().has_value());
}

TEST_CASE("a missing CRD and a missing permission are logged once with the fix, and the cache recovers") {
  CacheOnFakeServer world;
  Error missing(Error::Kind::kStatus, "watch pods");
  missing.code = 404;
  missing.reason = "NotFound";
  for (int i = 0; i < 3; ++i) world.server.next_error(missing);
  world.server.next_error(transport_error("connection refused"));
  auto body = world.server.next_stream({end_of_list(5)});

  world.start();
  // The kind does not delay the process.
  CHECK(world.cache->check_synced().has_value());
  CHECK_FALSE(world.informer->has_synced());
  for (int step = 0; step < 120 && !world.informer->has_synced(); ++step) {
    world.pass(100ms);
    CHECK(world.cache->check_synced().has_value());
  }
  world.pass(12s);

  auto said = std::ranges::count_if(world.sink.lines, [](const std::string& line) {
    return line.find("CustomResourceDefinition") != std::string::npos;
  });
  CHECK(said == 1);
  CHECK(world.informer->has_synced());
  CHECK(world.informer->problem().empty());
}

const std::string kTooDeep = R"(,"x":)" + std::string(200, '[') + std::string(200, ']');

TEST_CASE("an object that cannot be parsed is ignored and logged, and the others are not delayed") {
  CacheOnFakeServer world;
  auto deep = pod("deep", 7, kTooDeep);
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  body->push(event("ADDED", deep) + "\n" + event("ADDED", pod("b", 8)) + "\n");
  world.loop.poll();

  CHECK(world.names() == Names{"a", "b"});
  CHECK(world.server.requests().size() == 1);
  CHECK(world.informer->observed_version() == 8);
  CHECK(std::ranges::count_if(world.sink.lines, [](const std::string& line) {
          return line.find("Ignored an object that cannot be parsed") != std::string::npos &&
                 line.find("\"deep\"") != std::string::npos;
        }) == 1);
}

TEST_CASE("an object that can no longer be parsed stays cached in its last parsed state, and no list deletes it") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  auto again = world.server.next_stream(
      {event("ADDED", pod("a", 7, kTooDeep)), event("ADDED", pod("b", 4, kTooDeep)), end_of_list(10)});
  world.start();

  body->push(event("MODIFIED", pod("a", 7, kTooDeep)) + "\n");
  world.loop.poll();
  auto version_before_list = world.informer->get({"default", "a"})->resource_version();
  body->push(event("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired","code":410})") + "\n");
  world.pass(3s);

  CHECK(version_before_list == 3);
  CHECK(world.informer->observed_version() == 10);
  CHECK(world.events == Names{"initial added a", "initial added b"});
}

TEST_CASE("an object that cannot be parsed removes a cached object of its name with another uid") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  auto reborn = pod("a", 7, kTooDeep);
  reborn.replace(reborn.find("uid-a"), 5, "uid-z");
  auto again = world.server.next_stream({event("ADDED", reborn), end_of_list(10)});
  world.start();

  body->push(event("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired","code":410})") + "\n");
  world.pass(3s);

  CHECK(world.names().empty());
}

TEST_CASE("the reflector pauses before it requests garbage again from the same version") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  std::vector<std::shared_ptr<FakeBody>> again;
  for (int i = 0; i < 50; ++i) again.push_back(world.server.next_stream({"not JSON"}));
  world.start();

  body->push("not JSON\n");
  world.loop.poll();
  world.pass(3s);

  CHECK(world.server.requests().size() <= 5);
  CHECK_FALSE(world.informer->problem().empty());
}

TEST_CASE("an error is logged once, although every request differs") {
  CacheOnFakeServer world;
  for (int i = 0; i < 4; ++i) {
    world.server.next_error(transport_error("Get \"https://h:1/api/v1/pods?timeoutSeconds=" + std::to_string(300 + i) +
                                            "\": dial tcp h:1: connect: connection refused"));
  }
  auto body = world.server.next_stream({end_of_list(5)});

  world.start();
  world.pass(30s);

  CHECK(world.informer->has_synced());
  CHECK(std::ranges::count_if(world.sink.lines, [](const std::string& line) {
          return line.find("Watch failed; retrying") != std::string::npos;
        }) == 1);
}

TEST_CASE("an unavailable API server makes the cache stale in spite of retries") {
  CacheOnFakeServer world;
  Error rejected(Error::Kind::kStatus, "watch pods");
  rejected.code = 422;
  world.server.next_error(rejected);

  world.start();
  world.pass(200s);

  CHECK(world.server.requests().size() > 5);
  CHECK_FALSE(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("the reflector relists a server that was restored from a backup, although its versions are lower") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 90)), event("ADDED", pod("b", 80)), end_of_list(100)});
  Error ahead(Error::Kind::kStatus, "watch pods");
  ahead.code = 504;
  ahead.reason = "Timeout";
  ahead.server_text = "Too large resource version: 100, current: 50";
  world.server.next_error(ahead);
  auto lower = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(50)});
  auto anew = world.server.next_stream({event("ADDED", pod("a", 40)), end_of_list(50)});
  world.start();

  body->break_off();
  world.loop.poll();
  lower->close();
  world.pass(10s);

  CHECK(world.names() == Names{"a"});
  CHECK(world.informer->get({"default", "a"})->resource_version() == 40);
  CHECK(world.informer->observed_version() == 50);
}

TEST_CASE("a failure at any step of listing and watching leads to the same cache") {
  Error busy(Error::Kind::kStatus, "list pods");
  busy.code = 500;
  Error throttled(Error::Kind::kStatus, "list pods");
  throttled.code = 429;
  Error no_stream(Error::Kind::kStatus, "watch pods");
  no_stream.code = 422;
  const std::string first =
      R"({"kind":"PodList","metadata":{"resourceVersion":"9","continue":"more"},"items":[)" + pod("a", 3) + "]}";
  const std::string second = R"({"items":[)" + pod("b", 4) + R"(],"metadata":{"resourceVersion":"9"}})";

  for (const auto& failure : {transport_error("connection reset by peer"), busy, throttled}) {
    for (int failing = 0; failing < 4; ++failing) {
      for (bool in_the_middle : {false, true}) {
        INFO(failure.message() << ", step " << failing << (in_the_middle ? ", in the middle of the body" : ""));
        CacheOnFakeServer world;
        int step = 0;
        auto fails_here = [&] { return step++ == failing; };
        // Each request gets its reply, except the failing one.
        for (int answer = 0; answer < 12; ++answer) {
          world.server.next([&](const kube::ApiRequest& request) -> Result<std::shared_ptr<FakeBody>> {
            bool streams_list = !query_of(request, "sendInitialEvents").empty();
            bool fails = fails_here();
            if (fails && !in_the_middle) return failure;
            if (streams_list) return no_stream;
            std::string text = request.verb == kube::Verb::kWatch      ? event("ADDED", pod("c", 12)) + "\n"
                               : query_of(request, "continue").empty() ? first
                                                                       : second;
            if (fails) {
              auto body = std::make_shared<FakeBody>();
              body->push(text.substr(0, text.size() / 2));
              body->broken_at_end = true;
              return body;
            }
            if (request.verb != kube::Verb::kWatch) return whole_body(text);
            auto body = std::make_shared<FakeBody>();
            body->push(text);
            return body;
          });
        }

        world.start();
        world.pass(20s);

        CHECK(world.informer->has_synced());
        CHECK(world.names() == Names{"a", "b", "c"});
      }
    }
  }
}

TEST_CASE("a watch that receives garbage ends and resumes, and stores nothing of it") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  auto resumed = world.server.next_stream({event("ADDED", pod("b", 9))});
  world.start();

  body->push("this is not JSON\n");
  world.loop.poll();
  world.pass(3s);

  CHECK(world.names() == Names{"a", "b"});
}

}  // namespace
}  // namespace keelson::cache
