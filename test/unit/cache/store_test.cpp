#include "src/cache/store.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/random.hpp"

namespace keelson::cache {
namespace {

struct Made {
  std::string ns = "default";
  std::string name = "a";
  std::string uid = "u1";
  int version = 1;
  std::string app = "web";
  std::string owner;
};

kube::Object make(const Made& made) {
  std::string json = R"({"kind":"Pod","metadata":{"name":")" + made.name + R"(","namespace":")" + made.ns +
                     R"(","uid":")" + made.uid + R"(","resourceVersion":")" + std::to_string(made.version) +
                     R"(","labels":{"app":")" + made.app + R"("})";
  if (!made.owner.empty()) {
    json += R"(,"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"x","uid":")" + made.owner +
            R"(","controller":true}])";
  }
  auto object = kube::Object::from_json(json + "}}");
  REQUIRE(object.has_value());
  return std::move(*object);
}

std::vector<std::string> names(const std::vector<kube::Object>& objects) {
  std::vector<std::string> found;
  for (const auto& object : objects) found.push_back(object.key().text());
  std::ranges::sort(found);
  return found;
}

Store indexed_store() {
  Store store;
  store.add_index(label_index("app"), [](const kube::Object& o) {
    auto value = o.label("app");
    return value ? std::vector{*value} : std::vector<std::string>{};
  });
  store.add_index("owner", [](const kube::Object& o) {
    std::vector<std::string> uids;
    o.for_each_owner([&](const kube::OwnerReference& owner) { uids.emplace_back(owner.uid); });
    return uids;
  });
  return store;
}

std::vector<Event> swept(Store& store, std::string ns, std::uint32_t epoch, std::uint64_t list_version) {
  std::vector<Event> events;
  auto sweep = store.begin_sweep(std::move(ns), epoch, list_version);
  while (sweep.left > 0) {
    if (auto event = store.sweep_some(sweep)) events.push_back(std::move(*event));
  }
  return events;
}

TEST_CASE("an object is found by key, namespace, label and owner") {
  auto store = indexed_store();

  (void)store.put(make({.name = "a", .owner = "o1"}), 1);
  (void)store.put(make({.name = "b", .uid = "u2", .app = "db", .owner = "o1"}), 1);
  (void)store.put(make({.ns = "other", .name = "a", .uid = "u3"}), 1);

  CHECK(store.get({"default", "a"})->uid() == "u1");
  CHECK(names(store.list("default")) == std::vector<std::string>{"default/a", "default/b"});
  CHECK(store.list("").size() == 3);
  CHECK(names(store.by_index(label_index("app"), "db")) == std::vector<std::string>{"default/b"});
  CHECK(names(store.by_index("owner", "o1")) == std::vector<std::string>{"default/a", "default/b"});
  CHECK(store.by_index("owner", "nobody").empty());
}

TEST_CASE("an index follows a change of its value") {
  auto store = indexed_store();
  (void)store.put(make({.version = 1, .app = "web"}), 1);

  (void)store.put(make({.version = 2, .app = "db"}), 1);

  CHECK(store.by_index(label_index("app"), "web").empty());
  CHECK(store.by_index(label_index("app"), "db").size() == 1);
}

TEST_CASE("an update with another version alone is marked, and every index returns the new state") {
  auto store = indexed_store();
  (void)store.put(make({.version = 1, .owner = "o1"}), 1);
  (void)store.put(make({.name = "b", .uid = "u2", .version = 2, .owner = "o1"}), 1);

  const auto same = store.put(make({.version = 30, .owner = "o1"}), 1);
  const auto changed = store.put(make({.name = "b", .uid = "u2", .version = 31, .app = "db", .owner = "o1"}), 1);

  REQUIRE(same.size() == 1);
  CHECK(same[0].unchanged);
  REQUIRE(changed.size() == 1);
  CHECK_FALSE(changed[0].unchanged);
  CHECK(store.get({"default", "a"})->resource_version() == 30);
  CHECK(store.by_index(label_index("app"), "web").at(0).resource_version() == 30);
  CHECK(store.list("default").size() == 2);
  for (const auto& owned : store.by_index("owner", "o1")) CHECK(owned.resource_version() >= 30);
  CHECK(swept(store, "", 2, 100).size() == 2);
  CHECK(store.by_index("owner", "o1").empty());
}

TEST_CASE("an older or equal state changes nothing, so an own write is not undone by a late watch") {
  auto store = indexed_store();
  (void)store.put(make({.version = 5, .app = "own"}), 0);

  auto late = store.put(make({.version = 4, .app = "late"}), 1);
  auto same = store.put(make({.version = 5, .app = "own"}), 1);

  CHECK(late.empty());
  CHECK(same.empty());
  CHECK(store.get({"default", "a"})->label("app") == "own");
}

TEST_CASE("a sweep removes objects that the list did not contain, except those that are newer than the list") {
  auto store = indexed_store();
  (void)store.put(make({.name = "seen", .version = 3}), 1);
  (void)store.put(make({.name = "gone", .uid = "u2", .version = 3}), 1);
  (void)store.put(make({.name = "own", .uid = "u3", .version = 12}), 0);
  (void)store.put(make({.name = "seen", .version = 3}), 2);

  auto events = swept(store, "", 2, 10);

  REQUIRE(events.size() == 1);
  CHECK(events[0].type == Event::Type::kDeleted);
  CHECK(events[0].object().name() == "gone");
  CHECK(names(store.list("")) == std::vector<std::string>{"default/own", "default/seen"});
}

TEST_CASE("an own write of an object does not undo its mark as listed") {
  auto store = indexed_store();
  (void)store.put(make({.version = 20}), 1);

  (void)store.put(make({.version = 20}), 2);
  (void)store.put_own(make({.version = 20}));
  (void)store.put_own(make({.version = 21}));
  auto events = swept(store, "", 2, 25);

  CHECK(events.empty());
  CHECK(store.size() == 1);
}

TEST_CASE("a new uid of a name is a deletion and an addition") {
  auto store = indexed_store();
  (void)store.put(make({.uid = "old", .version = 3}), 1);

  auto events = store.put(make({.uid = "new", .version = 9}), 2);

  REQUIRE(events.size() == 2);
  CHECK(events[0].type == Event::Type::kDeleted);
  CHECK(events[0].object().uid() == "old");
  CHECK(events[1].type == Event::Type::kAdded);
  CHECK(store.by_index(label_index("app"), "web").size() == 1);
}

TEST_CASE("a late deletion event does not undo a newer own write") {
  auto store = indexed_store();
  (void)store.put_own(make({.version = 35}));

  auto event = store.erase(make({.version = 30}));

  CHECK_FALSE(event.has_value());
  CHECK(store.size() == 1);
}

TEST_CASE("an own deletion of an object that is not cached is not remembered") {
  auto store = indexed_store();

  (void)store.erase_own({"default", "a"}, "u1");

  CHECK(store.put(make({}), 1).size() == 1);
}

TEST_CASE("a sweep of one namespace leaves the others alone") {
  auto store = indexed_store();
  (void)store.put(make({.ns = "one", .name = "a"}), 1);
  (void)store.put(make({.ns = "two", .name = "a", .uid = "u2"}), 1);

  (void)swept(store, "one", 2, 10);

  CHECK(names(store.list("")) == std::vector<std::string>{"two/a"});
}

TEST_CASE("late events of the uid of an own deletion do not restore the object") {
  auto store = indexed_store();
  (void)store.put(make({.version = 3}), 1);

  auto event = store.erase_own({"default", "a"}, "u1");
  auto late = store.put(make({.version = 4}), 1);
  auto new_life = store.put(make({.uid = "u9", .version = 6}), 1);

  REQUIRE(event.has_value());
  CHECK(event->type == Event::Type::kDeleted);
  CHECK(late.empty());
  REQUIRE(new_life.size() == 1);
  CHECK(store.get({"default", "a"})->uid() == "u9");
}

TEST_CASE("a late deletion of an earlier uid does not affect the current object") {
  auto store = indexed_store();
  (void)store.put(make({.uid = "new", .version = 9}), 1);

  auto event = store.erase(make({.uid = "old", .version = 8}));

  CHECK_FALSE(event.has_value());
  CHECK(store.get({"default", "a"}).has_value());
}

TEST_CASE("remembered deletions are bounded") {
  auto store = indexed_store();

  for (std::size_t i = 0; i < limits::kOwnDeletions + 1; ++i) {
    auto uid = "uid-" + std::to_string(i);
    (void)store.put(make({.uid = uid}), 1);
    (void)store.erase_own({"default", "a"}, uid);
  }

  CHECK(store.put(make({.uid = "uid-0"}), 1).size() == 1);
  CHECK(store.put(make({.name = "b", .uid = "uid-1"}), 1).empty());
}

TEST_CASE("the table agrees with a map over many random changes") {
  Store store;
  std::map<std::pair<std::string, std::string>, int> expected;
  base::Random random(7);
  int version = 0;

  for (int step = 0; step < 20000; ++step) {
    const auto ns = "ns-" + std::to_string(random.between(0, 4));
    const auto name = "pod-" + std::to_string(random.between(0, 100));
    auto object = make({.ns = ns, .name = name, .uid = ns + name, .version = ++version});
    if (random.unit() < 0.6) {
      (void)store.put(object, 1);
      expected[{ns, name}] = version;
    } else {
      auto erased = store.erase(object);
      CHECK(erased.has_value() == (expected.erase({ns, name}) == 1));
    }
  }

  CHECK(store.size() == expected.size());
  std::map<std::string, std::vector<std::string>> of_namespace;
  for (const auto& [key, wanted] : expected) {
    auto found = store.get({key.first, key.second});
    REQUIRE(found.has_value());
    CHECK(found->resource_version() == static_cast<std::uint64_t>(wanted));
    of_namespace[key.first].push_back(key.first + "/" + key.second);
  }
  std::size_t bytes = 0;
  for (const auto& object : store.list("")) bytes += object.block_bytes();
  CHECK(store.bytes() == bytes);
  for (const auto& [ns, keys] : of_namespace) CHECK(names(store.list(ns)) == keys);
  CHECK(store.list("ns-none").empty());
}

TEST_CASE("a namespace without objects is forgotten") {
  Store store;
  (void)store.put(make({.name = "a"}), 1);
  (void)store.put(make({.ns = "other", .name = "b", .uid = "u2"}), 1);
  (void)store.put(make({.name = "c", .uid = "u3"}), 1);

  (void)store.erase(make({.name = "a", .version = 2}));
  (void)store.erase(make({.name = "c", .uid = "u3", .version = 3}));

  CHECK(store.list("default").empty());
  CHECK(names(store.list("other")) == std::vector<std::string>{"other/b"});
}

TEST_CASE("the error of an unknown index names the declaration, for the own kind and for another one") {
  const Store store;

  std::string message;
  try {
    (void)store.by_index("owner", "a");
  } catch (const base::Misuse& mistake) {
    message = mistake.what();
  }
  CHECK(message ==
        "by_index: no index \"owner\": declare it with .indexed_by(\"owner\", …) for the controller's own kind, and in "
        "WatchOptions::indexes of .watches or .owns for another");
}

}  // namespace
}  // namespace keelson::cache
