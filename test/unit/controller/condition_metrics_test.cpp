// keelson_objects: the objects of a controller's kind by the statuses of its conditions.
#include "src/controller/condition_metrics.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/controller/own_condition.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using controller::ConditionScan;
using controller::ConditionStatus;
using controller::Definition;
using Event = cache::Event;

kube::Object with_status(const std::string& status) {
  return *kube::Object::from_json(R"({"apiVersion":"cache.example.com/v1","kind":"Memcached",)"
                                  R"("metadata":{"name":"web","namespace":"default","uid":"1",)"
                                  R"("ownerReferences":[{"type":"Ready","status":"True"}]},)"
                                  R"("spec":{"conditions":[{"type":"Ready","status":"True"}]},"status":)" +
                                  status + "}");
}

std::string condition(std::string_view type, std::string_view status) {
  return R"({"lastTransitionTime":"2026-01-01T00:00:00Z","message":"\"type\":\"Stalled\"","reason":"R","status":")" +
         std::string(status) + R"(","type":")" + std::string(type) + R"("})";
}

kube::Object ready(std::string_view status) {
  return with_status(R"({"conditions":[)" + condition("Ready", status) + "]}");
}

Event added_event(kube::Object object) {
  return {.type = Event::Type::kAdded, .before = {}, .after = std::move(object)};
}
Event updated_event(kube::Object before, kube::Object after) {
  return {.type = Event::Type::kUpdated, .before = std::move(before), .after = std::move(after)};
}
Event deleted_event(kube::Object object) {
  return {.type = Event::Type::kDeleted, .before = std::move(object), .after = {}};
}

Definition definition_of(std::vector<std::string> conditions) {
  kube::Kind kind;
  kind.resource = memcacheds();
  return controller::define(kind).sets_conditions(std::move(conditions));
}

struct CountedConditions {
  explicit CountedConditions(std::vector<Definition> all) : definitions(std::move(all)) {
    counted = controller::count_conditions(cache, registry, definitions);
  }

  [[nodiscard]] double count(std::string_view condition, std::string_view status) const {
    for (const auto& sample : registry.samples("keelson_objects")) {
      if (sample.labels[2] == condition && sample.labels[3] == status) return sample.value;
    }
    return -1;
  }
  void send(const Event& event) { cache.of(memcacheds()).send(event); }
  // "True False Unknown Missing" of a condition.
  [[nodiscard]] std::vector<double> counts(std::string_view condition) const {
    return {count(condition, "True"), count(condition, "False"), count(condition, "Unknown"),
            count(condition, "Missing")};
  }

  metrics::Registry registry;
  FakeCache cache;
  std::vector<Definition> definitions;
  std::vector<controller::CountedKind> counted;
};

using Counts = std::vector<double>;

}  // namespace

TEST_CASE("the status of each condition is read from the JSON of an object") {
  struct Row {
    std::string status;
    ConditionStatus ready;
    ConditionStatus stalled;
  };
  using enum ConditionStatus;
  const std::vector<Row> rows{
      {R"({})", kMissing, kMissing},
      {R"(null)", kMissing, kMissing},
      {R"("Ready")", kMissing, kMissing},
      {R"({"conditions":null})", kMissing, kMissing},
      {R"({"conditions":["Ready"]})", kMissing, kMissing},
      {R"({"conditions":[]})", kMissing, kMissing},
      {R"({"conditions":[)" + condition("Ready", "True") + "]}", kTrue, kMissing},
      {R"({"conditions":[)" + condition("Stalled", "False") + "," + condition("Ready", "Unknown") + "]}", kUnknown,
       kFalse},
      {R"({"conditions":[)" + condition("Ready", "Perhaps") + "]}", kUnknown, kMissing},
      {R"({"conditions":[{"type":"Ready"}]})", kUnknown, kMissing},
      {R"({"conditions":[{"status":"True"}]})", kMissing, kMissing},
      {R"({"conditions":[{"status":"True","type":"Synced"},{"type":"Stalled","status":"True"}]})", kMissing, kTrue},
      {R"({"nested":{"conditions":[{"type":"Ready","status":"True"}]},"list":[{"type":"Ready","status":"True"}]})",
       kMissing, kMissing},
  };
  ConditionScan scan({"Ready", "Stalled"});
  for (const auto& row : rows) {
    std::vector<ConditionStatus> statuses;
    scan.read(with_status(row.status).json(), statuses);
    INFO(row.status);
    CHECK(statuses == std::vector{row.ready, row.stalled});
  }
}

TEST_CASE("JSON that cannot be read has no conditions") {
  ConditionScan scan({"Ready"});
  std::vector<ConditionStatus> statuses;

  scan.read(R"({"status":{"conditions":[{"type":"Ready","status":"True")", statuses);

  CHECK(statuses == std::vector{ConditionStatus::kMissing});
}

TEST_CASE("all series of a kind exist before the first object, with the value 0") {
  const CountedConditions world({definition_of({"Ready", "Stalled"})});

  CHECK(world.registry.samples("keelson_objects").size() == 8);
  for (const auto& sample : world.registry.samples("keelson_objects")) {
    CHECK(sample.labels[1] == "Memcached");
    CHECK(sample.value == 0);
  }
}

TEST_CASE("each event moves its object from one status to the next") {
  CountedConditions world({definition_of({"Ready", "Stalled"})});
  const auto fresh = with_status("{}");

  world.send(added_event(fresh));
  CHECK(world.counts("Ready") == Counts{0, 0, 0, 1});
  world.send(updated_event(fresh, ready("Unknown")));
  CHECK(world.counts("Ready") == Counts{0, 0, 1, 0});
  world.send(updated_event(ready("Unknown"), ready("True")));
  world.send(added_event(ready("False")));
  CHECK(world.counts("Ready") == Counts{1, 1, 0, 0});
  CHECK(world.counts("Stalled") == Counts{0, 0, 0, 2});
  world.send(deleted_event(ready("True")));
  CHECK(world.counts("Ready") == Counts{0, 1, 0, 0});
  world.send(deleted_event(ready("False")));
  CHECK(world.counts("Ready") == Counts{0, 0, 0, 0});
  CHECK(world.counts("Stalled") == Counts{0, 0, 0, 0});
}

TEST_CASE("a resync counts nothing twice") {
  CountedConditions world({definition_of({"Ready"})});
  const auto object = ready("True");
  world.send(added_event(object));

  world.send(updated_event(object, object));

  CHECK(world.counts("Ready") == Counts{1, 0, 0, 0});
}

TEST_CASE("conditions that the controller does not set have no series") {
  CountedConditions world({definition_of({"Ready"})});

  world.send(added_event(with_status(R"({"conditions":[)" + condition("Scheduled", "True") + "]}")));

  CHECK(world.registry.samples("keelson_objects").size() == 4);
  CHECK(world.counts("Ready") == Counts{0, 0, 0, 1});
}

TEST_CASE("two controllers of a kind count its objects once if their selectors are equal") {
  auto second = definition_of({"Ready"});
  second.named("second");
  CountedConditions world({definition_of({"Ready"}), second});

  world.send(added_event(ready("True")));

  CHECK(world.counts("Ready") == Counts{1, 0, 0, 0});
}

TEST_CASE("the conditions are cached although the controller selects other paths") {
  auto definition = definition_of({"Ready"});
  definition.selects({.content = json::Projection::of({{"spec", "size"}})});

  CountedConditions world({definition});

  CHECK(std::get<json::Projection>(world.cache.of(memcacheds()).options.content).covers({"status", "conditions"}));
}

TEST_CASE("a kind of which only metadata is cached, or without conditions, has no series") {
  auto metadata = controller::define(memcacheds()).sets_conditions({"Ready"});
  metadata.selects({.content = cache::OnlyMetadata{}});

  for (const auto& definition : {metadata, definition_of({})}) {
    const CountedConditions world({definition});
    CHECK(world.registry.samples("keelson_objects").empty());
    CHECK(world.cache.informers.empty());
  }
}

TEST_CASE("the number of counted conditions is limited") {
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= limits::kCountedConditions; ++i) many.push_back("C" + std::to_string(i));

  const CountedConditions world({definition_of(many)});

  CHECK(world.registry.samples("keelson_objects").size() == 4 * limits::kCountedConditions);
}

TEST_CASE("a controller with a Pass sets Ready, its own conditions, and those of the framework") {
  constexpr std::array own{std::string_view("Published")};

  CHECK(controller::all_conditions(own) ==
        std::vector<std::string>{"Ready", "Published", "Reconciling", "Stalled", "Conflict", "Paused"});
}

TEST_CASE("objects are counted by each condition that needs attention, and the first of them are named") {
  metrics::Registry registry;
  controller::ConditionMetrics counted(registry, memcacheds(), {"Ready", "Degraded", "Stalled", "Conflict", "Paused"});
  const auto object = [](const std::string& name, const std::string& conditions) {
    return *kube::Object::from_json(R"({"kind":"Memcached","metadata":{"name":")" + name +
                                    R"(","namespace":"default","uid":"1"},"status":{"conditions":[)" + conditions +
                                    "]}}");
  };
  using Keys = std::set<kube::Key>;
  const auto of = [&](std::string_view type) -> const controller::ConditionMetrics::Unhealthy& {
    for (const auto& one : counted.unhealthy()) {
      if (counted.name_of(one) == type) return one;
    }
    throw std::runtime_error("not counted");
  };
  const auto fine = object("a", condition("Ready", "False") + "," + condition("Degraded", "False"));
  const auto degraded = object("a", condition("Degraded", "True"));
  const auto stalled = object("b", condition("Stalled", "True") + "," + condition("Paused", "True"));
  const auto contested = object("c", condition("Conflict", "True"));

  counted.observe(added_event(fine));
  for (const auto& one : counted.unhealthy()) CHECK(one.count == 0);
  counted.observe(updated_event(fine, degraded));
  counted.observe(added_event(stalled));
  counted.observe(added_event(contested));
  CHECK(of("Degraded").keys == Keys{{"default", "a"}});
  CHECK(of("Stalled").keys == Keys{{"default", "b"}});
  CHECK(of("Paused").keys == Keys{{"default", "b"}});
  CHECK(of("Conflict").keys == Keys{{"default", "c"}});
  // It changes in something else.
  counted.observe(
      updated_event(degraded, object("a", condition("Degraded", "True") + "," + condition("Ready", "True"))));
  CHECK(of("Degraded").count == 1);
  counted.observe(updated_event(degraded, fine));
  counted.observe(deleted_event(stalled));
  CHECK(of("Degraded").count == 0);
  CHECK(of("Stalled").keys.empty());
  CHECK(of("Paused").keys.empty());

  const auto most = limits::kUnhealthyObjects + 1;
  for (std::size_t i = 0; i < most; ++i) {
    counted.observe(added_event(object("o" + std::to_string(i), condition("Degraded", "True"))));
  }
  CHECK(of("Degraded").count == most);
  CHECK(of("Degraded").keys.size() == limits::kUnhealthyObjects);
  CHECK_FALSE(of("Degraded").lacks_names());
}

TEST_CASE("when the remembered unhealthy objects have recovered, others are found in the cache") {
  CountedConditions world({definition_of({"Ready", "Degraded"})});
  const auto object = [](std::size_t place, std::string_view status) {
    return *kube::Object::from_json(R"({"kind":"Memcached","metadata":{"name":"o)" + std::to_string(place) +
                                    R"(","namespace":"default","uid":"1"},"status":{"conditions":[)" +
                                    condition("Degraded", status) + "]}}");
  };
  const auto count = limits::kUnhealthyObjects + 3;
  for (std::size_t i = 0; i < count; ++i) world.send(added_event(object(i, "True")));
  for (std::size_t i = 0; i + 3 < count; ++i) world.send(updated_event(object(i, "True"), object(i, "False")));
  world.cache.of(memcacheds()).observe_write(object(0, "False"));
  for (auto i = count - 3; i < count; ++i) world.cache.of(memcacheds()).observe_write(object(i, "True"));

  const auto kinds = controller::unhealthy_kinds(world.counted);

  REQUIRE(kinds.size() == 1);
  CHECK(kinds[0].count == 3);
  CHECK(kinds[0].objects.size() == 3);
  CHECK(kinds[0].condition == "Degraded");
  CHECK(kinds[0].resource == "memcacheds.cache.example.com");
}
