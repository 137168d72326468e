// Controllers of kinds that exist without the operator: kinds of Kubernetes and of another program.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/resource_quota.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Namespace;
using core::v1::ResourceQuota;

const auto kNamespaces = kube::resource_of<Namespace>();
const auto kQuotas = kube::resource_of<ResourceQuota>();
const kube::Key kTeam("", "team");
const kube::Key kQuota("team", "default");

// Each namespace gets a label and a quota.
Reconciled reconcile(const Namespace& ns, Pass<Namespace>& pass) {
  auto labelled = ns;
  labelled.metadata.labels["team.example.com/managed"] = "true";
  KEELSON_CO_TRY(co_await kube::patch(pass.client, ns, labelled));
  const ResourceQuota quota{.metadata = {.name = "default", .ns = ns.metadata.name},
                            .spec = {.hard = {{"pods", *kube::Quantity::parse("10")}}}};
  KEELSON_CO_TRY(co_await pass.apply(quota));
  co_return done();
}

controller::Definition team() {
  return controller_for<Namespace>(reconcile)
      .selects({.labels = "team"_selector})
      .owns<ResourceQuota>()
      .rbac({"", "namespaces", {"patch"}});
}

struct TeamCluster : sandbox::SimulatedCluster {
  TeamCluster() : SimulatedCluster(team()) { REQUIRE(start_manager()); }

  void add_namespace(const std::string& name, const std::string& label) {
    REQUIRE(create(kNamespaces, "",
                   "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {" + label + ": a}}\n"));
  }
  bool is_managed(const std::string& name) {
    return get(kNamespaces, {"", name}).root().at({"metadata", "labels", "team.example.com/managed"}).string() ==
           "true";
  }
};

bool has_event(const sandbox::SimulatedCluster& world, std::string_view text) {
  const auto events = world.server.objects(kube::events());
  return std::ranges::any_of(
      events, [&](const kube::Object& event) { return event.json().find(text) != std::string_view::npos; });
}

TEST_CASE("a controller of Namespaces labels them and owns objects in them") {
  TeamCluster world;
  world.add_namespace("team", "team");

  REQUIRE(world.eventually([&] { return world.is_managed("team") && !world.get(kQuotas, kQuota).root().is_null(); }));

  const auto quota = world.get(kQuotas, kQuota);
  const auto owner = quota.root().at({"metadata", "ownerReferences"}).item(0);
  CHECK(owner.find("kind").string() == "Namespace");
  CHECK(owner.find("name").string() == "team");
  REQUIRE(world.patch(kQuotas, kQuota, "spec: {hard: {pods: 99}}"));
  CHECK(world.eventually([&] {
    return world.get(kQuotas, kQuota).root().at({"spec", "hard", "pods"}).string() == "10";
  }));
  const auto writes = world.writes(kNamespaces, "", 200);
  world.pass(1h);
  CHECK(world.writes(kNamespaces, "", 200) == writes);
}

TEST_CASE("an object of an existing kind that the controller does not select is left alone") {
  TeamCluster world;
  world.add_namespace("other", "unrelated");

  world.pass(1min);

  CHECK_FALSE(world.is_managed("other"));
  CHECK(world.get(kQuotas, {"other", "default"}).root().is_null());
}

TEST_CASE("a child that is not owned is an Event of an object of an existing kind, and its status is left alone") {
  TeamCluster world;
  REQUIRE(world.create(kNamespaces, "", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}"));
  REQUIRE(world.create(kQuotas, "team", "{apiVersion: v1, kind: ResourceQuota, metadata: {name: default}}"));
  REQUIRE(world.patch(kNamespaces, kTeam, "metadata: {labels: {team: a}}"));

  REQUIRE(world.eventually([&] { return has_event(world, "NotOwned"); }));

  CHECK_FALSE(world.get(kQuotas, kQuota).root().at({"spec", "hard"}).has_value());
  CHECK(world.writes(kNamespaces, "status", 200) == 0);
}

TEST_CASE("the role of a controller of an existing kind has no status and no CRD") {
  const auto definition = team();

  CHECK(definition.parts().kinds.empty());
  CHECK(definition.resource() == kNamespaces);
  const std::vector<controller::PolicyRule> expected = {
      {{""}, {"events"}, {"create", "patch"}},
      {{""}, {"namespaces"}, {"list", "patch", "watch"}},
      {{""}, {"namespaces/finalizers"}, {"update"}},
      {{""}, {"resourcequotas"}, {"create", "delete", "list", "patch", "watch"}},
  };
  for (const auto& rule : expected) {
    INFO(rule.resources.front());
    const auto rules = controller::manager_rules({definition});
    CHECK(std::ranges::any_of(rules, [&](const auto& granted) {
      return granted.verbs == rule.verbs &&
             std::ranges::find(granted.resources, rule.resources.front()) != granted.resources.end();
    }));
  }
}

// The number of ConfigMaps with a label that names the namespace.
Reconciled count_notes(const Namespace& ns, Pass<Namespace>& pass) {
  KEELSON_CO_LET(const auto notes, pass.by_index<ConfigMap>("about", ns.metadata.name));
  // Events of the same reason are a single series, with any notes.
  pass.event(notes.empty() ? "NoNotes" : "HasNotes", std::to_string(notes.size()) + " notes");
  co_return done();
}

std::vector<std::string> about(const kube::Object& note) { return {std::string(note.label("about").value_or(""))}; }

TEST_CASE("map_by_label maps to objects that the controller selects by labels") {
  sandbox::SimulatedCluster world(
      controller_for<Namespace>(count_notes)
          .selects({.labels = "team"_selector})
          .watches<ConfigMap>(controller::map_by_label(kNamespaces, "about"), {.indexes = {{"about", about}}}));
  REQUIRE(world.start_manager());
  REQUIRE(
      world.create(kNamespaces, "", "{apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {team: a}}}"));
  REQUIRE(world.eventually([&] { return has_event(world, "NoNotes"); }));

  REQUIRE(world.create(kube::resource_of<ConfigMap>(), "default",
                       "{apiVersion: v1, kind: ConfigMap, metadata: {name: note, labels: {about: team}}}"));

  CHECK(world.eventually([&] { return has_event(world, "HasNotes"); }));
}

Reconciled without_namespace(const Namespace&, Pass<Namespace>& pass) {
  const auto applied = co_await pass.apply(ResourceQuota{.metadata = {.name = "default"}});
  if (!applied) pass.event("Rejected", applied.error().text);
  co_return done();
}

TEST_CASE("a child of a cluster-scoped object needs a namespace, and the Error names it") {
  sandbox::SimulatedCluster world(controller_for<Namespace>(without_namespace).owns<ResourceQuota>());
  REQUIRE(world.start_manager());

  REQUIRE(world.eventually([&] {
    return has_event(world, "apply ResourceQuota default: set its namespace (metadata.ns): Namespaces have none");
  }));
}

// The part of a kind of another program that this operator reads; the other program has its CRD.
struct TicketSpec {
  std::string title;
};
void describe(kube::Description& d, TicketSpec& spec) { d.field("title", spec.title, "What is to be done."); }

struct Ticket {
  static constexpr kube::Identity kIdentity{"desk.example.org", "v1", "Ticket"};
  meta::v1::ObjectMeta metadata;
  TicketSpec spec;
};
void describe(kube::Description& d, Ticket& ticket) {
  d.field("metadata", ticket.metadata, "");
  d.field("spec", ticket.spec, "");
}

struct InstalledTicket : CustomResource<TicketSpec> {
  static constexpr kube::Identity kIdentity = Ticket::kIdentity;
};

Reconciled copy_title(const Ticket& ticket, Pass<Ticket>& pass) {
  const ConfigMap copy{.metadata = {.name = ticket.metadata.name}, .data = {{"title", ticket.spec.title}}};
  KEELSON_CO_TRY(co_await pass.apply(copy));
  co_return done();
}

TEST_CASE("a controller of another program's kind owns children, and a finalizer cleans up") {
  static bool is_cleaned_up;
  is_cleaned_up = false;
  const Finalizer<Ticket> finalizer{"desk.example.org/archive", [](const Ticket&, Pass<Ticket>&) -> Reconciled {
                                      is_cleaned_up = true;
                                      co_return done();
                                    }};
  sandbox::SimulatedCluster world(controller_for<Ticket>(copy_title, finalizer).owns<ConfigMap>());
  world.server.serve(controller::kind_of<InstalledTicket>());
  REQUIRE(world.start_manager());
  const auto tickets = kube::resource_of<Ticket>();
  const kube::Key key("default", "leak");
  REQUIRE(world.create(tickets, "default",
                       "{apiVersion: desk.example.org/v1, kind: Ticket, metadata: {name: leak}, spec: {title: Drip}}"));
  REQUIRE(world.eventually([&] {
    return world.get(kube::resource_of<ConfigMap>(), key).root().at({"data", "title"}).string() == "Drip";
  }));

  REQUIRE(world.remove(tickets, key));

  CHECK(world.eventually([&] { return world.get(tickets, key).root().is_null(); }));
  CHECK(is_cleaned_up);
}

}  // namespace
}  // namespace keelson
