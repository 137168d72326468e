// Consistent reads: their requests, and the cache afterwards.
#include "src/controller/consistent_read.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;

std::string reference(const std::string& uid, bool is_controller = true) {
  return R"({"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","name":"m","uid":")" + uid +
         R"(","controller":)" + (is_controller ? "true}" : "false}");
}

// A Deployment of that name, whose uid is "uid-of-<name>".
kube::Object child(const std::string& name, const std::string& references) {
  return object(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":")" + name +
                R"(","namespace":"default","uid":"uid-of-)" + name + R"(","resourceVersion":"9","ownerReferences":[)" +
                references + "]}}");
}

std::string list_of(const std::vector<kube::Object>& items, const std::string& token = "",
                    const std::string& version = "20") {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ",") + std::string(item.json());
  return R"({"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":")" + version + R"(","continue":")" + token +
         R"("},"items":[)" + text + "]}";
}

struct ReadOnFakes {
  ReadOnFakes() {
    for (const auto& resource : {memcacheds(), kube::deployments()}) {
      cache::InformerOptions options;
      options.resource = resource;
      cache.declare(options);
    }
    client.answer = [this](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
      if (request.resource == memcacheds()) return kube::ApiReply{200, list_of(objects)};
      if (pages.empty()) return status_error(503, "ServiceUnavailable");
      auto page = pages.front();
      pages.erase(pages.begin());
      return kube::ApiReply{200, page};
    };
  }

  Result<bool> ask(const kube::Resource& children = kube::deployments()) {
    return result_of(loop, consistent_read.refresh(memcacheds(), memcached("m"), children));
  }
  void know(const kube::Object& deployment) { children().observe_write(deployment); }
  FakeInformer& children() { return cache.of(kube::deployments()); }
  std::vector<std::string> known() {
    std::vector<std::string> names;
    for (const auto& [key, object] : children().objects) names.push_back(key.name);
    return names;
  }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  FakeCache cache;
  NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client, cache, events, registry, nullptr};
  controller::ConsistentRead consistent_read{context};
  // The replies of the server: to the list of the object, and to each list of its children.
  std::vector<kube::Object> objects{memcached("m")};
  std::vector<std::string> pages;
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a consistent read adds the server's objects to the cache and removes those that it does not have") {
  ReadOnFakes world;
  world.know(child("gone", reference("u-1")));
  world.know(child("stays", reference("u-1")));
  world.pages = {list_of({child("stays", reference("u-1")), child("new", reference("u-1"))})};

  auto asked = world.ask();

  REQUIRE(asked);
  CHECK(*asked);
  CHECK(world.known() == Names{"new", "stays"});
  CHECK(world.cache.of(memcacheds()).get({"default", "m"}));
}

TEST_CASE("children of the same kind in another group are listed as well") {
  ReadOnFakes world;
  const kube::Resource others("other.example.com", "v1", "Deployment", "deployments");
  cache::InformerOptions options;
  options.resource = others;
  world.cache.declare(options);
  world.pages = {list_of({child("a", reference("u-1"))}), list_of({child("b", reference("u-1"))})};

  REQUIRE(world.ask());
  auto asked = world.ask(others);

  REQUIRE(asked);
  CHECK(*asked);
  CHECK(world.cache.of(others).get({"default", "b"}));
}

TEST_CASE("a consistent read lists the children in pages") {
  ReadOnFakes world;
  world.know(child("on-the-second", reference("u-1")));
  world.pages = {list_of({child("on-the-first", reference("u-1"))}, "next"),
                 list_of({child("on-the-second", reference("u-1"))})};

  REQUIRE(world.ask());

  CHECK(world.known() == Names{"on-the-first", "on-the-second"});
  REQUIRE(world.client.requests.size() == 3);
  const auto& query = world.client.requests.back().query;
  CHECK(std::ranges::find(query, std::pair<std::string, std::string>("continue", "next")) != query.end());
}

TEST_CASE("an error in the middle of a list is returned, and the cache is not changed by it") {
  ReadOnFakes world;
  world.know(child("on-the-second", reference("u-1")));
  world.pages = {list_of({child("on-the-first", reference("u-1"))}, "next")};

  auto asked = world.ask();

  REQUIRE_FALSE(asked);
  CHECK(asked.error().code == 503);
  CHECK(world.known() == Names{"on-the-first", "on-the-second"});
}

TEST_CASE("a consistent read is repeated after an error, even if one of its pages succeeded") {
  ReadOnFakes world;
  world.pages = {list_of({}, "next")};
  REQUIRE_FALSE(world.ask());
  world.pages = {list_of({child("late", reference("u-1"))})};

  auto asked = world.ask();

  REQUIRE(asked);
  CHECK(*asked);
  CHECK(world.known() == Names{"late"});
}

TEST_CASE("a consistent read sends no request once both watches have passed the versions of the first lists") {
  ReadOnFakes world;
  world.pages = {list_of({}), list_of({})};
  REQUIRE(world.ask());
  world.cache.of(memcacheds()).version = 20;
  world.children().version = 20;
  world.client.requests.clear();

  auto asked = world.ask();

  REQUIRE(asked);
  CHECK_FALSE(*asked);
  CHECK(world.client.requests.empty());
}

TEST_CASE("a consistent read removes an object that no longer exists, or whose name another object has") {
  for (const auto& answer : {std::vector<kube::Object>(), std::vector{memcached("m", "u-2")}}) {
    ReadOnFakes world;
    world.cache.of(memcacheds()).observe_write(memcached("m"));
    world.objects = answer;
    world.pages = {list_of({})};

    REQUIRE(world.ask());

    auto known = world.cache.of(memcacheds()).get({"default", "m"});
    CHECK(known.has_value() == !answer.empty());
    CHECK((!known || known->uid() == "u-2"));
  }
}

TEST_CASE("a consistent read does not change the children of another owner") {
  ReadOnFakes world;
  world.know(child("known-of-another", reference("u-2")));
  world.pages = {list_of({child("new-of-another", reference("u-2"))})};

  REQUIRE(world.ask());

  CHECK(world.known() == Names{"known-of-another"});
}

TEST_CASE("a child with a new controller is updated in the cache and not removed") {
  ReadOnFakes world;
  world.know(child("given-away", reference("u-1")));
  world.pages = {list_of({child("given-away", reference("u-1", false) + "," + reference("u-2"))})};

  REQUIRE(world.ask());

  auto known = world.children().get({"default", "given-away"});
  REQUIRE(known);
  CHECK(known->controller_owner()->uid == "u-2");
}
