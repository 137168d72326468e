#include "src/reference/kind_page.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/schema/workload_schema.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/describe.hpp"

using namespace keelson;

namespace {

struct BoatSpec {
  kube::RawJson crew;
};
void describe(kube::Description& d, BoatSpec& spec) {
  d.field("crew", spec.crew, "Who rows.").required().schema(kube::pod_spec_schema());
}

struct BoatStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, BoatStatus& status) {
  d.field("conditions", status.conditions, "Ready: it floats.").list_map({"type"});
}

kube::Kind boat() {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Boat", "boats"};
  kind.singular = "boat";
  kind.short_names = {"bt"};
  kind.description = "Boat is the Schema for the boats API.";
  kind.columns = {{"Last-Seen", "date", ".status.lastSeen"}};
  kind.rules = {{"size(self.metadata.name) <= 9", "must be short", ".metadata.name"}};
  kind.has_scale = true;
  kind.scale = {".spec.oars", ".status.oars", ".status.selector"};
  kind.spec_schema = kube::schema_of<BoatSpec>();
  kind.status_schema = kube::schema_of<BoatStatus>();
  kind.sample = "kind: Boat\n";
  return kind;
}

bool has(const std::string& page, std::string_view part) {
  INFO("looking for " << part << " in:\n" << page);
  CHECK(page.find(part) != std::string::npos);
  return page.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the page of a kind has its names for kubectl and its API group") {
  const auto page = reference::kind_page(boat(), controller::define(boat()), "See [boats](../boat.md).");

  has(page, "# Boat\n");
  has(page, "See [boats](../boat.md).\n");
  has(page, "| apiVersion | `sea.example.com/v1` |\n");
  has(page, "| names for kubectl | `boats`, `boat`, `bt` |\n");
  has(page, "| scope | namespaced |\n");
  has(page, "`scale` (replicas `spec.oars`, in the status `status.oars`, selector `status.selector`)");
  has(page, "| webhooks | none |\n");
  has(page, "| controller | `--controllers=boat` |\n");
}

TEST_CASE("embedded types of Kubernetes are links") {
  const auto page = reference::kind_page(boat(), controller::define(boat()));

  has(page, "| `spec.crew` | [PodSpec](https://kubernetes.io/");
  has(page, "| `status.conditions` | list of [Condition](condition.md) | one for each `type` |");
  CHECK(page.find("spec.crew.containers") == std::string::npos);
}

TEST_CASE("the page of conditions, to which other pages link, has the fields of a condition") {
  has(reference::condition_page(), "| `conditions[].status` | string | required; one of `True`, `False`, `Unknown` |");
}

TEST_CASE("rules, columns and the sample have sections") {
  const auto page = reference::kind_page(boat(), controller::define(boat()));

  has(page, "| `metadata.name` | `size(self.metadata.name) <= 9` | must be short |\n");
  has(page, "| `LAST-SEEN` | date | `status.lastSeen` |\n");
  has(page, "## Sample\n\n```yaml\nkind: Boat\n```\n");
}

TEST_CASE("a kind that declares no columns shows its age") {
  auto kind = boat();
  kind.columns.clear();

  has(reference::kind_page(kind, controller::define(kind)), "| `AGE` | date | `metadata.creationTimestamp` |\n");
}
