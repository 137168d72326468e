// The node controller: taints nodes by their conditions, and those that `kubectl cordon` has marked.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/kinds/new_objects.hpp"

namespace keelson::sandbox {

namespace {

struct ConditionTaint {
  std::string_view type;
  std::string_view status;
  std::string_view taint;
};

constexpr auto kConditionTaints = std::to_array<ConditionTaint>({
    {"Ready", "False", kNotReadyTaint},
    {"Ready", "Unknown", kUnreachableTaint},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
});
constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

std::vector<std::string_view> desired_taints(const Tree& node) {
  std::vector<std::string_view> keys;
  for (const auto& condition : node.items_at({"status", "conditions"})) {
    for (const auto& [type, status, taint] : kConditionTaints) {
      if (condition.text_at({"type"}) == type && condition.text_at({"status"}) == status) keys.push_back(taint);
    }
  }
  if (node.is_true_at({"spec", "unschedulable"})) keys.push_back(kUnschedulableTaint);
  return keys;
}

// Whether this controller adds and removes the taint.
bool is_managed_taint(const Tree& taint) {
  if (taint.text_at({"effect"}) != "NoSchedule") return false;
  const auto key = taint.text_at({"key"});
  return key == kUnschedulableTaint ||
         std::ranges::any_of(kConditionTaints, [&key](const auto& one) { return one.taint == key; });
}

}  // namespace

void sync_node_taints(Sync& node) {
  auto missing = desired_taints(node.tree);
  auto taints = Tree::array(node.tree.items_at({"spec", "taints"}));
  std::erase_if(taints.items(), [&missing](const Tree& taint) {
    if (!is_managed_taint(taint)) return false;
    return std::erase(missing, taint.text_at({"key"})) == 0;
  });
  for (const auto key : missing) {
    taints.items().push_back(Tree::object({{"key", std::string(key)}, {"effect", "NoSchedule"}}));
  }
  if (taints.items() == node.tree.items_at({"spec", "taints"})) return;
  auto next = node.tree;
  set_or_erase(next["spec"], "taints", std::move(taints));
  node.operations.write(node.kind.resource, node.object.key(), std::move(next));
}

}  // namespace keelson::sandbox
