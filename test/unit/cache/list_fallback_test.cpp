// Fallbacks for streamed lists and pages that never end.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

std::string page(std::string_view items, std::string_view continued) {
  return R"({"kind":"PodList","metadata":{"resourceVersion":"9")" +
         (continued.empty() ? "" : R"(,"continue":")" + std::string(continued) + "\"") + R"(},"items":[)" +
         std::string(items) + "]}";
}

TEST_CASE("a streamed list that never ends is replaced by a list in pages") {
  CacheOnFakeServer world;
  std::shared_ptr<FakeBody> endless;

  SECTION("the server only watches and sends bookmarks, but no end of the list") {
    endless = world.server.next_stream({event("ADDED", pod("a", 3)), bookmark(4)});
    world.server.next([](const kube::ApiRequest&) { return whole_body(page(pod("a", 3), "")); });
    auto watch = world.server.next_stream({});
    world.start();
    world.pass(5s);
    CHECK(world.informer->has_synced());
  }
  SECTION("objects change all the time") {
    endless = world.server.next_stream({event("ADDED", pod("a", 3))});
    world.server.next([](const kube::ApiRequest&) { return whole_body(page(pod("a", 3), "")); });
    auto watch = world.server.next_stream({});
    world.start();
    for (int second = 0; second < 130; ++second) {
      endless->push(event("MODIFIED", pod("a", 4 + second)) + "\n");
      world.pass(1s);
    }
    CHECK(world.informer->has_synced());
  }

  CHECK(world.requests_that([](const auto& r) { return r.verb == kube::Verb::kList; }) == 1);
}

TEST_CASE("a streamed list with an event of an unknown type is replaced by a list in pages") {
  CacheOnFakeServer world;
  auto strange = world.server.next_stream({event("ADDED", pod("a", 3)), event("SYNCED", pod("a", 3)), end_of_list(5)});
  world.server.next([](const kube::ApiRequest&) { return whole_body(page(pod("a", 3), "")); });
  auto watch = world.server.next_stream({});
  world.start();

  world.pass(5s);

  CHECK(world.informer->has_synced());
  CHECK(world.names() == Names{"a"});
}

TEST_CASE("a list in pages may take minutes, in contrast to a streamed one") {
  CacheOnFakeServer world;
  Error no_stream(Error::Kind::kStatus, "watch pods");
  no_stream.code = 422;
  world.server.next_error(no_stream);
  auto slow = std::make_shared<FakeBody>();
  world.server.next([slow](const kube::ApiRequest&) { return slow; });
  auto watch = world.server.next_stream({});
  world.start();

  slow->push(R"({"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[)");
  for (int item = 0; item < 5; ++item) {
    world.pass(50s);
    slow->push((item == 0 ? "" : ",") + pod("pod-" + std::to_string(item), 3));
  }
  slow->push("]}");
  slow->close();
  world.pass(1s);

  CHECK(world.informer->has_synced());
  CHECK(world.names().size() == 5);
  CHECK(world.requests_that([](const auto& r) { return r.verb == kube::Verb::kList; }) == 1);
}

TEST_CASE("pages whose continue tokens always expire are replaced by a list without pages") {
  CacheOnFakeServer world;
  Error no_stream(Error::Kind::kStatus, "watch pods");
  no_stream.code = 422;
  Error expired(Error::Kind::kStatus, "list pods");
  expired.code = 410;
  expired.reason = "Expired";
  for (int answer = 0; answer < 20; ++answer) {
    world.server.next([&](const kube::ApiRequest& request) -> Result<std::shared_ptr<FakeBody>> {
      if (!query_of(request, "sendInitialEvents").empty()) return no_stream;
      if (request.verb == kube::Verb::kWatch) return std::make_shared<FakeBody>();
      if (!query_of(request, "continue").empty()) return expired;
      if (query_of(request, "limit").empty()) return whole_body(page(pod("a", 3) + "," + pod("b", 4), ""));
      return whole_body(page(pod("a", 3), "more"));
    });
  }
  world.start();

  world.pass(1s);

  CHECK(world.informer->has_synced());
  CHECK(world.names() == Names{"a", "b"});
  CHECK(world.requests_that([](const auto& r) { return r.verb == kube::Verb::kList; }) == 3);
}

TEST_CASE("a list whose pages refer to each other in a circle is an error and begins again after a delay") {
  CacheOnFakeServer world;
  Error no_stream(Error::Kind::kStatus, "watch pods");
  no_stream.code = 422;
  bool is_repaired = false;
  for (int answer = 0; answer < 1000; ++answer) {
    world.server.next([&](const kube::ApiRequest& request) -> Result<std::shared_ptr<FakeBody>> {
      if (!query_of(request, "sendInitialEvents").empty()) return no_stream;
      if (request.verb == kube::Verb::kWatch) return std::make_shared<FakeBody>();
      return whole_body(page(pod("a", 3), is_repaired ? "" : query_of(request, "continue") == "2" ? "1" : "2"));
    });
  }
  world.start();

  world.pass(500ms);
  CHECK(world.requests_that([](const auto& r) { return r.verb == kube::Verb::kList; }) < 20);
  CHECK_FALSE(world.informer->has_synced());

  is_repaired = true;
  world.pass(60s);
  CHECK(world.informer->has_synced());
  CHECK(world.names() == Names{"a"});
}

}  // namespace
}  // namespace keelson::cache
