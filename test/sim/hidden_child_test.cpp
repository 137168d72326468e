// Children that the label selector of owns() hides from the cache: they exist all the same.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "test/support/conditions.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using testing::condition_text;

struct BookSpec {
  std::string text = "first";
  bool is_created_once = false;
  bool lacks_label = false;
};
void describe(kube::Description& d, BookSpec& spec) {
  d.field("text", spec.text, "The text.");
  d.field("isCreatedOnce", spec.is_created_once, "The child is not changed after its creation.");
  d.field("lacksLabel", spec.lacks_label, "The child does not match the selector.");
}
struct Book : CustomResource<BookSpec, testing::ObservedStatus> {
  static constexpr kube::Identity kIdentity{"library.example.com", "v1", "Book"};
};

Reconciled print(const Book& book, Pass<Book>& pass) {
  ConfigMap page{.metadata = {.name = book.name(), .labels = {{"app", "book"}}}, .data = {{"text", book.spec.text}}};
  if (book.spec.lacks_label) page.metadata.labels.clear();
  if (book.spec.is_created_once) {
    KEELSON_CO_TRY(co_await pass.create(page));
  } else {
    KEELSON_CO_TRY(co_await pass.apply(page));
  }
  pass.ready("Printed", "The page exists.");
  co_return done();
}

controller::Definition book() {
  return std::move(controller_for<Book>(print).owns<ConfigMap>({.labels = "app=book"_selector}));
}

const kube::Key kMine("default", "mine");
constexpr const char* kForeign = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"mine"},
    "data":{"text":"foreign"}})";

struct BookCluster : sandbox::SimulatedCluster {
  explicit BookCluster(sandbox::ClusterOptions options = {}) : SimulatedCluster(book(), std::move(options)) {
    REQUIRE(start_manager());
  }
  void write(const std::string& spec = "{}") {
    REQUIRE(create(
        kube::resource_of<Book>(), "default",
        R"({"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"name":"mine"},"spec":)" + spec + "}"));
  }
  std::string condition(const std::string& type) {
    const auto document = get(kube::resource_of<Book>(), kMine);
    return condition_text(document.root(), type);
  }
  std::string page(const char* member, const char* name) {
    const auto document = get(kube::config_maps(), kMine);
    const bool is_label = member == std::string("labels");
    const auto value = is_label ? document.root().at({"metadata", member, name}) : document.root().at({member, name});
    return std::string(value.string().value_or(""));
  }
  std::size_t writes_of_page() {
    std::size_t count = 0;
    for (const int code : {200, 201, 409}) count += writes(kube::config_maps(), "", code);
    return count;
  }
  bool has_event(const std::string& reason) {
    for (const auto& event : server.objects(kube::events())) {
      if (event.json().find('"' + reason + '"') != std::string_view::npos) return true;
    }
    return false;
  }
};

TEST_CASE("an object of the child's name that the selector hides is NotOwned, and not changed") {
  BookCluster world;
  REQUIRE(world.create(kube::config_maps(), "default", kForeign));

  world.write();

  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True NotOwned"; }));
  CHECK(world.page("data", "text") == "foreign");
  CHECK(world.eventually([&] { return world.has_event("NotOwned"); }));
  CHECK(world.explain_object(kube::resource_of<Book>(), kMine).find("is not controlled by this Book") !=
        std::string::npos);
}

TEST_CASE("a hidden object of the child's name ends the Ready of an older generation") {
  BookCluster world;
  world.write();
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Printed"; }));
  world.crash_manager();
  REQUIRE(world.remove(kube::config_maps(), kMine));
  REQUIRE(world.create(kube::config_maps(), "default", kForeign));
  REQUIRE(world.start_manager());

  REQUIRE(world.patch(kube::resource_of<Book>(), kMine, R"({"spec":{"text":"second"}})"));

  CHECK(world.eventually([&] { return world.condition("Ready") == "False NotOwned"; }));
}

TEST_CASE("a label of the selector that is removed from a child is set again") {
  BookCluster world;
  world.write();
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Printed"; }));

  REQUIRE(world.patch(kube::config_maps(), kMine, R"({"metadata":{"labels":null},"data":{"other":"x"}})"));

  REQUIRE(world.eventually([&] { return world.page("labels", "app") == "book"; }));
  CHECK(world.page("data", "other") == "x");
  const auto before = world.writes_of_page();
  CHECK(before <= 3);  // the first creation, the rejected one, and the repair
  world.pass(10min);
  CHECK(world.writes_of_page() == before);
  REQUIRE(world.patch(kube::resource_of<Book>(), kMine, R"({"spec":{"text":"second"}})"));
  CHECK(world.eventually([&] { return world.page("data", "text") == "second"; }));
}

TEST_CASE("a label that was removed while no manager ran is set again") {
  BookCluster world;
  world.write();
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Printed"; }));
  world.crash_manager();
  REQUIRE(world.patch(kube::config_maps(), kMine, R"({"metadata":{"labels":null}})"));

  REQUIRE(world.start_manager());

  CHECK(world.eventually([&] { return world.page("labels", "app") == "book"; }));
}

TEST_CASE("a hidden child that is paused is left alone") {
  BookCluster world;
  world.write();
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Printed"; }));
  world.crash_manager();
  REQUIRE(world.patch(kube::config_maps(), kMine,
                      R"({"metadata":{"labels":null,"annotations":{"keelson.dev/paused":"true"}}})"));

  REQUIRE(world.start_manager());
  world.pass(1min);

  CHECK(world.page("labels", "app").empty());
  CHECK(world.condition("Paused").starts_with("True"));
}

TEST_CASE("a child that is created once gets a removed label back, and keeps its other fields") {
  BookCluster world;
  world.write(R"({"isCreatedOnce":true})");
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Printed"; }));
  REQUIRE(world.patch(kube::resource_of<Book>(), kMine, R"({"spec":{"text":"second"}})"));

  REQUIRE(world.patch(kube::config_maps(), kMine, R"({"metadata":{"labels":null}})"));

  REQUIRE(world.eventually([&] { return world.page("labels", "app") == "book"; }));
  CHECK(world.page("data", "text") == "first");
}

TEST_CASE("a desired state that does not match the selector of owns() is a mistake that names both") {
  for (const std::string spec : {R"({"lacksLabel":true})", R"({"lacksLabel":true,"isCreatedOnce":true})"}) {
    BookCluster world({.tolerates_problems = true});

    world.write(spec);
    world.pass(1min);

    CHECK(world.explanation().find(
              "ConfigMap default/mine does not match the selector app=book of owns<ConfigMap>()") != std::string::npos);
    CHECK(world.condition("Ready") == "False ReconcileFailed");
    CHECK(world.writes(kube::config_maps(), "", 200) == 0);
  }
}

}  // namespace
}  // namespace keelson
