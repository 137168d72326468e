// Every read sees our own writes at once, and no older news undoes them.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/cache/world.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

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

}  // namespace
}  // namespace keelson::cache
