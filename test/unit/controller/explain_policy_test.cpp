#include "keelson/detail/controller/explain_policy.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "test/support/data_rows.hpp"
#include "test/support/files.hpp"

namespace keelson::controller {

namespace {

using namespace std::chrono_literals;
using Last = ExplainFacts::Last;

// The members of ExplainFacts that are texts.
constexpr std::pair<const char*, std::string ExplainFacts::*> kTexts[] = {
    {"unsynced", &ExplainFacts::unsynced},
    {"stale", &ExplainFacts::stale},
    {"pause", &ExplainFacts::pause},
    {"controller_pause", &ExplainFacts::controller_pause},
    {"child_pause", &ExplainFacts::child_pause},
    {"conflict", &ExplainFacts::conflict},
    {"stalled", &ExplainFacts::stalled},
    {"degraded", &ExplainFacts::degraded},
    {"not_ready", &ExplainFacts::not_ready},
    {"progressing", &ExplainFacts::progressing},
    {"busy", &ExplainFacts::busy},
    {"error", &ExplainFacts::error},
    {"written", &ExplainFacts::written},
};

ExplainFacts facts(Last last) {
  ExplainFacts all;
  all.last = last;
  return all;
}

ExplainFacts failed(Last last) {
  auto all = facts(last);
  all.error = "connection refused";
  all.delay = 12s;
  all.retries = 5;
  return all;
}

struct Case {
  std::string place;
  std::string name;
  ExplainFacts facts;
  std::string text;
};

Last last_in(const std::string& text) {
  const std::pair<const char*, Last> kNames[] = {{"none", Last::kNone},
                                                 {"success", Last::kSuccess},
                                                 {"error", Last::kError},
                                                 {"terminal", Last::kTerminal},
                                                 {"panic", Last::kPanic},
                                                 {"timeout", Last::kTimeout},
                                                 {"superseded", Last::kSuperseded}};
  const auto* found = std::ranges::find(kNames, text, [](const auto& each) { return std::string(each.first); });
  REQUIRE(found != std::end(kNames));
  return found->second;
}

std::optional<async::Duration> duration_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return base::parse_go_duration(text).value();
}

ExplainFacts facts_in(const testing::DataRow& row) {
  ExplainFacts all = facts(last_in(row["last"]));
  const auto state = row["state"];
  all.is_started = state != "standby";
  all.exists = state != "missing";
  all.is_deleting = state == "deleting";
  all.is_dry_run = state == "dry-run";
  all.has_history = state != "no-history";
  all.in_progress = duration_in(row["in_progress"]);
  all.queued = duration_in(row["queued"]);
  all.delay = duration_in(row["delay"]);
  if (!row["retries"].empty()) all.retries = std::stoi(row["retries"]);
  for (const auto& [name, member] : kTexts) all.*member = row[name];
  return all;
}

std::vector<Case> cases() {
  std::vector<std::string> fields{"answer", "text", "last", "state", "in_progress", "queued", "delay", "retries"};
  for (const auto& [name, member] : kTexts) fields.emplace_back(name);
  std::vector<Case> all;
  for (const auto& row : testing::data_rows("test/unit/controller/explain_policy.txt", fields)) {
    all.push_back({row.place(), row["answer"], facts_in(row), row["text"]});
  }
  return all;
}

}  // namespace

TEST_CASE("each state of an object has its answer") {
  for (const auto& each : cases()) {
    const auto explanation = explain(each.facts);
    INFO(each.place);
    CHECK(explanation.answer.name == each.name);
    CHECK(explanation.text == each.text);
  }
}

TEST_CASE("each answer is given in some state, or by the command") {
  std::set<std::string_view> given = {"disabled", "no-manager"};
  const auto all = cases();
  for (const auto& each : all) given.insert(each.name);

  for (const auto& answer : explain_answers()) {
    INFO(answer.name);
    CHECK(given.contains(answer.name));
  }
  CHECK(given.size() == explain_answers().size());
}

TEST_CASE("the answers of the command have its facts") {
  CHECK(explain_as("no-manager", {"keelson-system"}).text ==
        "Not reconciled: no pod of the manager is running in the namespace keelson-system.");
  CHECK(explain_as("disabled", {"guestbook", "memcacheds, cronjobs"}).text ==
        "Not reconciled: the controller of guestbook is disabled by --controllers, or unknown. This manager reconciles "
        "memcacheds, cronjobs");
}

TEST_CASE("commands in a remedy have the names of the object") {
  ExplainFacts facts;
  facts.kind = "memcacheds.cache.example.com";
  facts.ns = "team";
  facts.name = "web";
  facts.is_deleting = true;
  CHECK(explain(facts).remedy.starts_with(
      "`kubectl get memcacheds.cache.example.com web -n team -o jsonpath={.metadata.finalizers}` names them."));

  facts.is_deleting = false;
  facts.degraded = "Broken: x";
  CHECK(explain(facts).remedy ==
        "`kubectl describe memcacheds.cache.example.com web -n team`, and of what the message names.");
  facts.ns = "";
  CHECK(explain(facts).remedy == "`kubectl describe memcacheds.cache.example.com web`, and of what the message names.");

  facts.ns = "team";
  facts.degraded = "NodeLost: Pod web-0 on node worker.a is lost.";
  CHECK(explain(facts).remedy.find("`kubectl describe node worker.a`;") != std::string::npos);
  facts.degraded = "CrashLoopBackOff: Pod web-0: container c crashes.";
  CHECK(explain(facts).remedy.find("`kubectl logs web-0 -n team --previous`") != std::string::npos);
  facts.degraded = "JobsFailed: Job backup-7 has failed: DeadlineExceeded";
  CHECK(explain(facts).remedy.find("`kubectl logs job/backup-7 -n team`;") != std::string::npos);

  CHECK(explain_as("no-manager", {"ops"}, "ops").remedy.starts_with("`kubectl get pods -n ops` has the reason."));
  for (const auto& each : cases()) {
    auto named = each.facts;
    named.kind = "webs.example.com";
    named.ns = "team";
    named.name = "a";
    const auto remedy = explain(named).remedy;
    INFO(remedy);
    for (const char* placeholder : {"KIND", "NAME", "NAMESPACE", "CONTROLLER", "POD", "JOB", "NODE", "DEPLOYMENT"}) {
      CHECK(remedy.find(placeholder) == std::string::npos);
    }
  }
}

TEST_CASE("the remedy of a paused controller has the path that resumes it") {
  auto paused = facts(Last::kSuccess);
  paused.controller_pause = "memcached has been paused since 2026-01-02T15:04:05Z by jane: bad rollout";
  CHECK(explain(paused).remedy.starts_with("`DELETE /debug/controllers/memcached/pause` on "));
}

TEST_CASE("the remedy of a Deployment that fails names it, or all of the namespace") {
  struct Row {
    const char* degraded;
    const char* command;
  };
  for (const auto& [degraded, command] :
       {Row{R"(ProgressDeadlineExceeded: ReplicaSet "my-web-5d89bdfbf9" has timed out progressing. Since 2026.)",
            "`kubectl describe deployment my-web -n team`, then its pods"},
        Row{R"(ProgressDeadlineExceeded: Deployment "web" has timed out progressing.)",
            "`kubectl describe deployment web -n team`, then its pods"},
        Row{"DeploymentFailed: Deployment web-blue: x",
            "`kubectl describe deployment web-blue -n team`, then its pods"},
        Row{"DeploymentFailed: the Deployment does not progress.",
            "`kubectl describe deployments -n team`, then its pods"}}) {
    auto failing = facts(Last::kSuccess);
    failing.ns = "team";
    failing.degraded = degraded;
    INFO(degraded);
    CHECK(explain(failing).remedy.find(command) != std::string::npos);
  }
}

TEST_CASE(
    "no remedy of a cause has a placeholder if the condition names the pod, the Job, the node and the Deployment") {
  for (const auto& cause : explain_causes()) {
    auto sick = facts(Last::kSuccess);
    sick.kind = "webs.example.com";
    sick.ns = "team";
    sick.name = "a";
    sick.degraded = std::string(cause.sign) + ": Pod web-0 on node worker.a of Job nightly of Deployment web: x";
    const auto remedy = explain(sick).remedy;
    INFO(remedy);
    for (const char* placeholder : {"KIND", "NAMESPACE", " POD", "JOB", " NODE", "DEPLOYMENT", "CONTROLLER"}) {
      CHECK(remedy.find(placeholder) == std::string::npos);
    }
  }
}

TEST_CASE("the remedy of a known cause is that of docs/troubleshooting.md") {
  auto quota = failed(Last::kError);
  quota.error =
      "apply deployments.apps default/web: Forbidden: deployments.apps \"web\" is forbidden: exceeded quota: small";
  CHECK(explain(quota).remedy == "Cause: a ResourceQuota. To do: raise it, or request less.");
  auto right = failed(Last::kError);
  right.error = "services is forbidden: User \"m\" cannot create resource \"services\"";
  CHECK(explain(right).remedy ==
        "Cause: the roles of this version are not applied, or the Deployment has another service account. To do: "
        "`make deploy` applies the roles.");
  auto owned = failed(Last::kError);
  owned.stalled = "NotOwned: Deployment default/web exists.";
  CHECK(explain(owned).remedy.starts_with(
      "Cause: an object of that name exists and has another controller or none: it is not changed"));
  CHECK(explain(failed(Last::kError)).remedy == explain(failed(Last::kError)).answer.remedy);
  auto degraded = facts(Last::kSuccess);
  degraded.degraded = "NodeLost: Pod web-x on node n1: the pod is not ready.";
  CHECK(explain(degraded).remedy.starts_with("Cause: the kubelet of the node does not report"));
  // Another error than that of the pods.
  auto both = failed(Last::kError);
  both.degraded = degraded.degraded;
  CHECK(explain(both).remedy == explain(both).answer.remedy);
}

TEST_CASE("docs/troubleshooting.md has the cause and the remedy of each sign in the same words") {
  const auto page = testing::content_of(std::string(KEELSON_SOURCE_DIR) + "/docs/troubleshooting.md");

  std::size_t of_explain = 0;
  for (const auto& cause : explain_causes()) {
    const auto sign = "| `" + std::string(cause.sign) + "` | ";
    const auto row = sign + "explain | " + std::string(cause.cause) + " | " + std::string(cause.remedy) + " |\n";
    INFO(row);
    // The other rows have the words of a finding of doctor (test/config/troubleshooting_test.cpp).
    if (page.find(sign + "`") != std::string::npos) continue;
    CHECK(page.find(row) != std::string::npos);
    ++of_explain;
  }
  CHECK(of_explain >= 5);
}

TEST_CASE("durations of explain have few digits") {
  CHECK(short_duration_text(83s + 456ms) == "1m23s");
  CHECK(short_duration_text(1500ms) == "1.5s");
  CHECK(short_duration_text(1234567ns) == "1.235ms");
  CHECK(short_duration_text(0s) == "0s");
}

}  // namespace keelson::controller
