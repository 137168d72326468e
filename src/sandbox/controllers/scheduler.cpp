#include "src/sandbox/controllers/scheduler.hpp"

#include <map>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"
#include "src/sandbox/controllers/node_fit.hpp"

namespace keelson::sandbox {

namespace {

const char* reason_of(NodeFit fits_without_taints) {
  return fits_without_taints == NodeFit::kNever ? "node(s) didn't match Pod's node affinity/selector"
                                                : "node(s) had untolerated taint(s)";
}

std::string sentence(std::size_t nodes, const std::map<std::string, int>& reasons) {
  if (nodes == 0) return "no nodes available to schedule pods";
  auto count = std::to_string(nodes);
  auto text = "0/" + count + " nodes are available: ";
  const char* separator = "";
  for (const auto& [reason, times] : reasons) {
    text += separator + std::to_string(times) + " " + reason;
    separator = ", ";
  }
  return text + ". preemption: 0/" + count + " nodes are available: " + count +
         " Preemption is not helpful for scheduling.";
}

}  // namespace

Placement place(Operations& operations, const Tree& pod) {
  auto named = node_of(pod);
  if (!named.empty()) return {named, ""};
  if (!operations.world.is_whole_cluster) return {"node-1", ""};
  const Tree& spec = *pod.find("spec");
  std::map<std::string, int> reasons;
  const auto& all = operations.world.store.all(operations.kind(kube::nodes()));
  for (const auto& [key, entry] : all) {
    const Tree& node = entry.stored().tree;
    if (fit(spec, node) == NodeFit::kRuns) return {key.name, ""};
    auto without_taints = node;
    without_taints["spec"] = Tree::object();
    ++reasons[reason_of(fit(spec, without_taints))];
  }
  return {"", sentence(all.size(), reasons)};
}

void report_unschedulable(Operations& operations, const kube::Object& pod, const std::string& why) {
  auto status = status_of(*operations.tree(kube::pods(), pod.key()));
  auto now = operations.world.time_text();
  const Tree* scheduled = condition_in(status, "PodScheduled");
  if (scheduled != nullptr && scheduled->text_at({"message"}) == why) return;
  status["phase"] = "Pending";
  auto unscheduled = new_condition("PodScheduled", false, "Unschedulable", why);
  unscheduled["lastProbeTime"] = Tree();
  set_condition(status, std::move(unscheduled), now);
  operations.write_status(kube::pods(), pod.key(), std::move(status));
  if (operations.recorder() != nullptr) operations.recorder()->record_unschedulable(operations, pod, why);
}

}  // namespace keelson::sandbox
