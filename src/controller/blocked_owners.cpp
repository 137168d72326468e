#include "src/controller/blocked_owners.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace keelson::controller {

namespace {

std::string_view controller_uid(const kube::Object& object) {
  const auto controller = object.controller_owner();
  return controller ? controller->uid : std::string_view();
}

bool may_unblock(const cache::Event& event) {
  if (event.type != cache::Event::Type::kUpdated) return event.type == cache::Event::Type::kDeleted;
  return event.before->deleting() != event.after->deleting() ||
         controller_uid(*event.before) != controller_uid(*event.after);
}

}  // namespace

void BlockedOwners::add(const kube::Key& owner, const Blocker& blocker) {
  const auto known = blockers_.find(owner);
  if (known != blockers_.end()) {
    auto& own = known->second;
    const auto same = std::ranges::find(own, blocker);
    if (same != own.end()) {
      std::rotate(same, same + 1, own.end());
      return;
    }
    if (own.size() == kMostPairsOfOwner) {
      remove(owner, own.front());
      own.erase(own.begin());
    }
  }
  if (size_ == kMostPairs) return;
  blockers_[owner].push_back(blocker);
  owners_[blocker].insert(owner);
  ++size_;
}

void BlockedOwners::settled(const kube::Key& owner, const std::set<Blocker>& blockers) {
  const auto found = blockers_.find(owner);
  if (found == blockers_.end()) return;
  std::erase_if(found->second, [&](const Blocker& blocker) {
    if (blockers.contains(blocker)) return false;
    remove(owner, blocker);
    return true;
  });
  if (found->second.empty()) blockers_.erase(found);
}

// From the owners of the blocker only.
void BlockedOwners::remove(const kube::Key& owner, const Blocker& blocker) {
  const auto blocked = owners_.find(blocker);
  blocked->second.erase(owner);
  if (blocked->second.empty()) owners_.erase(blocked);
  --size_;
}

std::vector<kube::Key> BlockedOwners::unblocked_by(const kube::Resource& resource, const cache::Event& event) const {
  if (owners_.empty() || !may_unblock(event)) return {};
  const auto found = owners_.find({resource.qualified_plural(), event.object().key()});
  if (found == owners_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace keelson::controller
