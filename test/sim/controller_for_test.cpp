// controller_for and Pass, as an author uses them.
#include "keelson/controller/controller_for.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "test/support/conditions.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using testing::condition_of;

struct SiteSpec {
  std::string title;
};
void describe(kube::Description& d, SiteSpec& spec) { d.field("title", spec.title, "What the page shows.").required(); }

struct SiteStatus {
  std::int32_t pages = 0;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
  bool operator==(const SiteStatus&) const = default;
};
void describe(kube::Description& d, SiteStatus& status) {
  d.field("pages", status.pages, "Number of pages.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  d.field("conditions", status.conditions, "Ready; Reconciling and Stalled while they hold.").list_map({"type"});
}

struct Site : CustomResource<SiteSpec, SiteStatus> {
  static constexpr kube::Identity kIdentity{"web.example.com", "v1", "Site"};
  static constexpr std::array kConditions{std::string_view("Announced")};
};

Reconciled reconcile(const Site& site, Pass<Site>& pass) {
  ConfigMap page{.metadata = {.name = site.name()}, .data = {{"title", site.spec.title}}};
  KEELSON_CO_LET(const auto applied, co_await pass.apply(page));
  pass.status().pages = static_cast<std::int32_t>(applied.data.size());
  if (site.spec.title == "draft") {
    pass.reconciling("Draft", "The page is a draft.");
    co_return requeue_after(1h);
  }
  if (site.spec.title == "quiet") co_return done();
  if (site.spec.title == "announced") pass.condition("Announced", true, "Sent", "The news is out.");
  if (site.spec.title == "copied") {
    KEELSON_CO_LET(const auto read, pass.get<ConfigMap>(site.key()));
    const auto copied = co_await pass.apply(*read);
    pass.stalled("Copied", copied ? "The copy was applied." : copied.error().text);
    co_return done();
  }
  if (site.spec.title == "replaced") {
    auto status = site.status;
    status.pages = 7;
    pass.set_status(std::move(status));
    co_return done();
  }
  if (site.spec.title == "hidden") {
    pass.status().conditions.push_back({.type = "Hidden", .status = "True", .reason = "Asked"});
    co_return done();
  }
  if (site.spec.title == "broken") co_return timeout_error("the printer does not answer");
  pass.event("Published", "The page is published.");
  pass.ready("Published", "The page is published.");
  co_return done();
}

controller::Definition site() { return controller_for<Site>(reconcile).owns<ConfigMap>(); }

const auto kSites = kube::resource_of<Site>();
const auto kPages = kube::resource_of<ConfigMap>();
const kube::Key kHome("default", "home");

std::string home(const std::string& title) {
  return "apiVersion: web.example.com/v1\nkind: Site\nmetadata: {name: home}\nspec: {title: " + title + "}\n";
}

struct SiteCluster : sandbox::SimulatedCluster {
  explicit SiteCluster(sandbox::ClusterOptions options = {}) : SimulatedCluster(site(), std::move(options)) {
    REQUIRE(start_manager());
  }

  bool eventually_is(std::string_view type, std::string_view status, std::string_view reason) {
    return eventually([&] {
      const auto document = get(kSites, kHome);
      const auto found = condition_of(document.root(), type);
      return found.find("status").string() == status && found.find("reason").string() == reason;
    });
  }
  std::string title() { return std::string(get(kPages, kHome).root().at({"data", "title"}).string().value_or("none")); }
};

TEST_CASE("a child is created with its owner, and the status is written once") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hello")));

  REQUIRE(world.eventually_is("Ready", "True", "Published"));

  CHECK(world.title() == "hello");
  const auto page = world.get(kPages, kHome);
  const auto owner = page.root().at({"metadata", "ownerReferences"}).item(0);
  CHECK(owner.find("kind").string() == "Site");
  CHECK(owner.find("controller").boolean() == true);
  const auto stored = world.get(kSites, kHome);
  CHECK(stored.root().at({"status", "pages"}).integer() == 1);
  CHECK(stored.root().at({"status", "observedGeneration"}).integer() == 1);
  world.pass(24h);
  CHECK(world.writes(kPages, "", 201) + world.writes(kPages, "", 200) == 1);
  CHECK(world.writes(kSites, "status", 200) == 1);
}

TEST_CASE("a condition that kConditions does not list is reported as a mistake and never written") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hidden")));

  const auto is_reported = [&] {
    return std::ranges::any_of(world.sink.entries(), [](const auto& line) {
      return line.error.find("has the condition Hidden, which kConditions of its kind does not list") !=
             std::string::npos;
    });
  };
  world.pass(1min);

  CHECK(is_reported());
  CHECK(world.writes(kSites, "status", 200) == 1);  // the report
}

TEST_CASE("a status that is replaced by a copy of the stored one leaves the conditions of other controllers alone") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hello")));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    const std::string audited = R"({"status":{"conditions":[{"type":"Audited","status":"True","reason":"Done",)"
                                R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
    REQUIRE(co_await kube::patch(world.server.client("auditor"), kSites, kHome, kube::PatchType::kMerge, audited,
                                 "status"));
  });

  REQUIRE(world.patch(kSites, kHome, R"({"spec":{"title":"replaced"}})"));

  REQUIRE(world.eventually([&] { return world.get(kSites, kHome).root().at({"status", "pages"}).integer() == 7; }));
  CHECK(world.eventually_is("Audited", "True", "Done"));
}

TEST_CASE("drift of a child is corrected, and a field that is not set is left alone") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hello")));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));

  REQUIRE(world.patch(kPages, kHome, R"({"data":{"title":"other","footer":"mine"}})"));

  REQUIRE(world.eventually([&] { return world.title() == "hello"; }));
  const auto page = world.get(kPages, kHome);
  CHECK(page.root().at({"data", "footer"}).string() == "mine");
}

TEST_CASE("an object that is not owned is left alone and reported, and the child is created when that object is gone") {
  SiteCluster world;
  REQUIRE(world.create(kPages, "default", R"({"metadata":{"name":"home"},"data":{"title":"not owned"}})"));
  REQUIRE(world.create(kSites, "default", home("hello")));

  REQUIRE(world.eventually_is("Stalled", "True", "NotOwned"));
  CHECK(world.title() == "not owned");
  const auto stored = world.get(kSites, kHome);
  CHECK(condition_of(stored.root(), "Ready").find("status").string() == "False");
  CHECK(condition_of(stored.root(), "Ready").find("message").string() ==
        "ConfigMap default/home exists and is not controlled by this Site.");

  REQUIRE(world.remove(kPages, kHome));

  REQUIRE(world.eventually([&] { return world.title() == "hello"; }, 1h));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
  const auto corrected = world.get(kSites, kHome);
  CHECK(condition_of(corrected.root(), "Stalled").is_absent());
}

// A page of the Site's name that another ConfigMap controls, and a Site whose next retry is minutes away.
struct Blocked : SiteCluster {
  Blocked() {
    REQUIRE(create(kPages, "default", R"({"metadata":{"name":"boss"}})"));
    const std::string boss(get(kPages, kBoss).root().at({"metadata", "uid"}).string().value());
    REQUIRE(create(kPages, "default",
                   R"({"metadata":{"name":"home","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap",)"
                   R"("name":"boss","controller":true,"uid":")" +
                       boss + R"("}]},"data":{"title":"not owned"}})"));
    REQUIRE(create(kSites, "default", home("hello")));
    REQUIRE(eventually_is("Stalled", "True", "NotOwned"));
    pass(30min);
    REQUIRE(title() == "not owned");
  }
  bool heals_within(async::Duration limit) {
    const bool is_applied = eventually([&] { return title() == "hello"; }, limit);
    return is_applied && eventually_is("Ready", "True", "Published");
  }
  const kube::Key kBoss{"default", "boss"};
};

TEST_CASE("the child is created as soon as the object that has its name is deleted") {
  Blocked world;
  REQUIRE(world.remove(kPages, kHome));
  CHECK(world.heals_within(100ms));
}

TEST_CASE("the child is created as soon as the object that has its name is collected after its owner") {
  Blocked world;
  REQUIRE(world.remove(kPages, world.kBoss));
  REQUIRE(world.eventually([&] { return world.title() != "not owned"; }, 1min));
  CHECK(world.heals_within(100ms));
}

TEST_CASE("the child is created as soon as the object that has its name has lost its last finalizer") {
  Blocked world;
  REQUIRE(world.patch(kPages, kHome, R"({"metadata":{"finalizers":["example.com/slow"]}})"));
  REQUIRE(world.remove(kPages, kHome));
  REQUIRE(world.eventually_is("Reconciling", "True", "ChildDeleting"));

  REQUIRE(world.patch(kPages, kHome, R"({"metadata":{"finalizers":null}})"));

  CHECK(world.heals_within(100ms));
}

TEST_CASE("the child is corrected as soon as the object that has its name is handed over") {
  Blocked world;
  const std::string site(world.get(kSites, kHome).root().at({"metadata", "uid"}).string().value());
  REQUIRE(world.patch(kPages, kHome,
                      R"({"metadata":{"ownerReferences":[{"apiVersion":"web.example.com/v1","kind":"Site",)"
                      R"("name":"home","controller":true,"uid":")" +
                          site + R"("}]}})"));
  CHECK(world.heals_within(100ms));
}

TEST_CASE("another leader notices the end of the object that has a child's name as well") {
  Blocked world;
  world.crash_manager();
  REQUIRE(world.start_manager());
  world.pass(30min);

  REQUIRE(world.remove(kPages, kHome));

  CHECK(world.heals_within(100ms));
}

TEST_CASE("a problem is cleared from the status of a function that sets no readiness") {
  SiteCluster world;
  REQUIRE(world.create(kPages, "default", R"({"metadata":{"name":"home"}})"));
  REQUIRE(world.create(kSites, "default", home("quiet")));
  REQUIRE(world.eventually_is("Stalled", "True", "NotOwned"));

  REQUIRE(world.remove(kPages, kHome));

  REQUIRE(world.eventually([&] { return world.title() == "quiet"; }, 1h));
  world.pass(10s);
  const auto stored = world.get(kSites, kHome);
  CHECK(condition_of(stored.root(), "Stalled").is_absent());
  CHECK(condition_of(stored.root(), "Ready").is_absent());
}

TEST_CASE("a pass waits until a child that is being deleted is gone, and creates it again") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hello")));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
  REQUIRE(world.patch(kPages, kHome, R"({"metadata":{"finalizers":["example.com/slow"]}})"));
  const std::string before(world.get(kPages, kHome).root().at({"metadata", "uid"}).string().value());

  REQUIRE(world.remove(kPages, kHome));

  REQUIRE(world.eventually_is("Reconciling", "True", "ChildDeleting"));
  REQUIRE(world.patch(kPages, kHome, R"({"metadata":{"finalizers":null}})"));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
  CHECK(world.get(kPages, kHome).root().at({"metadata", "uid"}).string() != before);
}

TEST_CASE("an object that was read cannot be applied") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("copied")));

  REQUIRE(world.eventually_is("Stalled", "True", "Copied"));

  const auto stored = world.get(kSites, kHome);
  CHECK(condition_of(stored.root(), "Stalled").find("message").string() ==
        "apply ConfigMap: the object was read from the API server; build a new one with the fields to set");
  world.pass(1h);
  CHECK(world.writes(kPages, "", 201) + world.writes(kPages, "", 200) == 1);
}

TEST_CASE("a condition that the kind lists is written next to Ready") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("announced")));

  CHECK(world.eventually_is("Announced", "True", "Sent"));
  CHECK(world.eventually_is("Ready", "True", "Published"));
}

struct LooseStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, LooseStatus& status) { d.field("conditions", status.conditions, "Not a map."); }
struct Loose : CustomResource<SiteSpec, LooseStatus> {
  static constexpr kube::Identity kIdentity{"web.example.com", "v1", "Loose"};
};

TEST_CASE("a list of conditions that is not a map is rejected when the program starts") {
  CHECK_THROWS_WITH(controller::kind_of<Loose>(),
                    R"(kind Loose: add .list_map({"type"}) to the field "conditions" of its status)");
}

TEST_CASE("a pass that fails is retried, and its status is written once, without an observedGeneration") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("broken")));
  REQUIRE(world.eventually([&] { return world.title() == "broken"; }));

  world.pass(1h);

  CHECK(world.writes(kSites, "status", 200) == 1);
  const auto stored = world.get(kSites, kHome);
  CHECK(stored.root().at({"status", "pages"}).integer() == 1);
  CHECK(stored.root().at({"status", "observedGeneration"}).integer() != 1);
  REQUIRE(world.patch(kSites, kHome, R"({"spec":{"title":"hello"}})"));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
}

TEST_CASE("conditions of other controllers stay and cause no writes") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("hello")));
  REQUIRE(world.eventually_is("Ready", "True", "Published"));
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    const auto added = co_await kube::patch(
        world.server.client("auditor"), kSites, kHome, kube::PatchType::kJson,
        R"([{"op":"add","path":"/status/conditions/-","value":{"type":"Audited","status":"True","reason":"Seen",)"
        R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}}])",
        "status");
    CHECK(added.has_value());
  });

  world.pass(1h);
  CHECK(world.writes(kSites, "status", 200) == 1);
  REQUIRE(world.patch(kSites, kHome, R"({"spec":{"title":"draft"}})"));

  REQUIRE(world.eventually_is("Reconciling", "True", "Draft"));
  const auto stored = world.get(kSites, kHome);
  CHECK(condition_of(stored.root(), "Audited").find("status").string() == "True");
}

TEST_CASE("a progressing status is written within a second") {
  SiteCluster world;
  REQUIRE(world.create(kSites, "default", home("draft")));

  REQUIRE(world.eventually_is("Reconciling", "True", "Draft"));

  const auto stored = world.get(kSites, kHome);
  CHECK(condition_of(stored.root(), "Ready").find("status").string() == "False");
}

// Its entry in a list of another namespace, which garbage collection leaves alone.
struct Listed : CustomResource<SiteSpec, SiteStatus> {
  static constexpr kube::Identity kIdentity{"web.example.com", "v1", "Listed", "listeds"};
};

ConfigMap entry_of(const Listed& listed) { return {.metadata = {.name = listed.name(), .ns = "lists"}}; }

Reconciled enter(const Listed& listed, Pass<Listed>& pass) {
  const auto created = co_await kube::create(pass.client, entry_of(listed));
  if (!created && !kube::is_already_exists(created.error())) co_return created.error();
  pass.ready("Entered", "It is in the list.");
  co_return done();
}

Reconciled leave(const Listed& listed, Pass<Listed>& pass) {
  pass.reconciling("Leaving", "It is taken out of the list.");
  if (listed.spec.title == "locked") co_return requeue_after(10s);
  const auto removed = co_await kube::remove<ConfigMap>(pass.client, kube::key_of(entry_of(listed)));
  if (!removed && !kube::is_not_found(removed.error())) co_return removed.error();
  co_return done();
}

controller::Definition listed() {
  return controller_for<Listed>(enter, Finalizer<Listed>{"web.example.com/list", leave})
      .rbac({"", "configmaps", {"create", "delete"}});
}

TEST_CASE("an object with a finalizer is gone after its function has cleaned up, and not before") {
  sandbox::SimulatedCluster cluster(listed());
  const auto kind = kube::resource_of<Listed>();
  const kube::Key entry("lists", "home");
  REQUIRE(cluster.create(kube::resource_of<core::v1::Namespace>(), "", R"({"metadata":{"name":"lists"}})"));
  REQUIRE(cluster.start_manager());
  REQUIRE(
      cluster.create(kind, "default",
                     "apiVersion: web.example.com/v1\nkind: Listed\nmetadata: {name: home}\nspec: {title: locked}\n"));
  REQUIRE(cluster.eventually([&] { return !cluster.get(kPages, entry).root().is_null(); }));
  CHECK(cluster.get(kind, kHome).root().at({"metadata", "finalizers"}).text() == R"(["web.example.com/list"])");

  REQUIRE(cluster.remove(kind, kHome));
  cluster.pass(1min);
  const auto leaving = cluster.get(kind, kHome);
  CHECK(condition_of(leaving.root(), "Reconciling").find("reason").string() == "Leaving");
  CHECK_FALSE(cluster.get(kPages, entry).root().is_null());
  cluster.crash_manager();
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.patch(kind, kHome, R"({"spec":{"title":"open"}})"));

  REQUIRE(cluster.eventually([&] { return cluster.get(kind, kHome).root().is_null(); }));
  CHECK(cluster.get(kPages, entry).root().is_null());
  CHECK(cluster.problems().empty());
}

TEST_CASE("owning a kind implies the rules that applying its objects needs") {
  const auto rules = controller::manager_rules({site()});

  const controller::PolicyRule pages{{""}, {"configmaps"}, {"create", "delete", "list", "patch", "watch"}};
  CHECK(std::ranges::find(rules, pages) != rules.end());
}

TEST_CASE("the kind is described by its names and its structs") {
  const auto definition = site();

  CHECK(definition.name() == "site");
  CHECK(definition.resource() == kube::Resource("web.example.com", "v1", "Site", "sites"));
  CHECK(definition.parts().kinds.front().singular == "site");
  CHECK(definition.parts().kinds.front().description == "Site is the Schema for the sites API.");
  CHECK(definition.parts().kinds.front().spec_schema == kube::schema_of<SiteSpec>());
}

}  // namespace
}  // namespace keelson
