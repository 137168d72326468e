#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/cache/cache.hpp"
#include "keelson/metrics/registry.hpp"
#include "test/support/test_loop.hpp"
#include "test/unit/cache/fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

class LineCollector final : public LogSink {
 public:
  bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    std::string text(line.message);
    for (const auto& field : line.fields) text += " " + field.key + "=" + field.value.as_json();
    lines.push_back(std::move(text));
  }
  std::vector<std::string> lines;
};

// A cache of pods over a scripted server, in virtual time.
struct World {
  explicit World(CacheOptions options = {}) {
    cache = make_cache(loop.executor(), loop.clock(), random, Logger(sink), server, registry, std::move(options));
    InformerOptions pods;
    pods.resource = kube::pods();
    pods.label_indexes = {"app"};
    informer = &cache->declare(std::move(pods));
    informer->subscribe([this](const Event& event) {
      const char* type = event.type == Event::Type::kAdded     ? "added "
                         : event.type == Event::Type::kUpdated ? "updated "
                                                               : "deleted ";
      events.push_back((event.initial_list ? "initial "
                        : event.resync     ? "resync "
                                           : "") +
                       std::string(type) + std::string(event.object().name()));
    });
  }
  ~World() {
    loop.run([this] { return cache->stop(); });
  }

  void start() {
    loop.run([this]() -> asio::awaitable<void> {
      auto started = co_await cache->start();
      REQUIRE(started.has_value());
    });
    loop.poll();
  }
  void pass(async::Duration time) {
    for (async::Duration step{0}; step < time; step += 50ms) {
      loop.clock().advance(50ms);
      loop.poll();
    }
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& object : informer->list()) found.emplace_back(object.name());
    std::sort(found.begin(), found.end());
    return found;
  }

  test::TestLoop loop;
  base::Random random{3};
  LineCollector sink;
  metrics::Registry registry;
  FakeServer server;
  std::unique_ptr<Cache> cache;
  Informer* informer = nullptr;
  std::vector<std::string> events;
};

using Names = std::vector<std::string>;

TEST_CASE("a streamed list fills the cache and the same stream goes on as the watch") {
  World world;
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

TEST_CASE("it has not synced before the end of the list was said") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), bookmark(4)});

  world.start();

  CHECK_FALSE(world.informer->has_synced());
  CHECK_FALSE(world.cache->check_synced().has_value());
  body->push(end_of_list(5) + "\n");
  world.loop.poll();
  CHECK(world.cache->check_synced().has_value());
}

TEST_CASE("a server without streamed lists is read in pages, cut from the stream") {
  World world;
  Error refused(Error::Kind::kStatus, "watch pods");
  refused.code = 422;
  world.server.next_error(refused);
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

TEST_CASE("a broken watch is resumed from where it was, and nothing is listed again") {
  World world;
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

TEST_CASE("after 410 the kind is listed again and what vanished meanwhile is deleted") {
  World world;
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

TEST_CASE("a watch that says nothing for two and a half minutes is replaced") {
  World world;
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

TEST_CASE("bookmarks keep a quiet watch alive and the cache fresh") {
  World world;
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

TEST_CASE("silence makes the cache stale without making it unsynced") {
  World world;
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  world.pass(200s);

  CHECK(world.cache->check_synced().has_value());
  auto fresh = world.cache->check_fresh(3min);
  REQUIRE_FALSE(fresh.has_value());
  CHECK(fresh.error().message().find("pods: nothing heard for") != std::string::npos);
}

TEST_CASE("a missing CRD and a refused kind are said once, with what mends it, and the cache recovers") {
  World world;
  Error missing(Error::Kind::kStatus, "watch pods");
  missing.code = 404;
  missing.reason = "NotFound";
  for (int i = 0; i < 3; ++i) world.server.next_error(missing);
  world.server.next_error(transport("connection refused"));
  auto body = world.server.next_stream({end_of_list(5)});

  world.start();
  // It holds up nobody but who needs it.
  CHECK(world.cache->check_synced().has_value());
  CHECK_FALSE(world.informer->has_synced());
  for (int step = 0; step < 120 && !world.informer->has_synced(); ++step) {
    world.pass(100ms);
    CHECK(world.cache->check_synced().has_value());
  }
  world.pass(12s);

  auto said = std::count_if(world.sink.lines.begin(), world.sink.lines.end(), [](const std::string& line) {
    return line.find("CustomResourceDefinition") != std::string::npos;
  });
  CHECK(said == 1);
  CHECK(world.informer->has_synced());
  CHECK(world.informer->trouble().empty());
}

TEST_CASE("a write of ours is seen at once and is not undone by older news") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  auto written = kube::Object::from_json(pod("a", 8, R"(,"mine":true)"));
  world.cache->observe_write(kube::pods(), *written);
  body->push(event("MODIFIED", pod("a", 7)) + "\n");
  world.loop.poll();
  auto during = world.informer->get({"default", "a"})->resource_version();
  body->push(event("MODIFIED", pod("a", 8, R"(,"mine":true)")) + "\n" + event("MODIFIED", pod("a", 9)) + "\n");
  world.loop.poll();

  CHECK(during == 8);
  CHECK(world.informer->get({"default", "a"})->resource_version() == 9);
  CHECK(world.informer->by_index(label_index("app"), "web").size() == 1);
}

TEST_CASE("a creation of ours is in every read at once, also when an older list comes after it") {
  World world;
  auto body = world.server.next_stream({end_of_list(5)});
  auto relist = world.server.next_stream({end_of_list(6)});
  world.start();

  world.cache->observe_write(kube::pods(), *kube::Object::from_json(pod("new", 8)));
  auto in_index = world.informer->by_index(label_index("app"), "web").size();
  body->push(event("ERROR", R"({"kind":"Status","reason":"Expired","code":410})") + "\n");
  world.loop.poll();
  world.pass(3s);

  CHECK(in_index == 1);
  CHECK(world.names() == Names{"new"});
}

TEST_CASE("a deletion of ours is seen at once and late news does not bring it back") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  world.cache->observe_delete(kube::pods(), {"default", "a"}, "uid-a");
  body->push(event("MODIFIED", pod("a", 6)) + "\n");
  world.loop.poll();

  CHECK(world.names().empty());
}

TEST_CASE("the decorated client tells the cache of every write it makes") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto write = [&](kube::Verb verb, std::string reply) {
    world.server.reply.body = std::move(reply);
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    world.loop.run([&]() -> asio::awaitable<void> {
      auto sent = co_await client->send(request);
      REQUIRE(sent.has_value());
    });
  };

  write(kube::Verb::kPatch, pod("a", 9));
  auto patched = world.informer->get({"default", "a"})->resource_version();
  write(kube::Verb::kDelete, R"({"kind":"Status","status":"Success","details":{"name":"a","uid":"uid-a"}})");

  CHECK(patched == 9);
  CHECK_FALSE(world.informer->get({"default", "a"}).has_value());
}

TEST_CASE("a write that the informer does not select is not put into it") {
  World world;
  InformerOptions selected;
  selected.resource = kube::services();
  selected.labels = kube::Selector::equals({{"app", "db"}});
  auto& services = world.cache->declare(std::move(selected));
  auto pods = world.server.next_stream({end_of_list(5)});
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  world.cache->observe_write(kube::services(), *kube::Object::from_json(pod("other", 9)));

  CHECK(services.list().empty());
}

TEST_CASE("a write that takes an object out of the selection is seen at once") {
  World world;
  InformerOptions selected;
  selected.resource = kube::services();
  selected.labels = kube::Selector::equals({{"app", "web"}});
  auto& services = world.cache->declare(std::move(selected));
  auto pods = world.server.next_stream({end_of_list(5)});
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  auto moved = pod("a", 9);
  moved.replace(moved.find("\"web\""), 5, "\"db\"");
  world.cache->observe_write(kube::services(), *kube::Object::from_json(moved));

  CHECK(services.list().empty());
}

TEST_CASE("a collection that we deleted is gone from every read") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), event("ADDED", pod("b", 4)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  world.server.reply.body = R"({"kind":"PodList","items":[)" + pod("a", 3) + "," + pod("b", 4) + "]}";

  world.loop.run([&]() -> asio::awaitable<void> {
    kube::ApiRequest request;
    request.verb = kube::Verb::kDeleteCollection;
    request.resource = kube::pods();
    auto sent = co_await client->send(request);
    REQUIRE(sent.has_value());
  });

  CHECK(world.names().empty());
}

TEST_CASE("a kind with several selectors is not read by its name alone") {
  World world;
  InformerOptions selected;
  selected.resource = kube::pods();
  selected.labels = kube::Selector::equals({{"app", "db"}});
  auto& chosen = world.cache->declare(selected);
  auto body = world.server.next_stream({end_of_list(5)});
  auto other = world.server.next_stream({end_of_list(5)});
  world.start();

  auto ambiguous = world.cache->find(kube::pods());
  auto found = world.cache->find(kube::pods(), selected.labels);

  REQUIRE_FALSE(ambiguous.has_value());
  CHECK(ambiguous.error().message().find("several label selectors") != std::string::npos);
  REQUIRE(found.has_value());
  CHECK(*found == &chosen);
}

TEST_CASE("one object that cannot be read is left out and said, and the others are not held up") {
  World world;
  std::string deep =
      R"({"kind":"Pod","metadata":{"name":"deep","namespace":"default","uid":"d","resourceVersion":"7"},"x":)";
  deep += std::string(200, '[') + std::string(200, ']') + "}";
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  body->push(event("ADDED", deep) + "\n" + event("ADDED", pod("b", 8)) + "\n");
  world.loop.poll();

  CHECK(world.names() == Names{"a", "b"});
  CHECK(world.server.requests().size() == 1);
  CHECK(world.informer->observed_version() == 8);
  CHECK(std::count_if(world.sink.lines.begin(), world.sink.lines.end(), [](const std::string& line) {
          return line.find("this object cannot be read") != std::string::npos &&
                 line.find("\"deep\"") != std::string::npos;
        }) == 1);
}

TEST_CASE("garbage that comes again from the same place is not asked for without a pause") {
  World world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  std::vector<std::shared_ptr<FakeBody>> again;
  for (int i = 0; i < 50; ++i) again.push_back(world.server.next_stream({"not JSON"}));
  world.start();

  body->push("not JSON\n");
  world.loop.poll();
  world.pass(3s);

  CHECK(world.server.requests().size() <= 5);
  CHECK_FALSE(world.informer->trouble().empty());
}

TEST_CASE("the same trouble is one line, although every request differs") {
  World world;
  for (int i = 0; i < 4; ++i) {
    world.server.next_error(transport("Get \"https://h:1/api/v1/pods?timeoutSeconds=" + std::to_string(300 + i) +
                                      "\": dial tcp h:1: connect: connection refused"));
  }
  auto body = world.server.next_stream({end_of_list(5)});

  world.start();
  world.pass(30s);

  CHECK(world.informer->has_synced());
  CHECK(std::count_if(world.sink.lines.begin(), world.sink.lines.end(),
                      [](const std::string& line) { return line.find("Cannot watch yet") != std::string::npos; }) == 1);
}

TEST_CASE("an API server that is away makes the cache stale, however often it is asked") {
  World world;
  Error refused(Error::Kind::kStatus, "watch pods");
  refused.code = 422;
  world.server.next_error(refused);

  world.start();
  world.pass(200s);

  CHECK(world.server.requests().size() > 5);
  CHECK_FALSE(world.cache->check_fresh(3min).has_value());
}

TEST_CASE("a server that was restored from a backup is read anew, although its versions are lower") {
  World world;
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

std::shared_ptr<FakeBody> body_of(std::string text) {
  auto body = std::make_shared<FakeBody>();
  body->push(std::move(text));
  body->close();
  return body;
}

TEST_CASE("a failure at every step in turn of listing and watching ends with the same cache") {
  Error busy(Error::Kind::kStatus, "list pods");
  busy.code = 500;
  Error throttled(Error::Kind::kStatus, "list pods");
  throttled.code = 429;
  Error no_stream(Error::Kind::kStatus, "watch pods");
  no_stream.code = 422;
  const std::string first =
      R"({"kind":"PodList","metadata":{"resourceVersion":"9","continue":"more"},"items":[)" + pod("a", 3) + "]}";
  const std::string second = R"({"items":[)" + pod("b", 4) + R"(],"metadata":{"resourceVersion":"9"}})";

  for (const auto& failure : {transport("connection reset by peer"), busy, throttled}) {
    for (int failing = 0; failing < 4; ++failing) {
      for (bool in_the_middle : {false, true}) {
        INFO(failure.message() << ", step " << failing << (in_the_middle ? ", in the middle of the body" : ""));
        World world;
        int step = 0;
        auto fails_here = [&] { return step++ == failing; };
        // Whatever is asked is answered by what it asks for; the one failure comes when its turn is.
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
            if (request.verb != kube::Verb::kWatch) return body_of(text);
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

TEST_CASE("informers of one kind and selector are one, with the union of what they declared") {
  World world;
  InformerOptions same;
  same.resource = kube::pods();
  same.label_indexes = {"tier"};

  auto& shared = world.cache->declare(same);
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  CHECK(&shared == world.informer);
  CHECK(shared.by_index(label_index("tier"), "x").empty());
}

TEST_CASE("a kind that nobody declared cannot be read, and the error says how to declare it") {
  World world;

  auto found = world.cache->find(kube::secrets());
  auto body = world.server.next_stream({end_of_list(5)});
  world.start();

  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().message().find("Secret.v1 is not cached") == 0);
}

TEST_CASE("named namespaces are watched each on its own and synced together") {
  CacheOptions options;
  options.namespaces = {"one", "two"};
  World world(options);
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

TEST_CASE("a resync says every object again, marked as such") {
  CacheOptions options;
  options.sync_period = 100s;
  World world(options);
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  world.events.clear();

  world.pass(115s);

  CHECK(world.events == Names{"resync updated a"});
}

asio::awaitable<void> count_turns(const Informer& informer, int& turns) {
  while (!informer.has_synced()) {
    ++turns;
    co_await test::yield();
  }
}

TEST_CASE("decoding hands the loop back every 256 KiB, so that no list delays a probe") {
  World world;
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

TEST_CASE("garbage in a watch ends it and is resumed, and nothing of it is kept") {
  World world;
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
