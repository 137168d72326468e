// A cluster-scoped policy that selects by label: Pass::list with the LabelSelector of a spec, and Pass::apply_fields,
// which shares the fields of an object with other writers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/label_selector.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Namespace;

struct PolicySpec {
  std::optional<meta::v1::LabelSelector> selector;
  std::string ns;
  std::string label;  // of the Namespace `ns`
};
void describe(kube::Description& d, PolicySpec& spec) {
  d.field("selector", spec.selector, "Which ConfigMaps the policy counts.");
  d.field("namespace", spec.ns, "Where; everywhere if it is empty.");
  d.field("label", spec.label, "A label that the Namespace gets.");
}

struct PolicyStatus {
  std::vector<std::string> selected;
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, PolicyStatus& status) {
  d.field("selected", status.selected, "What is selected, sorted.");
  d.field("conditions", status.conditions, "Ready; Reconciling and Stalled while they hold.").list_map({"type"});
}

struct Policy : CustomResource<PolicySpec, PolicyStatus> {
  static constexpr kube::Identity kIdentity{"rules.example.com", "v1", "Policy", "policies", kube::Scope::kCluster};
};

Reconciled enforce(const Policy& policy, Pass<Policy>& pass) {
  const auto selector = kube::selector_of(policy.spec.selector);
  if (!selector) {
    pass.stalled("InvalidSelector", selector.error().text);
    co_return done();
  }
  KEELSON_CO_LET(const auto selected, pass.list<ConfigMap>(policy.spec.ns, *selector));
  pass.status().selected.clear();
  for (const auto& one : selected) pass.status().selected.push_back(kube::key_of(one).text());
  if (!policy.spec.label.empty()) {
    Namespace labelled{.metadata = {.name = policy.spec.ns, .labels = {{"tier", policy.spec.label}}}};
    kube::ApplyOptions options;
    options.field_manager = "policy-labels";
    KEELSON_CO_TRY(co_await pass.apply_fields(std::move(labelled), std::move(options)));
  }
  pass.ready("Enforced", "The policy is enforced.");
  co_return done();
}

std::vector<kube::Key> all_policies(const kube::Object&, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto policies = cache.find(kube::resource_of<Policy>());
  if (!policies) return keys;
  for (const auto& policy : (*policies)->list()) keys.push_back(policy.key());
  return keys;
}

controller::Definition policy() {
  return controller_for<Policy>(enforce).watches<ConfigMap>(all_policies).rbac({"", "namespaces", {"patch"}});
}

const auto kPolicies = kube::resource_of<Policy>();
const auto kConfigMaps = kube::resource_of<ConfigMap>();
const auto kNamespaces = kube::resource_of<Namespace>();
const kube::Key kStrict("", "strict");

struct PolicyCluster : sandbox::SimulatedCluster {
  explicit PolicyCluster(controller::Definition definition = policy(), sandbox::ClusterOptions options = {})
      : SimulatedCluster(std::move(definition), std::move(options)) {
    REQUIRE(start_manager());
    for (const auto* ns : {"a", "b"}) {
      REQUIRE(create(kNamespaces, "", R"({"metadata":{"name":")" + std::string(ns) + "\"}}"));
    }
  }
  void add(const std::string& ns, const std::string& name, const std::string& labels) {
    REQUIRE(create(kConfigMaps, ns, R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + "}}"));
  }
  void set(const std::string& spec) {
    if (get(kPolicies, kStrict).root().is_null()) {
      REQUIRE(create(kPolicies, "",
                     "apiVersion: rules.example.com/v1\nkind: Policy\nmetadata: {name: strict}\nspec: " + spec + "\n"));
    } else {
      REQUIRE(patch(kPolicies, kStrict, R"({"spec":null})"));
      REQUIRE(patch(kPolicies, kStrict, "spec: " + spec));
    }
    pass(5s);
  }
  std::string selected() {
    std::vector<std::string> names;
    const auto document = get(kPolicies, kStrict);
    for (const auto name : document.root().at({"status", "selected"}).items()) {
      names.emplace_back(name.string().value_or(""));
    }
    return base::join(names, " ");
  }
  std::string stalled() {
    const auto document = get(kPolicies, kStrict);
    for (const auto condition : document.root().at({"status", "conditions"}).items()) {
      if (condition.find("type").string() != "Stalled" || condition.find("status").string() != "True") continue;
      return std::string(condition.find("reason").string().value_or("")) + ": " +
             std::string(condition.find("message").string().value_or(""));
    }
    return {};
  }
};

TEST_CASE("list reads the objects of a namespace or of all, which a LabelSelector selects, in order") {
  PolicyCluster cluster;
  cluster.add("b", "z", R"({"tier":"web","team":"x"})");
  cluster.add("b", "a", R"({"tier":"web"})");
  cluster.add("a", "m", R"({"tier":"db"})");
  cluster.add("a", "none", "{}");
  struct Row {
    const char* spec;
    const char* selected;
  };
  const Row rows[] = {
      {"{}", ""},  // no selector: nothing
      {"{selector: {}}", "a/m a/none b/a b/z"},
      {"{selector: {}, namespace: b}", "b/a b/z"},
      {"{selector: {matchLabels: {tier: web}}}", "b/a b/z"},
      {"{selector: {matchLabels: {tier: web, team: x}}}", "b/z"},
      {"{selector: {matchExpressions: [{key: tier, operator: In, values: [web, db]}]}}", "a/m b/a b/z"},
      {"{selector: {matchExpressions: [{key: tier, operator: NotIn, values: [web]}]}}", "a/m a/none"},
      {"{selector: {matchExpressions: [{key: team, operator: Exists}]}}", "b/z"},
      {"{selector: {matchExpressions: [{key: team, operator: DoesNotExist}], matchLabels: {tier: web}}}", "b/a"},
  };
  for (const auto& row : rows) {
    INFO(row.spec);
    cluster.set(row.spec);
    CHECK(cluster.selected() == row.selected);
  }
  cluster.set("{selector: {matchLabels: {tier: web}}}");
  cluster.add("a", "late", R"({"tier":"web"})");
  CHECK(cluster.eventually([&] { return cluster.selected() == "a/late b/a b/z"; }));
}

TEST_CASE("a selector that the API server would reject stalls the policy with its text") {
  PolicyCluster cluster;

  cluster.set("{selector: {matchExpressions: [{key: tier, operator: In}]}}");

  CHECK(cluster.stalled() ==
        "InvalidSelector: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
}

TEST_CASE(
    "reading a kind that is not declared names all three declarations, and also_reads is one with its RBAC rule") {
  PolicyCluster undeclared(controller_for<Policy>(enforce), {.tolerates_problems = true});
  undeclared.set("{selector: {}}");
  CHECK(std::ranges::any_of(undeclared.sink.entries(), [](const auto& line) {
    return line.error.find(
               "controller policy reads configmaps and does not declare it: add .owns<…>(), "
               ".watches<…>(map) or .also_reads<…>() for it to the definition") != std::string::npos;
  }));

  auto definition = controller_for<Policy>(enforce).also_reads<ConfigMap>();
  const auto rules = controller::manager_rules({definition});
  const controller::PolicyRule reads{{""}, {"configmaps"}, {"list", "watch"}};
  CHECK(std::ranges::find(rules, reads) != rules.end());
  PolicyCluster cluster(std::move(definition));
  cluster.add("a", "m", "{}");
  cluster.set("{selector: {}}");
  CHECK(cluster.selected() == "a/m");
  cluster.add("a", "n", "{}");
  cluster.pass(1h);
  CHECK(cluster.selected() == "a/m");  // it starts no reconcile
}

TEST_CASE("fields are applied under the operator's own manager, and a conflict names field and manager until it ends") {
  PolicyCluster cluster;
  cluster.set("{namespace: a, label: gold}");
  const auto label = [&] {
    return std::string(
        cluster.get(kNamespaces, {"", "a"}).root().at({"metadata", "labels", "tier"}).string().value_or(""));
  };
  CHECK(label() == "gold");
  CHECK(cluster.get(kNamespaces, {"", "a"}).root().at({"metadata", "managedFields"}).text().find("policy-labels") !=
        std::string::npos);

  // A user sets the label of another Namespace first.
  REQUIRE(cluster.patch(kNamespaces, {"", "b"}, "metadata: {labels: {tier: silver}}"));
  cluster.set("{namespace: b, label: gold}");

  REQUIRE(cluster.eventually([&] { return !cluster.stalled().empty(); }));
  CHECK(cluster.stalled().find("ReconcileFailed: apply namespaces b: ") == 0);
  CHECK(cluster.stalled().find(".metadata.labels.tier: conflict with ") != std::string::npos);
  CHECK(cluster.stalled().find("The field manager \"policy-labels\" sets another value and does not force it: let only "
                               "one of them set the field") != std::string::npos);
  CHECK(std::ranges::any_of(cluster.sink.entries(), [](const auto& line) {
    return line.level == LogSink::Level::kError && line.error.find(".metadata.labels.tier") != std::string::npos;
  }));

  REQUIRE(cluster.patch(kNamespaces, {"", "b"}, "metadata: {labels: {tier: null}}"));
  CHECK(cluster.eventually([&] { return cluster.stalled().empty(); }, 30min));
}

}  // namespace
}  // namespace keelson
