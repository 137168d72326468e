// Informers with field selectors.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

std::string pod_on(std::string_view node, std::string_view name, int version) {
  return pod(name, version, R"(,"spec":{"nodeName":")" + std::string(node) + "\"}");
}

struct SelectedWorld : CacheOnFakeServer {
  explicit SelectedWorld(kube::FieldSelector fields) {
    selected = &cache->declare({.resource = kube::services(), .fields = std::move(fields)});
    selected->subscribe([this](const Event& event) {
      changes.push_back((event.type == Event::Type::kDeleted ? "deleted " : "") + std::string(event.object().name()));
    });
  }
  // The first list is at version 5.
  std::shared_ptr<FakeBody> start_with(std::vector<std::string> objects) {
    others = server.next_stream({end_of_list(5)});
    std::vector<std::string> lines;
    for (auto& object : objects) lines.push_back(event("ADDED", object));
    lines.push_back(end_of_list(5));
    auto body = server.next_stream(std::move(lines));
    start();
    changes.clear();
    return body;
  }
  void write(const std::string& object) { cache->observe_write(kube::services(), *kube::Object::from_json(object)); }
  Names selected_names() {
    Names found;
    for (const auto& object : selected->list()) found.emplace_back(object.name());
    std::ranges::sort(found);
    return found;
  }

  Informer* selected = nullptr;
  std::shared_ptr<FakeBody> others;
  Names changes;
};

TEST_CASE("every list and watch of an informer has its field selector") {
  SelectedWorld world("spec.nodeName=n,status.phase!=Failed"_fields);
  auto pods = world.server.next_stream({end_of_list(5)});
  world.server.next_error(invalid_error("no streamed lists"));
  world.start();
  world.pass(std::chrono::seconds(5));

  CHECK(world.requests_that([](const kube::ApiRequest& request) {
    return request.resource == kube::services() &&
           query_of(request, "fieldSelector") == "spec.nodeName=n,status.phase!=Failed";
  }) >= 2);
  CHECK(world.requests_that([](const kube::ApiRequest& request) {
    return request.resource == kube::pods() && !query_of(request, "fieldSelector").empty();
  }) == 0);
}

TEST_CASE("equal field selectors share an informer, and different ones do not") {
  CacheOnFakeServer world;
  const auto declare = [&](kube::FieldSelector fields) {
    return &world.cache->declare({.resource = kube::services(), .fields = std::move(fields)});
  };

  auto* one = declare("spec.nodeName=a"_fields);
  auto* other = declare("spec.nodeName=b"_fields);
  const auto ambiguous = world.cache->find(kube::services());
  const auto found = world.cache->find(kube::services(), Selection{.fields = "spec.nodeName=b"_fields});
  const auto missing = world.cache->find(kube::services(), Selection{});

  CHECK(one != other);
  CHECK(declare("spec.nodeName==a"_fields) == one);
  REQUIRE_FALSE(ambiguous);
  CHECK(ambiguous.error().text.find("several label or field selectors") != std::string::npos);
  REQUIRE(found);
  CHECK(*found == other);
  CHECK_FALSE(missing);
}

TEST_CASE("an object that no longer matches is deleted by the event of the server") {
  SelectedWorld world("spec.nodeName=n"_fields);
  auto body = world.start_with({pod_on("n", "a", 3), pod_on("n", "b", 4)});

  body->push(event("DELETED", pod_on("m", "a", 7)) + "\n");
  world.loop.poll();

  CHECK(world.selected_names() == Names{"b"});
  CHECK(world.changes == Names{"deleted a"});
}

TEST_CASE("an own write is read immediately if it is certain whether the selector matches") {
  SelectedWorld world("spec.nodeName=n"_fields);
  auto body = world.start_with({pod_on("n", "a", 3)});

  world.write(pod_on("n", "new", 8));
  world.write(pod_on("m", "other", 9));
  world.write(pod_on("m", "a", 10));
  world.write(pod("pending", 11));

  CHECK(world.selected_names() == Names{"new"});
  CHECK(world.changes == Names{"new", "deleted a"});
}

TEST_CASE(
    "if it is uncertain whether the selector matches, a write updates cached objects, and the watch adds or deletes "
    "others") {
  SelectedWorld world("status.successful=1"_fields);
  auto body = world.start_with({pod("a", 3), pod("b", 4)});

  world.write(pod("a", 8));
  world.write(pod("b", 9));
  world.write(pod("new", 10));
  const auto at_once = world.selected_names();
  const auto version = world.selected->get({"default", "a"})->resource_version();
  body->push(event("MODIFIED", pod("a", 8)) + "\n" + event("DELETED", pod("b", 9)) + "\n" +
             event("ADDED", pod("new", 10)) + "\n");
  world.loop.poll();

  CHECK(at_once == Names{"a", "b"});
  CHECK(version == 8);
  CHECK(world.selected_names() == Names{"a", "new"});
  CHECK(world.changes == Names{"a", "b", "deleted b", "new"});
}

}  // namespace
}  // namespace keelson::cache
