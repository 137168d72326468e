#include "src/sandbox/storage/snapshot.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {
namespace {

struct Shelf {
  void put(const std::string& name, const std::string& color, const std::string& ns = "default") {
    auto metadata = Tree::object({{"name", name}, {"namespace", ns}, {"uid", ns + name}});
    metadata["labels"] = Tree::object({{"color", color}});
    auto tree = Tree::object({{"kind", "ConfigMap"}, {"apiVersion", "v1"}, {"metadata", metadata}});
    REQUIRE(store.put(kind, {ns, name}, {std::move(tree), {}}));
  }
  void erase(const std::string& name) { REQUIRE(store.erase(kind, {"default", name})); }

  Selection selection(const std::string& ns, const std::string& labels) const {
    Call call;
    call.kind = &kind;
    call.key.ns = ns;
    call.query.emplace("labelSelector", labels);
    return *Selection::of(call);
  }
  SnapshotTaker taker(const std::string& labels = "", const std::string& ns = "default") const {
    return {store, kind, selection(ns, labels)};
  }

  Kinds kinds;
  const ServedKind& kind = *kinds.find(kube::config_maps());
  Store store;
};

std::string names(const Snapshot& snapshot) {
  std::string text;
  for (const auto& object : snapshot.objects) {
    text += std::string(object.name()) + "@" + std::to_string(object.resource_version()) + " ";
  }
  return text;
}

TEST_CASE("a version with text after its number is no version") {
  CHECK(version_number("12") == 12);
  for (const char* text : {"12x", "12 ", "-1", "x", ""}) CHECK(version_number(text) == 0);
}

TEST_CASE("a snapshot that is taken in steps has the state at its completion") {
  Shelf shelf;
  for (const char* name : {"b", "d", "f", "h"}) shelf.put(name, "red");  // 1001 to 1004
  auto taker = shelf.taker();
  REQUIRE_FALSE(taker.advance(2));
  shelf.put("a", "red");  // before the current position of the snapshot
  shelf.put("b", "blue");
  shelf.erase("d");
  shelf.put("c", "red");
  shelf.erase("c");
  shelf.put("e", "red");
  REQUIRE_FALSE(taker.advance(1));
  shelf.put("f", "blue");
  shelf.put("g", "red");  // after it
  shelf.erase("h");
  REQUIRE(taker.advance(2));
  auto snapshot = taker.take();
  CHECK(snapshot.version == shelf.store.version());
  CHECK(names(snapshot) == names(take_snapshot(shelf.store, shelf.kind, shelf.selection("default", ""))));
  CHECK(names(snapshot) == "a@1005 b@1006 e@1010 f@1011 g@1012 ");
}

TEST_CASE("a snapshot has the objects that are selected at its completion, only from its namespace") {
  Shelf shelf;
  shelf.put("a", "red", "another");
  for (const char* name : {"a", "b", "c", "d"}) shelf.put(name, name < std::string("c") ? "red" : "blue");
  shelf.put("a", "red", "later");
  auto taker = shelf.taker("color=red");
  REQUIRE_FALSE(taker.advance(2));
  shelf.put("a", "blue");
  shelf.put("c", "red");
  shelf.put("a", "blue", "another");
  shelf.put("z", "red", "another");
  REQUIRE(taker.advance(10));
  CHECK(names(taker.take()) == "b@1003 c@1008 ");
  auto everywhere = take_snapshot(shelf.store, shelf.kind, shelf.selection("", "color=red"));
  CHECK(names(everywhere) == "z@1010 b@1003 c@1008 a@1006 ");
}

TEST_CASE("a snapshot starts again if the history was dropped meanwhile") {
  Shelf shelf;
  for (const char* name : {"a", "b", "c"}) shelf.put(name, "red");
  auto taker = shelf.taker();
  REQUIRE_FALSE(taker.advance(2));
  shelf.erase("a");
  shelf.store.compact();
  CHECK_FALSE(taker.advance(2));
  CHECK(taker.advance(2));
  CHECK(names(taker.take()) == "b@1002 c@1003 ");
}

TEST_CASE("a snapshot can have any version in the history, with the objects of that version") {
  Shelf shelf;
  const auto all = shelf.selection("default", "");
  std::vector<std::string> before;
  const std::vector<std::function<void()>> writes = {[&] { shelf.put("b", "red"); },   [&] { shelf.put("a", "red"); },
                                                     [&] { shelf.put("b", "blue"); },  [&] { shelf.erase("a"); },
                                                     [&] { shelf.put("a", "green"); }, [&] { shelf.erase("b"); }};
  for (const auto& write : writes) {
    before.push_back(names(take_snapshot(shelf.store, shelf.kind, all)));
    write();
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto snapshot = take_snapshot(shelf.store, shelf.kind, all);
    REQUIRE(go_back(snapshot, 1000 + i, shelf.store, shelf.kind, all));
    CHECK(names(snapshot) == before[i]);
    CHECK(snapshot.version == 1000 + i);
  }
  auto snapshot = take_snapshot(shelf.store, shelf.kind, all);
  CHECK_FALSE(go_back(snapshot, 999, shelf.store, shelf.kind, all));
}

}  // namespace
}  // namespace keelson::sandbox
