#include "src/sandbox/verbs/eviction.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/admission/plugins.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/controllers/selects.hpp"

namespace keelson::sandbox {

namespace {

// The API server rejects evictions if status.disruptedPods of the budget has more entries.
constexpr std::size_t kMostPendingEvictions = 2000;

// The real server answers 201 with a Status whose code is 500.
Answer several_budgets() {
  auto rejected = rejection(
      500, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  return {201, rejected.text()};
}

Rejection too_many(const std::string& cause, int retry_after) {
  auto rejected =
      rejection(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.");
  auto& details = rejected.status["details"];
  details["causes"] = Tree::array({Tree::object({{"reason", "DisruptionBudget"}, {"message", cause}})});
  if (retry_after > 0) details["retryAfterSeconds"] = retry_after;
  return rejected;
}

Rejection forbidden_by(const std::string& budget, const std::string& why) {
  auto rejected = rejection(403, "Forbidden", "poddisruptionbudget.policy \"" + budget + "\" is forbidden: " + why);
  rejected.status["details"] = Tree::object({{"name", budget}, {"group", "policy"}, {"kind", "poddisruptionbudget"}});
  return rejected;
}

std::string why_not(const std::string& name, const Tree& status) {
  auto start = "The disruption budget " + name;
  const Tree* denied = condition_in(status, "DisruptionAllowed");
  const bool says_why =
      denied != nullptr && denied->text_at({"status"}) == "False" && !denied->text_at({"message"}).empty();
  if (!says_why) denied = nullptr;
  if (denied != nullptr && denied->text_at({"reason"}) == "SyncFailed") {
    return start + " does not allow evicting pods currently because it failed sync: " + denied->text_at({"message"});
  }
  auto desired = status.integer_at({"desiredHealthy"});
  auto healthy = status.integer_at({"currentHealthy"});
  if (healthy <= desired) {
    return start + " needs " + std::to_string(desired) + " healthy pods and has " + std::to_string(healthy) +
           " currently";
  }
  if (denied == nullptr) return start + " does not allow evicting pods currently";
  return start + " does not allow evicting pods currently (" + denied->text_at({"reason"}) +
         "): " + denied->text_at({"message"});
}

// Such a pod serves no clients, so a budget does not protect it.
bool is_unprotected(const Tree& pod) {
  return is_done(pod) || pod.text_at({"status", "phase"}) == "Pending" ||
         pod.at({"metadata", "deletionTimestamp"}) != nullptr;
}

bool may_go_unready(const Tree& pod, const Tree& budget) {
  if (is_ready(pod)) return false;
  if (budget.text_at({"spec", "unhealthyPodEvictionPolicy"}) == "AlwaysAllow") return true;
  auto desired = budget.integer_at({"status", "desiredHealthy"});
  return desired > 0 && budget.integer_at({"status", "currentHealthy"}) >= desired;
}

std::vector<const Store::Entry*> budgets_of(const World& world, const kube::Object& pod) {
  std::vector<const Store::Entry*> found;
  const auto& all = world.store.all(*world.kinds.find(kube::disruption_budgets()));
  for (auto entry = all.lower_bound(kube::Key(pod.ns(), "")); entry != all.end() && entry->first.ns == pod.ns();
       ++entry) {
    if (selects(entry->second.stored().tree.at({"spec", "selector"}), pod)) found.push_back(&entry->second);
  }
  return found;
}

// Subtracts a disruption from the budget, or returns the rejection.
RejectionOr<void> take(World& world, Committer& committer, const Store::Entry& budget, const std::string& pod,
                       bool is_dry_run) {
  const auto& tree = budget.stored().tree;
  auto name = std::string(budget.object.name());
  if (tree.integer_at({"status", "observedGeneration"}) < budget.object.generation()) {
    return too_many("The disruption budget " + name + " is still being processed by the server.", 10);
  }
  auto allowed = tree.integer_at({"status", "disruptionsAllowed"});
  if (allowed < 0) return forbidden_by(name, "pdb disruptions allowed is negative");
  const Tree* pending = tree.at({"status", "disruptedPods"});
  if (pending != nullptr && pending->members().size() > kMostPendingEvictions) {
    return forbidden_by(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed == 0) return too_many(why_not(name, *tree.find("status")), 0);
  if (is_dry_run) return {};
  auto next = tree;
  auto& status = next["status"];
  status["disruptionsAllowed"] = allowed - 1;
  status["disruptedPods"][pod] = world.time_text();
  if (allowed == 1) {
    auto denied = new_condition("DisruptionAllowed", false, "InsufficientPods", "");
    denied["observedGeneration"] = status.integer_at({"observedGeneration"});
    set_condition(status, std::move(denied), world.time_text());
  }
  auto call = own_call("system:apiserver", *world.kinds.find(kube::disruption_budgets()), budget.object.key());
  call.subresource = Subresource::kStatus;
  KEELSON_TRY(committer.commit(call, &budget, std::move(next), std::nullopt));
  return {};
}

// The preconditions have been checked already; the write of the condition before this deletion changes the version.
RejectionOr<Answer> remove(World& world, Committer& committer, Deletes& deletes, const Call& call, Tree options,
                           bool is_dry_run) {
  options.erase("preconditions");
  auto removal = call;
  removal.admission = nullptr;
  removal.authorizer = nullptr;  // admission has seen the eviction, not the deletion
  auto marking = removal;
  removal.verb = kube::Verb::kDelete;
  removal.subresource = Subresource::kNone;
  removal.body = options.text();
  if (!is_dry_run) {
    const auto* entry = world.store.find(*call.kind, call.key);
    auto next = entry->stored().tree;
    set_condition(next["status"],
                  new_condition("DisruptionTarget", true, "EvictionByEvictionAPI", "Eviction API: evicting"),
                  world.time_text());
    KEELSON_TRY(committer.commit(marking, entry, std::move(next), std::nullopt));
  }
  KEELSON_TRY(deletes.remove(removal));
  return succeeded(201);
}

}  // namespace

RejectionOr<Answer> evict(World& world, Committer& committer, Deletes& deletes, const Call& call) {
  KEELSON_LET(const auto body, object_in(call));
  auto name = body.text_at({"metadata", "name"});
  if (name != call.key.name) return bad_request("name in URL does not match name in Eviction object");
  const auto* entry = world.store.find(*call.kind, call.key);
  if (entry == nullptr) return not_found(call.resource(), call.key.name);
  const Tree* given = body.find("deleteOptions");
  auto options = given != nullptr && given->is_object() ? *given : Tree::object();
  const bool is_dry_run = call.is_dry_run() || sandbox::is_dry_run(options);
  KEELSON_TRY(committer.plugins().validate(call, [&] { return eviction_attributes(call, body); }));
  if (call.admission != nullptr) {
    KEELSON_TRY(call.admission->admit(*call.kind, eviction_attributes(call, body), basis_of(call, entry)));
  }
  KEELSON_TRY(check_preconditions(*call.kind, entry->object, options));
  auto pod = entry->stored().tree;
  if (!is_unprotected(pod)) {
    auto budgets = budgets_of(world, entry->object);
    if (budgets.size() > 1) return several_budgets();
    if (!budgets.empty() && !may_go_unready(pod, budgets[0]->stored().tree)) {
      KEELSON_TRY(take(world, committer, *budgets[0], call.key.name, is_dry_run));
    }
  }
  return remove(world, committer, deletes, call, options, is_dry_run);
}

}  // namespace keelson::sandbox
