#include "src/controllers/memcached/memcached_status.hpp"

#include <algorithm>

#include "keelson/kube/condition.hpp"

namespace keelson::controllers {

namespace {

kube::Claim degraded(const MemcachedFacts& facts) {
  if (facts.trouble) return *facts.trouble;
  if (!facts.failure.empty()) return {true, "DeploymentFailed", facts.failure};
  return {false, "AsExpected", "Nothing is wrong."};
}

std::string of_size(int count, int size) {
  return std::to_string(count) + " of " + std::to_string(size) + " nodes are ready.";
}

void set(MemcachedStatus& status, std::string_view type, const kube::Claim& claim, async::WallTime now) {
  kube::set_claim(status.conditions, type, claim, status.observed_generation, now);
}

}  // namespace

MemcachedVerdict judge_memcached(const MemcachedStatus& before, MemcachedFacts facts, async::WallTime now) {
  std::sort(facts.nodes.begin(), facts.nodes.end());
  auto count = static_cast<int>(facts.nodes.size());
  bool complete = count == facts.size && facts.ready_nodes == facts.size && facts.rolled_out;
  auto wrong = degraded(facts);

  MemcachedVerdict verdict;
  const auto* was_wrong = kube::find_condition(before.conditions, "Degraded");
  verdict.turns_bad = wrong.holds && (was_wrong == nullptr || was_wrong->status != "True");
  verdict.is_settled = complete && !wrong.holds;
  auto& status = verdict.status;
  status.nodes = std::move(facts.nodes);
  status.ready_nodes = facts.ready_nodes;
  status.replicas = count;
  status.selector = std::move(facts.selector);
  status.observed_generation = facts.generation;
  status.conditions = before.conditions;

  auto ready_text = of_size(facts.ready_nodes, facts.size);
  bool available = facts.size == 0 || facts.ready_nodes > 0;
  set(status, "Available", {available, available ? "NodesAvailable" : "NoNodeReady", ready_text}, now);
  set(status, "Degraded", wrong, now);
  bool progressing = !complete && !wrong.holds;
  set(status, "Progressing",
      {progressing,
       progressing ? "RollingOut"
       : complete  ? "Complete"
                   : "Stopped",
       ready_text},
      now);
  bool ready = complete && !wrong.holds;
  set(status, "Ready",
      {ready,
       ready         ? "AllNodesReady"
       : wrong.holds ? wrong.reason
                     : "NodesNotReady",
       wrong.holds ? wrong.message : ready_text},
      now);
  // kstatus: these two are there only while they hold.
  if (progressing) {
    set(status, "Reconciling", {true, "RollingOut", ready_text}, now);
  } else {
    kube::remove_condition(status.conditions, "Reconciling");
  }
  if (wrong.holds) {
    set(status, "Stalled", wrong, now);
  } else {
    kube::remove_condition(status.conditions, "Stalled");
  }
  return verdict;
}

}  // namespace keelson::controllers
