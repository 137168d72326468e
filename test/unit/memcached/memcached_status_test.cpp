#include "src/controllers/memcached/memcached_status.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/describe.hpp"

namespace keelson::controllers {
namespace {

using namespace std::chrono_literals;

constexpr async::WallTime kNoon{async::WallTime::duration(12h)};

MemcachedFacts facts_of(int size, std::vector<std::string> nodes, int ready) {
  MemcachedFacts facts;
  facts.generation = 2;
  facts.size = size;
  facts.selector = "app=memcached,memcached_cr=x";
  facts.nodes = std::move(nodes);
  facts.ready_nodes = ready;
  facts.rolled_out = true;
  return facts;
}

std::string text(const MemcachedStatus& status, std::string_view type) {
  const auto* condition = kube::find_condition(status.conditions, type);
  return condition == nullptr ? "-" : condition->status + " " + condition->reason;
}

TEST_CASE("conditions follow what is seen") {
  struct Row {
    std::string what;
    MemcachedFacts facts;
    std::string ready, available, progressing, degraded, reconciling, stalled;
    bool turns_bad, settled;
  };
  auto foreign = facts_of(1, {}, 0);
  foreign.trouble = {true, "ForeignObject", "Deployment default/x exists and is not controlled by this Memcached."};
  auto failing = facts_of(1, {}, 0);
  failing.failure = "quota exceeded";
  auto refused = facts_of(1, {"a"}, 1);
  refused.trouble = {true, "UpdateFailed", "Deployment default/x: exceeded quota"};
  auto rolling = facts_of(1, {"a"}, 1);
  rolling.rolled_out = false;
  const std::vector<Row> table{
      {"all nodes ready", facts_of(2, {"a", "b"}, 2), "True AllNodesReady", "True NodesAvailable", "False Complete",
       "False AsExpected", "-", "-", false, true},
      {"none wanted", facts_of(0, {}, 0), "True AllNodesReady", "True NodesAvailable", "False Complete",
       "False AsExpected", "-", "-", false, true},
      {"some not ready", facts_of(2, {"a", "b"}, 1), "False NodesNotReady", "True NodesAvailable", "True RollingOut",
       "False AsExpected", "True RollingOut", "-", false, false},
      {"none there yet", facts_of(1, {}, 0), "False NodesNotReady", "False NoNodeReady", "True RollingOut",
       "False AsExpected", "True RollingOut", "-", false, false},
      {"an old node is left", facts_of(1, {"a", "b"}, 2), "False NodesNotReady", "True NodesAvailable",
       "True RollingOut", "False AsExpected", "True RollingOut", "-", false, false},
      {"a new template rolls out", rolling, "False NodesNotReady", "True NodesAvailable", "True RollingOut",
       "False AsExpected", "True RollingOut", "-", false, false},
      {"the name is someone else's", foreign, "False ForeignObject", "False NoNodeReady", "False Stopped",
       "True ForeignObject", "-", "True ForeignObject", true, false},
      {"the Deployment fails", failing, "False DeploymentFailed", "False NoNodeReady", "False Stopped",
       "True DeploymentFailed", "-", "True DeploymentFailed", true, false},
      {"an update is refused while the old node serves", refused, "False UpdateFailed", "True NodesAvailable",
       "False Complete", "True UpdateFailed", "-", "True UpdateFailed", true, false},
  };

  for (const auto& row : table) {
    auto verdict = judge_memcached({}, row.facts, kNoon);

    INFO(row.what);
    CHECK(text(verdict.status, "Ready") == row.ready);
    CHECK(text(verdict.status, "Available") == row.available);
    CHECK(text(verdict.status, "Progressing") == row.progressing);
    CHECK(text(verdict.status, "Degraded") == row.degraded);
    CHECK(text(verdict.status, "Reconciling") == row.reconciling);
    CHECK(text(verdict.status, "Stalled") == row.stalled);
    CHECK(verdict.turns_bad == row.turns_bad);
    CHECK(verdict.is_settled == row.settled);
  }
}

TEST_CASE("M16: no pods is an empty list, never null") {
  auto verdict = judge_memcached({}, facts_of(0, {}, 0), kNoon);

  auto json = kube::encode(verdict.status);

  CHECK(json.find(R"("nodes":[])") != std::string::npos);
}

TEST_CASE("M17: nodes are sorted, so that the order of a list changes nothing") {
  auto one = judge_memcached({}, facts_of(2, {"b", "a"}, 2), kNoon);
  auto other = judge_memcached(one.status, facts_of(2, {"a", "b"}, 2), kNoon + 5s);

  CHECK(one.status.nodes == std::vector<std::string>{"a", "b"});
  CHECK(one.status == other.status);
}

TEST_CASE("a status that went out over the wire and came back is the same") {
  auto verdict = judge_memcached({}, facts_of(2, {"a", "b"}, 1), kNoon + 300ms);

  auto document = json::Document::parse(kube::encode(verdict.status));
  REQUIRE(document.has_value());
  auto decoded = kube::decode<MemcachedStatus>(document->root());
  REQUIRE(decoded.has_value());
  auto again = judge_memcached(*decoded, facts_of(2, {"a", "b"}, 1), kNoon + 90s);

  CHECK(*decoded == verdict.status);
  CHECK(again.status == verdict.status);
}

TEST_CASE("conditions that no longer hold recover, and the transition time moves with the status alone") {
  auto foreign = facts_of(1, {}, 0);
  foreign.trouble = {true, "ForeignObject", "Service default/x exists and is not controlled by this Memcached."};
  auto bad = judge_memcached({}, foreign, kNoon);

  auto good = judge_memcached(bad.status, facts_of(1, {"a"}, 1), kNoon + 60s);
  auto later = judge_memcached(good.status, facts_of(1, {"a"}, 1), kNoon + 120s);

  CHECK(text(good.status, "Degraded") == "False AsExpected");
  CHECK(text(good.status, "Stalled") == "-");
  CHECK(kube::find_condition(good.status.conditions, "Degraded")->last_transition_time == kNoon + 60s);
  CHECK(good.status == later.status);
}

TEST_CASE("it turns bad once, however its words change, and again after it was well") {
  auto failing = facts_of(1, {}, 0);
  failing.failure = "quota exceeded: used 1";
  auto bad = judge_memcached({}, failing, kNoon);

  failing.failure = "quota exceeded: used 2";
  auto still_bad = judge_memcached(bad.status, failing, kNoon + 1s);
  auto good = judge_memcached(still_bad.status, facts_of(1, {"a"}, 1), kNoon + 2s);
  auto bad_again = judge_memcached(good.status, failing, kNoon + 3s);

  CHECK(bad.turns_bad);
  CHECK(still_bad.status != bad.status);
  CHECK_FALSE(still_bad.turns_bad);
  CHECK_FALSE(good.turns_bad);
  CHECK(bad_again.turns_bad);
}

TEST_CASE("a server's words that are longer than a condition may be are cut between characters") {
  auto failing = facts_of(1, {}, 0);
  failing.failure = std::string(32767, 'x') + "\u00fc and more";

  auto verdict = judge_memcached({}, failing, kNoon);

  const auto* degraded = kube::find_condition(verdict.status.conditions, "Degraded");
  REQUIRE(degraded != nullptr);
  CHECK(kube::validate(*degraded, "condition").empty());
  CHECK(degraded->message.starts_with("xxx"));
}

TEST_CASE("the status carries what the scale subresource reads") {
  auto verdict = judge_memcached({}, facts_of(3, {"a", "b"}, 1), kNoon);

  CHECK(verdict.status.replicas == 2);
  CHECK(verdict.status.ready_nodes == 1);
  CHECK(verdict.status.selector == "app=memcached,memcached_cr=x");
  CHECK(verdict.status.observed_generation == 2);
}

}  // namespace
}  // namespace keelson::controllers
