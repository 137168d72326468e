#include "src/kinds/bluegreen/bluegreen_status.hpp"

namespace keelson::kinds {

namespace {

using kube::ConditionState;

constexpr const char* kWaiting = "WaitingForRollout";

// "Green: 0 of 1 updated replicas are available"
std::string progress(const BlueGreenFacts& facts, std::string_view color) {
  const auto& seen = facts.of(color);
  auto text = std::string(color) + ": ";
  if (!seen.rollout) return text + (seen.has_spec ? "there is no Deployment yet" : "there is no spec");
  if (!seen.rollout->is_complete()) return text + seen.rollout->waits_for;
  bool is_older = seen.has_spec && !seen.is_kept;
  return text + std::to_string(seen.rollout->ready_replicas) + " of " + std::to_string(seen.rollout->replicas) +
         " replicas are ready" + (is_older ? ", but not of this spec" : "");
}

std::string progress_of_both(const BlueGreenFacts& facts) {
  return progress(facts, kBlue) + "; " + progress(facts, kGreen) + ".";
}

// What is wrong with the Deployment of a color or with its pods.
ConditionState problem_of(const BlueGreenFacts& facts, const std::string& color) {
  const auto& rollout = facts.of(color).rollout;
  if (!rollout || !rollout->problem) return {};
  return {true, rollout->problem->reason, color + ": " + rollout->problem->message};
}

// The problem that a user or administrator must fix.
ConditionState stalled(const BlueGreenFacts& facts) {
  if (!is_color(facts.route_to)) {
    return {true, "UnknownColor",
            "routeTo is \"" + facts.route_to + "\", but must be Blue or Green; the Service is not changed."};
  }
  if (facts.problem) return *facts.problem;
  const auto& target = facts.of(facts.route_to);
  if (!target.has_spec) {
    return {true, "SpecMissing",
            "routeTo is " + facts.route_to + ", whose spec is missing" +
                (target.rollout ? "; its Deployment is not changed." : ".")};
  }
  if (target.rollout && target.rollout->has_failed()) return problem_of(facts, facts.route_to);
  return {};
}

// The problem of the color that traffic waits for, then of the one that has it.
ConditionState problem_of_traffic(const BlueGreenFacts& facts, const ConditionState& wrong) {
  if (wrong.holds) return wrong;
  for (const auto& color : {facts.route_to, facts.selected}) {
    if (!is_color(color)) continue;
    if (auto problem = problem_of(facts, color); problem.holds) return problem;
  }
  return {};
}

// A color without traffic affects neither Ready nor Available, but its pods do not work, and it cannot be switched to.
ConditionState idle_problem_of(const BlueGreenFacts& facts) {
  for (auto color : kColors) {
    if (color == facts.route_to || color == facts.selected) continue;
    auto problem = problem_of(facts, std::string(color));
    if (!problem.holds) continue;
    problem.message += " It has no traffic.";
    return problem;
  }
  return {};
}

ConditionState traffic_switched(const BlueGreenFacts& facts, const ConditionState& wrong) {
  bool is_switched = is_color(facts.selected) && facts.selected == facts.route_to;
  if (is_switched) return {true, "Switched", "The Service selects " + facts.selected + "."};
  if (wrong.holds) return {false, wrong.reason, wrong.message};
  if (facts.selected.empty()) return {false, "NoService", "There is no Service yet."};
  if (facts.switch_failed) {
    return {false, "SwitchFailed",
            "The Service still selects " + facts.selected + ": the switch failed and is retried."};
  }
  auto message = "The Service selects " + facts.selected + " until " + facts.route_to + " can serve (" +
                 progress(facts, facts.route_to) + ").";
  if (!facts.of(facts.selected).has_spec) {
    message += " The Deployment of " + facts.selected + " is retained until then.";
  }
  return {false, kWaiting, message};
}

ConditionState available(const BlueGreenFacts& facts) {
  if (facts.selected.empty()) return {false, "NoService", "There is no Service that this BlueGreen owns."};
  const auto& serving = facts.of(facts.selected);
  bool has_pods = serving.rollout && serving.rollout->ready_replicas > 0;
  return {has_pods, has_pods ? "PodsReady" : "NoPodReady", progress(facts, facts.selected) + "."};
}

bool rolls_out(const ColorFacts& color) {
  if (!color.has_spec) return false;
  return !color.is_kept || !color.rollout || (!color.rollout->is_complete() && !color.rollout->has_failed());
}

bool has_failed(const ColorFacts& color) { return color.has_spec && color.rollout && color.rollout->has_failed(); }

ConditionState progressing(const BlueGreenFacts& facts, const ConditionState& wrong) {
  auto both = progress_of_both(facts);
  if (wrong.holds) return {false, "Stopped", both};
  bool moves = facts.selected != facts.route_to || rolls_out(facts.blue) || rolls_out(facts.green);
  if (moves) return {true, "RollingOut", both};
  return {false, has_failed(facts.blue) || has_failed(facts.green) ? "Stopped" : "Complete", both};
}

ConditionState ready(const BlueGreenFacts& facts, const ConditionState& bad, const ConditionState& switched) {
  if (bad.holds) return {false, bad.reason, bad.message};
  if (!switched.holds) return switched;
  bool serves = facts.of(facts.route_to).can_serve();
  return {serves, serves ? "Serving" : "NotReady", progress(facts, facts.route_to) + "."};
}

ConditionState degraded(const BlueGreenFacts& facts, const ConditionState& bad, bool is_settled) {
  if (bad.holds) return bad;
  if (auto idle = idle_problem_of(facts); idle.holds) return idle;
  return {false, "AsExpected", is_settled ? "Nothing is wrong." : progress_of_both(facts)};
}

// By kstatus' convention these conditions exist only while they are True.
void set_or_remove(BlueGreenStatus& status, std::string_view type, const ConditionState& claim, async::WallTime now) {
  if (claim.holds) {
    kube::set_condition(status.conditions, type, claim, status.observed_generation, now);
  } else {
    kube::remove_condition(status.conditions, type);
  }
}

std::optional<ColorStatus> status_of(const ColorFacts& color) {
  if (!color.rollout) return std::nullopt;
  return ColorStatus{color.rollout->ready_replicas};
}

bool holds(const BlueGreenStatus& status, std::string_view type) {
  const auto* condition = kube::find_condition(status.conditions, type);
  return condition != nullptr && condition->status == "True";
}

std::string reason(const BlueGreenStatus& status, std::string_view type) {
  const auto* condition = kube::find_condition(status.conditions, type);
  return condition == nullptr ? "" : condition->reason;
}

}  // namespace

BlueGreenStatus compute_bluegreen_status(const BlueGreenStatus& before, const BlueGreenFacts& facts,
                                         async::WallTime now) {
  BlueGreenStatus status;
  // The last color is retained without a Service, because a new Service starts with it.
  status.route_to = facts.selected.empty() ? before.route_to : facts.selected;
  status.blue = status_of(facts.blue);
  status.green = status_of(facts.green);
  status.observed_generation = facts.generation;
  status.conditions = before.conditions;
  auto wrong = stalled(facts);
  auto bad = problem_of_traffic(facts, wrong);
  auto switched = traffic_switched(facts, wrong);
  auto progress_made = progressing(facts, wrong);
  auto is_ready = ready(facts, bad, switched);
  auto set = [&](std::string_view type, const ConditionState& claim) {
    kube::set_condition(status.conditions, type, claim, status.observed_generation, now);
  };
  set("Available", available(facts));
  set("Progressing", progress_made);
  set("Degraded", degraded(facts, bad, is_ready.holds && !progress_made.holds));
  set("TrafficSwitched", switched);
  set("Ready", is_ready);
  set_or_remove(status, "Reconciling", progress_made, now);
  set_or_remove(status, "Stalled", wrong, now);
  return status;
}

bool is_urgent(const BlueGreenStatus& before, const BlueGreenStatus& after) {
  if (before.observed_generation != after.observed_generation || before.route_to != after.route_to) return true;
  if (reason(before, "TrafficSwitched") != reason(after, "TrafficSwitched")) return true;
  if (!holds(before, "Stalled") && holds(after, "Stalled")) return true;
  if (!holds(before, "Degraded") && holds(after, "Degraded")) return true;
  if (holds(before, "Available") && !holds(after, "Available")) return true;
  return !holds(after, "Progressing") && !holds(after, "Stalled");
}

const kube::Condition* new_trouble(const BlueGreenStatus& before, const BlueGreenStatus& after) {
  if (const auto* problem = controller::new_problem(before.conditions, after.conditions, "Degraded")) return problem;
  // The idle color had the same problem before.
  const bool affects_traffic = holds(before, "Ready") && !holds(after, "Ready") && holds(after, "Degraded");
  return affects_traffic ? kube::find_condition(after.conditions, "Degraded") : nullptr;
}

std::optional<kube::ConditionState> news(const BlueGreenStatus& before, const BlueGreenStatus& after) {
  const auto* now = kube::find_condition(after.conditions, "TrafficSwitched");
  bool waited = reason(before, "TrafficSwitched") == kWaiting;
  const auto target = std::string(after.route_to == kBlue ? kGreen : kBlue);
  // Repeated Events become a series with the note of the first one, so the note must still be true then.
  if (now->reason == kWaiting && !waited) {
    return ConditionState{true, kWaiting,
                          "Traffic stays with " + after.route_to + " until the rollout of " + target +
                              " is complete and its pods are available."};
  }
  const auto* then = kube::find_condition(before.conditions, "TrafficSwitched");
  bool was_due = then != nullptr && then->status == "False" && !before.route_to.empty();
  if (now->status == "True" && was_due && before.route_to != after.route_to) {
    return ConditionState{true, "TrafficSwitched", "Traffic goes to " + after.route_to + " now."};
  }
  return std::nullopt;
}

}  // namespace keelson::kinds
