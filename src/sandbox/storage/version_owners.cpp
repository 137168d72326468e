#include "src/sandbox/storage/version_owners.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/sandbox/fields/last_applied.hpp"
#include "src/sandbox/kinds/object_form.hpp"
#include "src/sandbox/kinds/version_view.hpp"

namespace keelson::sandbox {

namespace {

// Moves the managers of another version to the result.
Managers taken_others(Managers& managers, const ServedKind& other) {
  const auto version = other.resource.api_version();
  const auto is_other = [&version](const Manager& manager) { return manager.api_version == version; };
  const auto others = std::ranges::stable_partition(managers, [&](const Manager& one) { return !is_other(one); });
  Managers taken(std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  managers.erase(others.begin(), others.end());
  return taken;
}

// Adds the managers of another version after the same write there. What `who` wrote is in its own version already.
void add_others(Managers& managers, const Manager& who, Managers others) {
  std::erase_if(others, [&who](const Manager& manager) { return manager.is_same(who); });
  std::ranges::move(others, std::back_inserter(managers));
}

}  // namespace

Managers owners_after_update(const World& world, const Call& call, const Tree* before, const Tree& after,
                             Managers managers, const Manager& who) {
  const auto& own = call.view != nullptr ? *call.view : *call.kind;
  const auto had = before != nullptr ? in_version(own, *before) : zero_object(own);
  const auto* other = other_version(world, own);
  if (other == nullptr) return after_update(had, after, std::move(managers), who, own.merge_type());
  auto others = taken_others(managers, *other);
  auto owners = after_update(had, in_version(own, after), std::move(managers), who, own.merge_type());
  if (others.empty() || before == nullptr) return owners;
  add_others(owners, who,
             after_update(in_version(*other, *before), in_version(*other, after), std::move(others), who,
                          other->merge_type()));
  return owners;
}

Applied apply_in_version(const World& world, const Call& call, const Tree& live, Managers managers,
                         const Tree& configuration, const Manager& who) {
  const bool is_forced = call.is_set("force");
  if (call.view == nullptr && other_version(world, *call.kind) == nullptr) {
    return apply_with_migration(live, managers, configuration, who, is_forced, call.kind->merge_type());
  }
  const auto& own = call.view != nullptr ? *call.view : *call.kind;
  const auto& other = *other_version(world, own);
  auto others = taken_others(managers, other);
  // An applier is the same in every version. It is also here, so that an object that has managers is not adopted.
  const auto is_who = [&who](const Manager& manager) { return manager.is_same(who); };
  if (auto found = std::ranges::find_if(others, is_who); found != others.end()) {
    managers.push_back(std::move(*found));
    others.erase(found);
  } else if (managers.empty() && !others.empty()) {
    managers.push_back(who);
  }
  const auto base = live.find("kind") != nullptr ? in_version(own, live) : live;
  auto applied = apply_with_migration(base, managers, configuration, who, is_forced, own.merge_type());
  if (others.empty()) return applied;
  const auto next = call.view != nullptr ? as_stored(call, applied.object, &live) : applied.object;
  auto there =
      apply(in_version(other, live), std::move(others), in_version(other, next), who, is_forced, other.merge_type());
  std::ranges::move(there.conflicts, std::back_inserter(applied.conflicts));
  add_others(applied.managers, who, std::move(there.managers));
  return applied;
}

}  // namespace keelson::sandbox
