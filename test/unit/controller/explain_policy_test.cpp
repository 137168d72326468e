#include "keelson/detail/controller/explain_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <set>

namespace keelson::controller {

namespace {

using namespace std::chrono_literals;
using Last = ExplainFacts::Last;

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
  const char* name;
  ExplainFacts facts;
  const char* text;
};

std::vector<Case> cases() {
  auto standby = failed(Last::kError);
  standby.is_started = false;
  auto unsynced = facts(Last::kNone);
  unsynced.unsynced = "pods: pods is forbidden";
  auto stale = facts(Last::kSuccess);
  stale.stale = "memcacheds.cache.example.com for 5m0s: the server could not find the requested resource";
  auto stale_missing = stale;
  stale_missing.exists = false;
  auto running = failed(Last::kError);
  running.in_progress = 90s;
  auto busy = running;
  busy.busy = "6000 times within a minute";
  auto missing = facts(Last::kSuccess);
  missing.exists = false;
  auto paused = failed(Last::kError);
  paused.pause = "The annotation keelson.dev/paused is true. Remove it to resume.";
  auto queued = facts(Last::kError);
  queued.queued = 3s;
  auto terminal = facts(Last::kTerminal);
  terminal.error = "the schedule is invalid";
  auto terminating = facts(Last::kError);
  terminating.error = "forbidden";
  auto forgotten = failed(Last::kError);
  forgotten.error.clear();
  auto conflict = facts(Last::kSuccess);
  conflict.conflict = "Deployment default/web: spec.replicas is changed by another writer.";
  conflict.delay = 60s;
  auto stalled = facts(Last::kSuccess);
  stalled.stalled = "NotOwned: Deployment default/web exists.";
  auto degraded = facts(Last::kSuccess);
  degraded.degraded = "CrashLoopBackOff: Pod web-x crashes. (since 2026-01-01T00:00:00Z)";
  degraded.not_ready = "CrashLoopBackOff: 0 of 1 nodes are ready.";
  degraded.delay = 60s;
  auto not_ready = facts(Last::kSuccess);
  not_ready.not_ready = "RollingOut: 0 of 1 nodes are ready. (since 2026-01-01T00:00:00Z)";
  not_ready.delay = 60s;
  auto progressing = facts(Last::kSuccess);
  progressing.progressing = "RollingOut: Green: 0 of 1 updated replicas are available. (since 2026-01-01T00:00:00Z)";
  progressing.delay = 60s;
  auto child = facts(Last::kSuccess);
  child.child_pause = "Deployment default/web is not changed.";
  auto deleting = facts(Last::kSuccess);
  deleting.is_deleting = true;
  auto dry = facts(Last::kSuccess);
  dry.is_dry_run = true;
  auto requeued = facts(Last::kNone);
  requeued.delay = 1500ms;
  auto unrecorded_retry = requeued;
  unrecorded_retry.has_history = false;
  auto superseded_later = facts(Last::kSuperseded);
  superseded_later.delay = 1500ms;
  auto superseded_queued = facts(Last::kSuperseded);
  superseded_queued.queued = 3s;
  auto superseded_dry = facts(Last::kSuperseded);
  superseded_dry.is_dry_run = true;
  auto waiting = facts(Last::kSuccess);
  waiting.delay = 1500ms;
  auto wrote = facts(Last::kSuccess);
  wrote.written = "Deployment default/web";
  auto controller_paused = facts(Last::kSuccess);
  controller_paused.exists = false;
  controller_paused.controller_pause = "memcached has been paused since 2026-01-02T15:04:05Z by jane: bad rollout";
  auto failed_once = failed(Last::kError);
  failed_once.retries = 1;
  auto off = facts(Last::kNone);
  off.has_history = false;
  return {
      {"standby", standby, "Not reconciled by this replica: another replica is the leader."},
      {"not-synced", unsynced,
       "Not reconciled: a watch that the controller needs has not listed its objects yet: pods: pods is forbidden"},
      {"stale", stale,
       "Changes are not observed, because a watch fails: memcacheds.cache.example.com for 5m0s: the server could not "
       "find the requested resource. By the cache of that time: Nothing to do: the last reconcile wrote nothing."},
      {"stale", stale_missing,
       "Changes are not observed, because a watch fails: memcacheds.cache.example.com for 5m0s: the server could not "
       "find the requested resource. By the cache of that time: Not reconciled: the manager does not observe an "
       "object of that name."},
      {"in-progress", running, "In progress: a worker has been reconciling it for 1m30s."},
      {"busy", busy, "It is reconciled again and again: 6000 times within a minute."},
      {"controller-paused", controller_paused,
       "Not reconciled: the whole controller memcached has been paused since 2026-01-02T15:04:05Z by jane: bad "
       "rollout"},
      {"failed", failed_once,
       "The last reconcile failed: connection refused. It is retried in 12s, after 1 failure in a row."},
      {"missing", missing, "Not reconciled: the manager does not observe an object of that name."},
      {"paused", paused, "Paused: The annotation keelson.dev/paused is true. Remove it to resume."},
      {"queued", queued, "Queued for 3s: all workers are busy with other objects."},
      {"failed", failed(Last::kError),
       "The last reconcile failed: connection refused. It is retried in 12s, after 5 failures in a row."},
      {"failed", forgotten,
       "The last reconcile failed: its error is not stored any more, but it is in the log. It is retried in 12s, after "
       "5 failures in a row."},
      {"timeout", failed(Last::kTimeout),
       "The last reconcile was canceled: connection refused. It is retried in 12s, after 5 failures in a row."},
      {"panic", failed(Last::kPanic),
       "The last reconcile ended with an exception: connection refused. It is retried in 12s, after 5 failures in a "
       "row."},
      {"terminal", terminal,
       "The last reconcile failed: the schedule is invalid. It is not retried until the object changes."},
      {"not-retried", terminating,
       "The last reconcile failed: forbidden. It is not retried, because its namespace is being deleted."},
      {"conflict", conflict,
       "Two writers change one field: Deployment default/web: spec.replicas is changed by another writer."},
      {"stalled", stalled, "Stalled, a user or administrator must act: NotOwned: Deployment default/web exists."},
      {"degraded", degraded, "Degraded: CrashLoopBackOff: Pod web-x crashes. (since 2026-01-01T00:00:00Z)"},
      {"not-ready", not_ready,
       "Reconciled, but not ready: RollingOut: 0 of 1 nodes are ready. (since 2026-01-01T00:00:00Z)"},
      {"progressing", progressing,
       "Reconciled, and not complete yet: RollingOut: Green: 0 of 1 updated replicas are available. (since "
       "2026-01-01T00:00:00Z)"},
      {"child-paused", child, "A child is paused: Deployment default/web is not changed."},
      {"deleting", deleting, "The object is being deleted, and waits until its finalizers are removed."},
      {"dry-run", dry, "Nothing is stored, because the manager runs with --dry-run; its log has the differences."},
      {"requeued", requeued, "The next reconcile begins in 1.5s."},
      {"requeued", unrecorded_retry, "The next reconcile begins in 1.5s."},
      {"requeued", superseded_later, "The next reconcile begins in 1.5s."},
      {"queued", superseded_queued, "Queued for 3s: all workers are busy with other objects."},
      {"dry-run", superseded_dry,
       "Nothing is stored, because the manager runs with --dry-run; its log has the differences."},
      {"requeued", facts(Last::kSuperseded), "The next reconcile begins in 0s."},
      {"waiting", waiting, "Nothing to do for 1.5s: the last reconcile succeeded and requested the next one for then."},
      {"wrote", wrote,
       "Nothing to do: the last reconcile succeeded. It wrote Deployment default/web, and the next one begins with a "
       "change."},
      {"nothing", facts(Last::kSuccess), "Nothing to do: the last reconcile wrote nothing."},
      {"history-off", off, "The last reconciles are not recorded: --reconcile-history is 0."},
      {"unrecorded", facts(Last::kNone),
       "No reconcile is recorded: it made room for objects that were reconciled later."},
  };
}

}  // namespace

TEST_CASE("each state of an object has its answer") {
  for (const auto& each : cases()) {
    const auto explanation = explain(each.facts);
    INFO(each.name);
    CHECK(explanation.answer.name == each.name);
    CHECK(explanation.text == each.text);
  }
}

TEST_CASE("each answer is given in some state, or by the command") {
  std::set<std::string_view> given = {"disabled", "no-manager"};
  for (const auto& each : cases()) given.insert(each.name);

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
  std::ifstream file(std::string(KEELSON_SOURCE_DIR) + "/docs/troubleshooting.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE(!page.empty());

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
