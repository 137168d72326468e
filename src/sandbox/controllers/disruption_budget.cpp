// The disruption controller: writes the number of pods that may be evicted into the status of a PodDisruptionBudget.
#include <algorithm>
#include <map>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/controllers/selects.hpp"
#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

// A pod whose eviction was granted this long ago and that still exists counts as healthy again.
constexpr auto kDeletionTimeout = std::chrono::minutes(2);

// Finds the object of an owner reference.
const Store::Entry* find_owner(const World& world, std::string_view ns, const kube::OwnerReference& owner) {
  const auto* kind = world.kinds.find(owner.api_version, owner.kind);
  if (kind == nullptr || !kind->has_scale) return nullptr;
  const auto* entry = world.store.find(*kind, kube::Key(ns, owner.name));
  return entry != nullptr && entry->object.uid() == owner.uid ? entry : nullptr;
}

std::int64_t scale_of_owner(const World& world, const kube::OwnerReference& owner, const Tree& object) {
  const auto* kind = world.kinds.find(owner.api_version, owner.kind);
  return kind != nullptr ? sandbox::scale_of(*kind, object).integer_at({"spec", "replicas"}) : 0;
}

// The sum of the replicas of these pods' controllers; the error names a pod whose controller does not exist.
Result<std::int64_t> expected_scale(const World& world, const std::vector<StoredObject>& pods) {
  std::map<std::string, std::int64_t> scales;  // by uid
  for (const auto& [pod, tree] : pods) {
    auto owner = pod.controller_owner();
    if (!owner) continue;
    const auto* entry = find_owner(world, pod.ns(), *owner);
    if (entry == nullptr) {
      return invalid_error("found no controllers for pod " + base::quote_go(std::string(pod.name())));
    }
    auto above = owner->kind == "ReplicaSet" ? entry->object.controller_owner() : std::nullopt;
    const auto* deployment = above ? find_owner(world, pod.ns(), *above) : nullptr;
    if (deployment != nullptr) {
      scales[std::string(above->uid)] = scale_of_owner(world, *above, deployment->stored().tree);
    } else {
      scales[std::string(owner->uid)] = scale_of_owner(world, *owner, entry->stored().tree);
    }
  }
  std::int64_t sum = 0;
  for (const auto& [uid, scale] : scales) sum += scale;
  return sum;
}

struct Numbers {
  std::int64_t expected = 0;
  std::int64_t desired = 0;
};

Result<Numbers> numbers_of(const World& world, const Tree& budget, const std::vector<StoredObject>& pods) {
  const Tree* most_missing = budget.at({"spec", "maxUnavailable"});
  const Tree* fewest = budget.at({"spec", "minAvailable"});
  if (most_missing == nullptr && fewest == nullptr) return Numbers{};
  if (most_missing == nullptr && !fewest->is_string()) {
    return Numbers{static_cast<std::int64_t>(pods.size()), share_of(fewest, 0, true)};
  }
  KEELSON_LET(auto expected, expected_scale(world, pods));
  if (most_missing == nullptr) return Numbers{expected, std::min(expected, share_of(fewest, expected, true))};
  return Numbers{expected, std::max<std::int64_t>(0, expected - share_of(most_missing, expected, true))};
}

Tree condition(bool is_true, const char* reason, const std::string& message, const Tree& generation) {
  auto made = new_condition("DisruptionAllowed", is_true, reason, message);
  made["observedGeneration"] = generation;
  return made;
}

// Granted evictions of pods that still exist.
Tree pending_evictions(Sync& budget, const std::vector<StoredObject>& pods) {
  const auto& world = budget.operations.world;
  auto pending = Tree::object();
  for (const auto& [pod, tree] : pods) {
    const Tree* at = budget.tree.at({"status", "disruptedPods", pod.name()});
    auto time =
        at != nullptr && !pod.deleting() ? kube::parse_time(at->scalar()) : Result<kube::Time>(invalid_error(""));
    if (!time) continue;
    auto left = world.left_since(*time, kDeletionTimeout);
    if (left == async::Duration::zero()) continue;
    budget.sync_again(world.controller_clock.now() + left);
    pending[pod.name()] = *at;
  }
  return pending;
}

}  // namespace

void sync_disruption_budget(Sync& budget) {
  const auto& world = budget.operations.world;
  const auto pods = pods_in(budget.operations, budget.object.ns(), budget.tree.at({"spec", "selector"}));
  const auto numbers = numbers_of(world, budget.tree, pods);
  auto status = status_of(budget.tree);
  const auto now = world.time_text();
  if (!numbers) {
    status["disruptionsAllowed"] = 0;
    for (const char* name : {"currentHealthy", "desiredHealthy", "expectedPods"}) status.set_default(name, 0);
    const auto generation = status.integer_at({"observedGeneration"});
    set_condition(status, condition(false, "SyncFailed", numbers.error().text, generation), now);
    return budget.write_status(std::move(status));
  }
  const auto pending = pending_evictions(budget, pods);
  const auto healthy = std::ranges::count_if(pods, [&](const StoredObject& pod) {
    return !pod.object.deleting() && pending.find(pod.object.name()) == nullptr && is_ready(pod.tree);
  });
  auto allowed = numbers->expected > 0 ? std::max<std::int64_t>(0, healthy - numbers->desired) : 0;
  const auto generation = budget.tree.integer_at({"metadata", "generation"});
  status["observedGeneration"] = generation;
  set_or_erase(status, "disruptedPods", pending);
  status["disruptionsAllowed"] = allowed;
  status["currentHealthy"] = healthy;
  status["desiredHealthy"] = numbers->desired;
  status["expectedPods"] = numbers->expected;
  set_condition(status, condition(allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "", generation),
                now);
  budget.write_status(std::move(status));
}

}  // namespace keelson::sandbox
