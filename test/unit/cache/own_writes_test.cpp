// Every read contains own writes immediately, and older events do not undo them.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/kube/dry_run.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

TEST_CASE("M14: an own write is read immediately and not undone by an older event") {
  CacheOnFakeServer world;
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

TEST_CASE("an own creation is in every read immediately, also after an older list") {
  CacheOnFakeServer world;
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

TEST_CASE("an own deletion is visible immediately, and a late event does not restore the object") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();

  world.cache->observe_delete(kube::pods(), {"default", "a"}, "uid-a");
  body->push(event("MODIFIED", pod("a", 6)) + "\n");
  world.loop.poll();

  CHECK(world.names().empty());
}

std::string in_namespace(std::string_view ns, std::string object) {
  const std::string given = R"("namespace":"default")";
  object.replace(object.find(given), given.size(), R"("namespace":")" + std::string(ns) + "\"");
  return object;
}

TEST_CASE("a reply that arrives after DELETED does not restore the object, however far other namespaces are behind") {
  CacheOptions options;
  options.namespaces = {"one", "two"};
  CacheOnFakeServer world(options);
  auto one = world.server.next_stream({event("ADDED", in_namespace("one", pod("a", 3))), end_of_list(5)});
  auto two = world.server.next_stream({end_of_list(6)});
  world.start();

  one->push(event("DELETED", in_namespace("one", pod("a", 9))) + "\n");
  world.loop.poll();
  world.cache->observe_write(kube::pods(), *kube::Object::from_json(in_namespace("one", pod("a", 8))));
  world.cache->observe_write(kube::pods(), *kube::Object::from_json(in_namespace("two", pod("b", 8))));

  CHECK(world.names() == Names{"b"});
}

TEST_CASE("a reply that arrives after DELETED does not restore the object while another namespace is still listed") {
  CacheOptions options;
  options.namespaces = {"one", "two"};
  CacheOnFakeServer world(options);
  auto one = world.server.next_stream({event("ADDED", in_namespace("one", pod("a", 3))), end_of_list(5)});
  auto two = world.server.next_stream({});
  world.start();

  one->push(event("DELETED", in_namespace("one", pod("a", 9))) + "\n");
  world.loop.poll();
  world.cache->observe_write(kube::pods(), *kube::Object::from_json(in_namespace("one", pod("a", 8))));

  CHECK(world.names().empty());
}

TEST_CASE("a patch that removes the last finalizer is a deletion: its reply describes an object that is gone") {
  CacheOnFakeServer world;
  const std::string deleting = R"("deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":)";
  auto with = [](std::string object, const std::string& metadata) {
    return object.insert(object.find(R"("name")"), metadata + ",");
  };
  auto held = with(pod("a", 4), deleting + R"(0,"finalizers":["x/y"])");
  auto body = world.server.next_stream({event("ADDED", held), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto patch = [&](std::string reply) {
    world.server.reply.body = std::move(reply);
    kube::ApiRequest request;
    request.verb = kube::Verb::kPatch;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    REQUIRE(testing::result_of(world.loop, client->send(request)));
  };

  SECTION("DELETED arrives after it") {
    patch(with(pod("a", 4), deleting + "0"));
    CHECK(world.names().empty());
    body->push(event("MODIFIED", with(pod("a", 6), deleting + "0")) + "\n");
    world.loop.poll();
    CHECK(world.names().empty());
  }
  SECTION("DELETED arrived before it, and the reply has a version that the watch has not passed") {
    body->push(event("DELETED", with(pod("a", 6), deleting + "0")) + "\n");
    world.loop.poll();
    patch(with(pod("a", 7), deleting + "0"));
    CHECK(world.names().empty());
  }
  SECTION("another finalizer is left") {
    patch(with(pod("a", 7), deleting + R"(0,"finalizers":["x/z"])"));
    CHECK(world.names() == Names{"a"});
  }
  SECTION("a kubelet still ends its containers") {
    patch(with(pod("a", 7), deleting + "30"));
    CHECK(world.names() == Names{"a"});
  }
}

TEST_CASE("the decorated client passes every write to the cache") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto write = [&](kube::Verb verb, std::string reply) {
    world.server.reply.body = std::move(reply);
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    REQUIRE(testing::result_of(world.loop, client->send(request)));
  };

  write(kube::Verb::kPatch, pod("a", 9));
  auto patched = world.informer->get({"default", "a"})->resource_version();
  write(kube::Verb::kDelete, R"({"kind":"Status","status":"Success","details":{"name":"a","uid":"uid-a"}})");

  CHECK(patched == 9);
  CHECK_FALSE(world.informer->get({"default", "a"}).has_value());
}

TEST_CASE("the reply to a dry run is not stored, because it is not the state of the object") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto dry_run = [&](kube::Verb verb, std::string reply) {
    world.server.reply.body = std::move(reply);
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    request.body = R"({"propagationPolicy":"Background"})";
    kube::make_dry_run(request);
    REQUIRE(testing::result_of(world.loop, client->send(request)));
  };

  dry_run(kube::Verb::kCreate, pod("b", 9));
  dry_run(kube::Verb::kUpdate, pod("a", 9));
  dry_run(kube::Verb::kPatch, pod("a", 9));
  dry_run(kube::Verb::kDelete, R"({"kind":"Status","status":"Success","details":{"name":"a","uid":"uid-a"}})");
  dry_run(kube::Verb::kDelete, pod("a", 9));
  dry_run(kube::Verb::kDeleteCollection, R"({"kind":"PodList","items":[)" + pod("a", 3) + "]}");

  CHECK(world.names() == Names{"a"});
  CHECK(world.informer->get({"default", "a"})->resource_version() == 3);
}

TEST_CASE("the reply to a deletion shows whether the object is gone: without finalizers it is its last state") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto remove = [&](std::string reply) {
    world.server.reply.body = std::move(reply);
    kube::ApiRequest request;
    request.verb = kube::Verb::kDelete;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    REQUIRE(testing::result_of(world.loop, client->send(request)));
  };

  SECTION("its last state") {
    remove(pod("a", 3));
    CHECK(world.names().empty());
  }
  SECTION("a finalizer holds it") {
    auto held = pod("a", 7);
    held.insert(held.find(R"("name")"), R"("deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["x/y"],)");
    remove(held);
    CHECK(world.names() == Names{"a"});
    CHECK(world.informer->get({"default", "a"})->deleting());
  }
}

TEST_CASE("a Status reply means a deletion only if the request was one and the Status names the object") {
  CacheOnFakeServer world;
  auto body = world.server.next_stream({event("ADDED", pod("a", 3)), end_of_list(5)});
  world.start();
  auto client = read_your_writes(world.server, *world.cache);
  auto answered = [&](kube::Verb verb, std::string status) {
    world.server.reply.body = std::move(status);
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = kube::pods();
    request.key = {"default", "a"};
    REQUIRE(testing::result_of(world.loop, client->send(request)));
    return world.names();
  };
  const std::string named = R"({"kind":"Status","status":"Success","details":{"name":"a","uid":"uid-a"}})";

  CHECK(answered(kube::Verb::kCreate, named) == Names{"a"});
  CHECK(answered(kube::Verb::kPatch, named) == Names{"a"});
  CHECK(answered(kube::Verb::kDelete, R"({"kind":"Status","status":"Success"})") == Names{"a"});
  CHECK(answered(kube::Verb::kDelete, R"({"kind":"Status","details":{"uid":"uid-b"}})") == Names{"a"});
  CHECK(answered(kube::Verb::kDelete, named).empty());
}

TEST_CASE("a write of an object that the informer does not select is not stored") {
  CacheOnFakeServer world;
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

TEST_CASE("a write after which the selector no longer matches removes the object immediately") {
  CacheOnFakeServer world;
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

TEST_CASE("reads return no object of a deleted collection") {
  CacheOnFakeServer world;
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

}  // namespace
}  // namespace keelson::cache
