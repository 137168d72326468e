#include "src/kinds/bluegreen/bluegreen_status.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/conditions.hpp"

namespace keelson::kinds {
namespace {

using namespace std::chrono_literals;
using testing::condition_text;

constexpr async::WallTime kNoon{async::WallTime::duration(12h)};

ColorFacts serving(int replicas = 1) {
  ColorFacts color;
  color.has_spec = color.is_kept = true;
  color.rollout.emplace();
  color.rollout->replicas = color.rollout->ready_replicas = replicas;
  return color;
}

ColorFacts rolling(int ready) {
  auto color = serving(ready);
  color.rollout->replicas = 2;
  color.rollout->waits_for = std::to_string(ready) + " of 2 updated replicas are available";
  return color;
}

ColorFacts without_spec(ColorFacts color) {
  color.has_spec = color.is_kept = false;
  return color;
}

ColorFacts failed(ColorFacts color) {
  color.rollout->waits_for = "0 of 1 updated replicas are available";
  color.rollout->failure = "exceeded quota";
  color.rollout->problem = {"QuotaExceeded", "exceeded quota."};
  return color;
}

// Its pods are ready for a moment between two crashes.
ColorFacts crashing() {
  auto color = serving();
  color.rollout->problem = {"CrashLoopBackOff", "Pod x crashes."};
  return color;
}

BlueGreenFacts facts_of(std::string route_to, std::string selected, ColorFacts blue, ColorFacts green) {
  BlueGreenFacts facts;
  facts.generation = 2;
  facts.route_to = std::move(route_to);
  facts.selected = std::move(selected);
  facts.blue = std::move(blue);
  facts.green = std::move(green);
  return facts;
}

TEST_CASE("the conditions of a BlueGreen follow from the observed state") {
  struct Row {
    std::string what;
    BlueGreenFacts facts;
    std::string ready, available, progressing, switched, reconciling, stalled;
  };
  auto foreign = facts_of("Blue", "", serving(), serving());
  foreign.problem = {true, "NotOwned", "Service default/demo exists and is not controlled by this BlueGreen."};
  auto rejected = facts_of("Green", "Blue", serving(), rolling(0));
  rejected.problem = {true, "UpdateFailed", "Deployment default/demogreen-deployment: exceeded quota"};
  const ColorFacts none;
  const std::vector<Row> table{
      {"both serve", facts_of("Blue", "Blue", serving(), serving()), "True Serving", "True PodsReady", "False Complete",
       "True Switched", "-", "-"},
      {"one color is enough", facts_of("Blue", "Blue", serving(), none), "True Serving", "True PodsReady",
       "False Complete", "True Switched", "-", "-"},
      {"the other color rolls out", facts_of("Blue", "Blue", serving(), rolling(0)), "True Serving", "True PodsReady",
       "True RollingOut", "True Switched", "True RollingOut", "-"},
      {"the other color fails", facts_of("Blue", "Blue", serving(), failed(serving())), "True Serving",
       "True PodsReady", "False Stopped", "True Switched", "-", "-"},
      {"the serving color rolls out", facts_of("Blue", "Blue", rolling(1), serving()), "False NotReady",
       "True PodsReady", "True RollingOut", "True Switched", "True RollingOut", "-"},
      {"the serving color fails", facts_of("Blue", "Blue", failed(serving()), serving()), "False QuotaExceeded",
       "True PodsReady", "False Stopped", "True Switched", "-", "True QuotaExceeded"},
      {"the serving color crashes", facts_of("Blue", "Blue", crashing(), serving()), "False CrashLoopBackOff",
       "True PodsReady", "False Complete", "True Switched", "-", "-"},
      {"the other color crashes", facts_of("Blue", "Blue", serving(), crashing()), "True Serving", "True PodsReady",
       "False Complete", "True Switched", "-", "-"},
      {"traffic waits for a color that crashes", facts_of("Green", "Blue", serving(), crashing()),
       "False CrashLoopBackOff", "True PodsReady", "True RollingOut", "False WaitingForRollout", "True RollingOut",
       "-"},
      {"the serving color is scaled to zero", facts_of("Blue", "Blue", serving(0), serving()), "False NotReady",
       "False NoPodReady", "False Complete", "True Switched", "-", "-"},
      {"traffic waits", facts_of("Green", "Blue", serving(), rolling(1)), "False WaitingForRollout", "True PodsReady",
       "True RollingOut", "False WaitingForRollout", "True RollingOut", "-"},
      {"traffic waits for a color that fails", facts_of("Green", "Blue", serving(), failed(serving())),
       "False QuotaExceeded", "True PodsReady", "False Stopped", "False QuotaExceeded", "-", "True QuotaExceeded"},
      {"the color of routeTo has no spec", facts_of("Blue", "Blue", without_spec(serving()), none), "False SpecMissing",
       "True PodsReady", "False Stopped", "True Switched", "-", "True SpecMissing"},
      {"the Service is not owned", foreign, "False NotOwned", "False NoService", "False Stopped", "False NotOwned", "-",
       "True NotOwned"},
      {"a Deployment is rejected", rejected, "False UpdateFailed", "True PodsReady", "False Stopped",
       "False UpdateFailed", "-", "True UpdateFailed"},
      {"no child exists yet", facts_of("Blue", "", none, none), "False SpecMissing", "False NoService", "False Stopped",
       "False SpecMissing", "-", "True SpecMissing"},
      {"the Service is being deleted", facts_of("Blue", "", serving(), serving()), "False NoService", "False NoService",
       "True RollingOut", "False NoService", "True RollingOut", "-"},
  };

  for (const auto& row : table) {
    auto status = compute_bluegreen_status({}, row.facts, kNoon);

    INFO(row.what);
    CHECK(condition_text(status, "Ready") == row.ready);
    CHECK(condition_text(status, "Available") == row.available);
    CHECK(condition_text(status, "Progressing") == row.progressing);
    CHECK(condition_text(status, "TrafficSwitched") == row.switched);
    CHECK(condition_text(status, "Reconciling") == row.reconciling);
    CHECK(condition_text(status, "Stalled") == row.stalled);
    CHECK(status.route_to == row.facts.selected);
    CHECK(status.observed_generation == 2);
  }
}

TEST_CASE("Degraded has the problem of the color that has traffic or will have it, and then that of the other one") {
  const auto degraded = [](const BlueGreenFacts& facts) {
    return *kube::find_condition(compute_bluegreen_status({}, facts, kNoon).conditions, "Degraded");
  };
  const auto idle = degraded(facts_of("Blue", "Blue", serving(), crashing()));
  CHECK(idle.status == "True");
  CHECK(idle.message == "Green: Pod x crashes. It has no traffic.");
  CHECK(degraded(facts_of("Blue", "Blue", serving(), failed(serving()))).reason == "QuotaExceeded");
  CHECK(degraded(facts_of("Blue", "Blue", crashing(), serving())).reason == "CrashLoopBackOff");
  CHECK(degraded(facts_of("Blue", "Blue", crashing(), serving())).message == "Blue: Pod x crashes.");
  CHECK(degraded(facts_of("Green", "Blue", crashing(), serving())).message == "Blue: Pod x crashes.");
  CHECK(degraded(facts_of("Green", "Blue", crashing(), failed(serving()))).message == "Green: exceeded quota.");
  CHECK(degraded(facts_of("Blue", "Blue", without_spec(serving()), serving())).reason == "SpecMissing");
}

TEST_CASE("Degraded does not claim that nothing is wrong while a color has pods that are not ready") {
  const auto message = [](const BlueGreenFacts& facts) {
    return kube::find_condition(compute_bluegreen_status({}, facts, kNoon).conditions, "Degraded")->message;
  };
  CHECK(message(facts_of("Blue", "Blue", serving(), serving())) == "Nothing is wrong.");
  for (const auto& facts :
       {facts_of("Blue", "Blue", serving(), rolling(0)), facts_of("Blue", "Blue", rolling(0), serving()),
        facts_of("Green", "Blue", serving(), rolling(1)), facts_of("Blue", "Blue", serving(0), serving())}) {
    CHECK(message(facts).starts_with("Blue: "));
    CHECK(message(facts).find("; Green: ") != std::string::npos);
  }
}

TEST_CASE("a condition message has the reason why traffic waits, and the Deployment that is retained meanwhile") {
  auto facts = facts_of("Green", "Blue", without_spec(serving()), rolling(1));

  auto status = compute_bluegreen_status({}, facts, kNoon);

  CHECK(kube::find_condition(status.conditions, "TrafficSwitched")->message ==
        "The Service selects Blue until Green can serve (Green: 1 of 2 updated replicas are available). "
        "The Deployment of Blue is retained until then.");
}

TEST_CASE("the ready replicas of a color without a Deployment are absent") {
  auto status = compute_bluegreen_status({}, facts_of("Blue", "Blue", serving(3), {}), kNoon);

  REQUIRE(status.blue);
  CHECK(status.blue->ready_replicas == 3);
  CHECK_FALSE(status.green);
}

TEST_CASE("a color can serve when its newest spec is rolled out and at least one pod is ready") {
  auto unkept = serving();
  unkept.is_kept = false;

  CHECK(serving(1).can_serve());
  CHECK_FALSE(serving(0).can_serve());
  CHECK_FALSE(rolling(2).can_serve());
  CHECK_FALSE(unkept.can_serve());
  CHECK_FALSE(crashing().can_serve());
  CHECK_FALSE(ColorFacts{}.can_serve());
}

TEST_CASE("progress is coalesced, and changes, problems and the final state are written immediately") {
  struct Row {
    std::string what;
    BlueGreenFacts before, after;
    bool urgent;
  };
  auto rolls = facts_of("Blue", "Blue", serving(), rolling(0));
  auto newer = rolls;
  newer.generation = 3;
  auto worse = rolls;
  worse.problem = {true, "UpdateFailed", "used 1"};
  auto worded = worse;
  worded.problem->message = "used 2";
  auto waits = facts_of("Green", "Blue", serving(), rolling(0));
  const std::vector<Row> table{
      {"another pod is ready", rolls, facts_of("Blue", "Blue", serving(), rolling(1)), false},
      {"a new generation", rolls, newer, true},
      {"it stalls", rolls, worse, true},
      {"its pods begin to crash", facts_of("Blue", "Blue", serving(), serving()),
       facts_of("Blue", "Blue", crashing(), serving()), true},
      {"only a message differs", worse, worded, false},
      {"the last pod of the serving color is gone", rolls, facts_of("Blue", "Blue", rolling(0), rolling(0)), true},
      {"traffic begins to wait", rolls, waits, true},
      {"it still waits", waits, facts_of("Green", "Blue", serving(), rolling(1)), false},
      {"traffic has switched", waits, facts_of("Green", "Green", rolling(1), serving()), true},
      {"the rollout is complete", rolls, facts_of("Blue", "Blue", serving(), serving()), true},
  };

  for (const auto& row : table) {
    auto before = compute_bluegreen_status({}, row.before, kNoon);
    auto after = compute_bluegreen_status(before, row.after, kNoon + 1s);

    INFO(row.what);
    CHECK(before != after);
    CHECK(is_urgent(before, after) == row.urgent);
  }
}

TEST_CASE("a wait and its end each have a single Event, and a switch without a wait has none") {
  auto blue = compute_bluegreen_status({}, facts_of("Blue", "Blue", serving(), serving()), kNoon);
  auto waits = compute_bluegreen_status(blue, facts_of("Green", "Blue", serving(), rolling(0)), kNoon);
  auto waits_on = compute_bluegreen_status(waits, facts_of("Green", "Blue", serving(), rolling(1)), kNoon);
  auto green = compute_bluegreen_status(waits_on, facts_of("Green", "Green", serving(), serving()), kNoon);

  auto begins = news(blue, waits);
  auto ends = news(waits_on, green);

  REQUIRE(begins);
  CHECK(begins->reason == "WaitingForRollout");
  CHECK(begins->message ==
        "Traffic stays with Blue until the rollout of Green is complete and its pods are available.");
  REQUIRE(ends);
  CHECK(ends->reason == "TrafficSwitched");
  CHECK(ends->message == "Traffic goes to Green now.");
  CHECK_FALSE(news({}, blue));
  CHECK_FALSE(news(waits, waits_on));
  CHECK_FALSE(news(blue, green));
  CHECK_FALSE(news(waits, blue));
}

TEST_CASE("the end of a wait has an Event despite problems in between, and only when traffic has switched") {
  auto waits = compute_bluegreen_status({}, facts_of("Green", "Blue", serving(), rolling(0)), kNoon);
  auto stuck = compute_bluegreen_status(waits, facts_of("Green", "Blue", serving(), failed(serving())), kNoon);
  auto green = compute_bluegreen_status(stuck, facts_of("Green", "Green", serving(), serving()), kNoon);
  auto back = compute_bluegreen_status(stuck, facts_of("Blue", "Blue", serving(), serving()), kNoon);
  auto none = compute_bluegreen_status({}, facts_of("Blue", "", serving(), serving()), kNoon);

  auto ends = news(stuck, green);

  REQUIRE(ends);
  CHECK(ends->reason == "TrafficSwitched");
  CHECK_FALSE(news(stuck, back));
  CHECK_FALSE(news(none, back));
}

TEST_CASE("B4: the status retains the last color while there is no Service") {
  auto blue = compute_bluegreen_status({}, facts_of("Blue", "Blue", serving(), serving()), kNoon);

  auto gone = compute_bluegreen_status(blue, facts_of("Green", "", serving(), rolling(0)), kNoon);

  CHECK(gone.route_to == "Blue");
  CHECK(condition_text(gone, "Available") == "False NoService");
  CHECK(condition_text(gone, "TrafficSwitched") == "False NoService");
}

TEST_CASE("a routeTo that is not a color is reported, also if it is empty and there is no Service") {
  for (const std::string route_to : {"Purple", ""}) {
    auto status = compute_bluegreen_status({}, facts_of(route_to, "", serving(), serving()), kNoon);

    CHECK(condition_text(status, "Stalled") == "True UnknownColor");
    CHECK(condition_text(status, "TrafficSwitched") == "False UnknownColor");
    CHECK(condition_text(status, "Ready") == "False UnknownColor");
    CHECK(kube::find_condition(status.conditions, "Stalled")->message ==
          "routeTo is \"" + route_to + "\", but must be Blue or Green; the Service is not changed.");
  }
}

TEST_CASE("a spec that is not applied is not ready, although the earlier pods are ready") {
  auto unkept = serving();
  unkept.is_kept = false;

  auto status = compute_bluegreen_status({}, facts_of("Blue", "Blue", serving(), unkept), kNoon);

  CHECK(condition_text(status, "Progressing") == "True RollingOut");
  CHECK(kube::find_condition(status.conditions, "Progressing")->message ==
        "Blue: 1 of 1 replicas are ready; Green: 1 of 1 replicas are ready, but not of this spec.");
}

TEST_CASE("a status is equal after encoding and decoding") {
  auto facts = facts_of("Green", "Blue", serving(), rolling(1));
  auto status = compute_bluegreen_status({}, facts, kNoon + 300ms);

  auto document = json::Document::parse(kube::encode(status));
  REQUIRE(document.has_value());
  auto decoded = kube::decode<BlueGreenStatus>(document->root());

  REQUIRE(decoded.has_value());
  CHECK(*decoded == status);
  CHECK(compute_bluegreen_status(*decoded, facts, kNoon + 90s) == status);
}

}  // namespace
}  // namespace keelson::kinds
