#include "src/sandbox/controllers/role_aggregation.hpp"

#include <set>

#include "keelson/detail/sandbox/limits.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/selects.hpp"

namespace keelson::sandbox {

namespace {

// The rules of the selected roles, in the order of the selectors, then of the names; each rule once. nullopt if they
// are too large for an object.
std::optional<Tree> aggregated_rules(const Store::Entries& roles, const kube::Key& own, const Tree& selectors) {
  auto rules = Tree::array();
  std::set<std::string> seen;
  std::size_t bytes = 0;
  for (const auto& selector : selectors.items()) {
    for (const auto& [key, role] : roles) {
      if (key == own || !selects(&selector, role.object)) continue;
      for (const auto& rule : role.stored().tree.items_at({"rules"})) {
        auto [text, is_new] = seen.insert(rule.text());
        if (!is_new) continue;
        bytes += text->size();
        if (bytes > limits::kSandboxBodyBytes) return std::nullopt;
        rules.items().push_back(rule);
      }
    }
  }
  return rules;
}

}  // namespace

RoleAggregation::RoleAggregation(World& world, Committer& committer, Deletes& deletes, async::Duration delay)
    : operations_(world, committer, deletes, "system:serviceaccount:kube-system:clusterrole-aggregation-controller"),
      passes_(world.controller_clock, delay, [this] { static_cast<void>(aggregate()); }) {}

void RoleAggregation::hear(const Change& change) {
  if (change.kind->resource == kube::cluster_roles()) passes_.wake();
}

void RoleAggregation::begin() {
  constexpr int kDeepest = 4;  // view is part of edit, which is part of admin
  for (int pass = 0; pass < kDeepest && aggregate(); ++pass) {
  }
}

// An aggregated role may be part of another one: writing it triggers aggregation again.
bool RoleAggregation::aggregate() {
  const auto& roles = operations_.world.store.all(operations_.kind(kube::cluster_roles()));
  std::vector<std::pair<kube::Key, Tree>> changed;
  for (const auto& [key, entry] : roles) {
    const Tree* selectors = entry.stored().tree.at({"aggregationRule", "clusterRoleSelectors"});
    if (selectors == nullptr || !selectors->is_array()) continue;
    auto rules = aggregated_rules(roles, key, *selectors);
    const Tree* had = entry.stored().tree.find("rules");
    if (!rules || (had != nullptr && *had == *rules)) continue;
    if (rules->is_empty() && (had == nullptr || had->is_empty())) continue;
    auto next = entry.stored().tree;
    next["rules"] = std::move(*rules);
    changed.emplace_back(key, std::move(next));
  }
  for (auto& [key, role] : changed) operations_.write(kube::cluster_roles(), key, std::move(role));
  return !changed.empty();
}

}  // namespace keelson::sandbox
