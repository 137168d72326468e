#include "src/cache/generations.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>
#include <vector>

#include "src/cache/store.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

struct Made {
  int version = 1;
  int generation = 1;
  int observed = 1;
  int replicas = 1;
  std::string more = "";  // further members of the spec
};

kube::Object make(const Made& made) {
  const auto text = [](int number) { return std::to_string(number); };
  auto object =
      kube::Object::from_json(R"({"kind":"Deployment","metadata":{"generation":)" + text(made.generation) +
                              R"(,"name":"a","namespace":"default","resourceVersion":")" + text(made.version) +
                              R"(","uid":"u1"},"spec":{"replicas":)" + text(made.replicas) + made.more +
                              R"(},"status":{"observedGeneration":)" + text(made.observed) + "}}");
  REQUIRE(object.has_value());
  return std::move(*object);
}

// A store that holds back generations, and what each state that was put is for its readers.
struct Holding {
  Holding() { store.hold_back_generations(); }

  Event put(const Made& made) {
    const auto events = store.put(make(made), 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].after->resource_version() == static_cast<std::uint64_t>(made.version));
    CHECK_FALSE((events[0].unchanged && events[0].only_generations));
    return events[0];
  }
  bool is_unchanged(const Made& made) { return put(made).unchanged; }
  bool has_only_generations(const Made& made) { return put(made).only_generations; }
  [[nodiscard]] kube::Object stored() const { return store.get({"default", "a"}).value(); }

  Store store;
};

TEST_CASE("a generation that changes nothing stored is held back until it is observed") {
  Holding holding;
  CHECK_FALSE(holding.is_unchanged({.version = 8, .generation = 9, .observed = 9}));

  CHECK(holding.is_unchanged({.version = 9, .generation = 10, .observed = 9}));
  CHECK(holding.stored().json() == make({.version = 9, .generation = 9, .observed = 9}).json());
  CHECK(holding.is_unchanged({.version = 10, .generation = 11, .observed = 9}));
  CHECK(holding.is_unchanged({.version = 11, .generation = 11, .observed = 10}));
  CHECK(holding.stored().json() == make({.version = 11, .generation = 9, .observed = 9}).json());

  CHECK(holding.has_only_generations({.version = 12, .generation = 11, .observed = 11}));
  CHECK(holding.stored().json() == make({.version = 12, .generation = 11, .observed = 11}).json());
}

TEST_CASE("a generation of a changed spec is reported, and so is its observation") {
  Holding holding;
  CHECK_FALSE(holding.is_unchanged({.version = 1}));

  CHECK_FALSE(holding.is_unchanged({.version = 2, .generation = 2, .replicas = 3}));
  CHECK(holding.stored().generation() == 2);
  CHECK_FALSE(holding.is_unchanged({.version = 3, .generation = 3, .replicas = 3}));
  CHECK(holding.stored().generation() == 3);
  CHECK_FALSE(holding.is_unchanged({.version = 4, .generation = 3, .observed = 2, .replicas = 3}));
  CHECK_FALSE(holding.is_unchanged({.version = 5, .generation = 3, .observed = 3, .replicas = 3}));
}

TEST_CASE("a change of the spec is reported while a generation is held back") {
  Holding holding;
  CHECK_FALSE(holding.is_unchanged({.version = 1}));
  CHECK(holding.is_unchanged({.version = 2, .generation = 2}));

  CHECK_FALSE(holding.is_unchanged({.version = 3, .generation = 3, .replicas = 2}));
  CHECK(holding.stored().json() == make({.version = 3, .generation = 3, .replicas = 2}).json());
  CHECK_FALSE(holding.is_unchanged({.version = 4, .generation = 3, .observed = 3, .replicas = 2}));
}

TEST_CASE("an index has the generation that was observed") {
  Holding holding;
  holding.store.add_index("generation",
                          [](const kube::Object& object) { return std::vector{std::to_string(object.generation())}; });
  CHECK_FALSE(holding.is_unchanged({.version = 1}));
  CHECK(holding.is_unchanged({.version = 2, .generation = 2}));
  CHECK(holding.store.by_index("generation", "1").size() == 1);

  CHECK(holding.has_only_generations({.version = 3, .generation = 2, .observed = 2}));

  CHECK(holding.store.by_index("generation", "1").empty());
  CHECK(holding.store.by_index("generation", "2").size() == 1);
}

TEST_CASE("a store that does not hold back generations reports each of them") {
  Store store;
  static_cast<void>(store.put(make({.version = 1}), 1));
  CHECK_FALSE(store.put(make({.version = 2, .generation = 2}), 1).at(0).unchanged);
  CHECK(store.get({"default", "a"})->generation() == 2);
  CHECK_FALSE(store.put(make({.version = 3, .generation = 2, .observed = 2}), 1).at(0).unchanged);
}

TEST_CASE("an informer holds back generations if a user only compares them and none reconciles the kind") {
  using Generations = InformerOptions::Generations;
  struct Users {
    Generations one;
    Generations other;
    bool is_held_back;
  };
  const auto users = GENERATE(Users{Generations::kOnlyCompared, Generations::kOnlyCompared, true},
                              Users{Generations::kOnlyCompared, Generations::kRead, true},
                              Users{Generations::kRead, Generations::kOnlyCompared, true},
                              Users{Generations::kRead, Generations::kRead, false},
                              Users{Generations::kOnlyCompared, Generations::kReconciled, false},
                              Users{Generations::kReconciled, Generations::kOnlyCompared, false});
  CacheOnFakeServer world;
  auto& informer = world.cache->declare({.resource = kube::deployments(), .generations = users.one});
  static_cast<void>(world.cache->declare({.resource = kube::deployments(), .generations = users.other}));
  auto pods = world.server.next_stream({end_of_list(5)});
  auto body = world.server.next_stream({event("ADDED", std::string(make({.version = 1}).json())), end_of_list(5)});
  world.start();

  body->push(event("MODIFIED", std::string(make({.version = 8, .generation = 2}).json())) + "\n");
  world.loop.poll();

  const auto stored = informer.get({"default", "a"});
  REQUIRE(stored);
  CHECK(stored->resource_version() == 8);
  CHECK(stored->generation() == (users.is_held_back ? 1 : 2));
}

TEST_CASE("an object with another uid is new, whatever its generations") {
  Holding holding;
  CHECK_FALSE(holding.is_unchanged({.version = 1}));
  auto text = std::string(make({.version = 2, .generation = 2}).json());
  text.replace(text.find("u1"), 2, "u2");

  const auto events = holding.store.put(*kube::Object::from_json(text), 1);

  REQUIRE(events.size() == 2);
  CHECK(events[1].type == Event::Type::kAdded);
  CHECK_FALSE(events[1].unchanged);
  CHECK(holding.stored().generation() == 2);
}

TEST_CASE("other members with the names of the numbers are not the numbers") {
  const auto with = [](const std::string& more, int generation) {
    return make({.generation = generation, .more = R"(,"a":)" + more});
  };
  struct Case {
    std::string before;
    std::string after;
    int generation;
    bool is_same;
  };
  const std::vector<Case> cases{
      {"1", "1", 2, true},
      {"1", "2", 2, false},
      {R"({"generation":5})", R"({"generation":5})", 2, true},
      {R"({"generation":5})", R"({"generation":6})", 1, false},
      {R"({"generation":5})", R"({"generation":6})", 2, false},
      {R"({"observedGeneration":5})", R"({"observedGeneration":6})", 2, false},
      {R"({"resourceVersion":"5"})", R"({"resourceVersion":"6"})", 2, false},
      {R"("generation:5")", R"("generation:6")", 2, false},
      {R"({"generation":5})", R"({"generation":-5})", 1, false},
      {R"({"generation":5})", R"({"generation":5.1})", 1, false},
  };
  for (const auto& [before, after, generation, is_same] : cases) {
    INFO(before << " " << after << " " << generation);
    CHECK(differ_only_in_generations(with(before, 1), with(after, generation)) == is_same);
  }
}

TEST_CASE("the numbers are found in any order of members, with spaces, and as the last of duplicates") {
  const auto of = [](const std::string& version, const std::string& generation, const std::string& observed) {
    return *kube::Object::from_json(R"({ "status" : { "phase": "Ready", "observedGeneration" : )" + observed +
                                    R"( }, "metadata" : { "resourceVersion" : ")" + version +
                                    R"(", "name":"a", "generation" : 1, "generation" : )" + generation + "}}");
  };
  CHECK(is_settled(of("1", "12", "12")));
  CHECK(differ_only_in_generations(of("1", "2", "2"), of("10", "3", "2")));
  CHECK(differ_only_in_generations(of("1", "2", "2"), of("1", "2", "33")));
  CHECK_FALSE(differ_only_in_generations(of("1", "2", "2"), of("1", "2", R"("2")")));
  CHECK_FALSE(differ_only_in_generations(of("1", "2", "2"), of("1", "2", R"(2,"reason":"")")));
}

TEST_CASE("an object is settled if its status has the generation") {
  const auto is_settled_text = [](const std::string& text) {
    return is_settled(kube::Object::from_json(text).value());
  };
  CHECK(is_settled(make({.generation = 3, .observed = 3})));
  CHECK_FALSE(is_settled(make({.generation = 3, .observed = 2})));
  CHECK_FALSE(is_settled_text(R"({"metadata":{"generation":3}})"));
  CHECK_FALSE(is_settled_text(R"({"metadata":{"generation":3},"status":{}})"));
  CHECK_FALSE(is_settled_text(R"({"metadata":{"generation":3},"status":"3"})"));
  CHECK_FALSE(is_settled_text(R"({"metadata":{"generation":3},"status":{"observedGeneration":"3"}})"));
  CHECK_FALSE(is_settled_text(R"({"metadata":{"generation":3},"status":{"observedGeneration":3.5}})"));
}

}  // namespace
}  // namespace keelson::cache
