// Remembers which objects cannot have a child, because an object that they do not control has the child's name.
//
// That object has no owner reference to them, so no map function leads from its deletion to them. The map is memory:
// after a start, the first pass of each blocked object fills it again.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/cache/informer.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

class BlockedOwners {
 public:
  // The object that blocks: its resource as "deployments.apps", and its key.
  using Blocker = std::pair<std::string, kube::Key>;

  // Pairs of an owner and a blocker: at most about 2 MB. A tenant could fill the map.
  static constexpr std::size_t kMostPairs = 4096;
  // Pairs of one owner: an owner whose passes always fail keeps its pairs, also those of children that it no longer
  // wants.
  static constexpr std::size_t kMostPairsOfOwner = 64;

  // Ignored if the map is full: then only the next retry of the owner, whose pass failed, notices that the name is
  // free. If the owner has too many pairs, the one that was added first goes; a pair that is added again counts as new.
  void add(const kube::Key& owner, const Blocker& blocker);
  // A pass of the owner has succeeded, and was blocked by these objects only.
  void settled(const kube::Key& owner, const std::set<Blocker>& blockers);
  // The owner is gone.
  void forget(const kube::Key& owner) { settled(owner, {}); }
  // The owners that may have their child after the event: the object is deleted or has just begun to be, or its
  // controller is another one.
  [[nodiscard]] std::vector<kube::Key> unblocked_by(const kube::Resource& resource, const cache::Event& event) const;

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void remove(const kube::Key& owner, const Blocker& blocker);

  std::map<Blocker, std::set<kube::Key>> owners_;
  std::map<kube::Key, std::vector<Blocker>> blockers_;  // of each owner, the oldest first
  std::size_t size_ = 0;                                // pairs of an owner and a blocker
};

}  // namespace keelson::controller
