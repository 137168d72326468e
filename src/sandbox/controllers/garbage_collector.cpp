#include "src/sandbox/controllers/garbage_collector.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kOrphanFinalizer = "orphan";
constexpr const char* kForegroundFinalizer = "foregroundDeletion";

bool has_finalizer(const Tree& object, const char* finalizer) {
  return contains(object.items_at({"metadata", "finalizers"}), Tree(finalizer));
}

// The owners of an object, by uid.
struct Owners {
  std::set<std::string> living;
  std::set<std::string> deleted;
  std::set<std::string> waiting;  // for the deletion of their dependents
  bool has_unknown = false;       // whose deletion cannot be known
};

// The object that the reference names and whose uid it has.
const Store::Entry* owner_entry(const Store& store, const kube::OwnerReference& owner, std::string_view ns) {
  const auto place = store.locate_owner(owner.uid, ns);
  const bool is_named = place && place->second.name == owner.name && place->first->resource.kind == owner.kind;
  return is_named ? store.find(*place->first, place->second) : nullptr;
}

// Of a kind that was never served, or of a namespaced kind while the dependent has no namespace in which it could be.
// The real garbage collector never deletes such a dependent.
bool is_unknown_owner(const Kinds& kinds, const kube::OwnerReference& owner, std::string_view ns) {
  const auto& all = kinds.all();
  const auto found = std::ranges::find_if(all, [&owner](const ServedKind& kind) {
    return kind.resource.kind == owner.kind && kind.resource.api_version() == owner.api_version;
  });
  return found == all.end() || (ns.empty() && found->resource.namespaced);
}

Owners owners_of(const World& world, const kube::Object& object) {
  Owners owners;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const auto* found = owner_entry(world.store, owner, object.ns());
    if (found == nullptr && is_unknown_owner(world.kinds, owner, object.ns())) {
      owners.has_unknown = true;
      return;
    }
    const bool waits =
        found != nullptr && found->object.deleting() && has_finalizer(found->stored().tree, kForegroundFinalizer);
    auto& uids = found == nullptr ? owners.deleted : waits ? owners.waiting : owners.living;
    uids.emplace(owner.uid);
  });
  return owners;
}

bool loses_owner(const World& world, const kube::Object& object) {
  const auto owners = owners_of(world, object);
  return !owners.deleted.empty() || !owners.waiting.empty();
}

bool blocks(const Tree& dependent, std::string_view owner_uid) {
  const auto& owners = dependent.items_at({"metadata", "ownerReferences"});
  return std::ranges::any_of(owners, [owner_uid](const Tree& one) {
    return one.text_at({"uid"}) == owner_uid && one.is_true_at({"blockOwnerDeletion"});
  });
}

// How the garbage collector deletes an object whose owners are deleted.
std::string policy_of(const Tree& object) {
  if (has_finalizer(object, kOrphanFinalizer)) return "Orphan";
  return has_finalizer(object, kForegroundFinalizer) ? "Foreground" : "Background";
}

}  // namespace

void GarbageCollector::hear(const Change& change) {
  auto look_at = [this](const ServedKind* kind, const kube::Object& object) {
    to_look_at_.emplace(kind, object.key());
  };
  if (change.after && (change.after->deleting() || loses_owner(world_, *change.after))) {
    look_at(change.kind, *change.after);
  }
  // The deletion of an owner may be waiting for this object.
  const auto& object = change.after ? *change.after : *change.before;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const auto place = world_.store.locate_owner(owner.uid, object.ns());
    const auto* found = place ? world_.store.find(*place->first, place->second) : nullptr;
    if (found != nullptr && found->object.deleting()) to_look_at_.insert(*place);
  });
  if (!change.after) {
    for (const auto& [kind, dependent] : world_.store.dependents(*change.before)) look_at(kind, dependent);
  }
  if (timer_ || to_look_at_.empty()) return;
  timer_ = world_.controller_clock.call_at(world_.controller_clock.now() + delay_, [this] {
    timer_.reset();
    collect();
  });
}

void GarbageCollector::collect() {
  world_.store.trim_trees();
  for (const auto& [kind, key] : std::exchange(to_look_at_, {})) {
    const auto* entry = world_.store.find(*kind, key);
    if (entry == nullptr) continue;
    auto object = entry->object;
    if (object.deleting()) {
      go_on_deleting(*kind, object);
    } else {
      delete_without_owners(*kind, object);
    }
  }
}

void GarbageCollector::delete_without_owners(const ServedKind& kind, const kube::Object& object) {
  const auto* entry = world_.store.find(kind, object.key());
  if (entry == nullptr) return;  // deleted with its definition, for example
  auto policy = policy_of(entry->stored().tree);
  auto owners = owners_of(world_, object);
  if (owners.has_unknown || (owners.deleted.empty() && owners.waiting.empty())) return;
  if (!owners.living.empty()) {
    owners.deleted.merge(owners.waiting);
    return release(kind, object.key(), owners.deleted);
  }
  const auto dependents = world_.store.dependents(object);
  if (!owners.waiting.empty() && !dependents.empty()) {
    // The dependents go first. If one of them waits already, the owners form a circle, which no deletion may block.
    const bool is_circle = std::ranges::any_of(dependents, [this](const auto& place) {
      return place.second.deleting() &&
             has_finalizer(world_.store.find(*place.first, place.second.key())->stored().tree, kForegroundFinalizer);
    });
    if (is_circle) unblock_owners(kind, object.key());
    policy = "Foreground";
  }
  deletes_.remove_quietly(kind, object.key(), policy);
}

void GarbageCollector::go_on_deleting(const ServedKind& kind, const kube::Object& object) {
  const auto* entry = world_.store.find(kind, object.key());
  if (entry == nullptr) return;
  if (has_finalizer(entry->stored().tree, kOrphanFinalizer)) {
    const std::set<std::string> uid{std::string(object.uid())};
    for (const auto& [other, dependent] : world_.store.dependents(object)) release(*other, dependent.key(), uid);
    remove_finalizer(kind, object.key(), kOrphanFinalizer);
    return;
  }
  if (!has_finalizer(entry->stored().tree, kForegroundFinalizer)) return;
  for (const auto& [other, dependent] : world_.store.dependents(object)) {
    if (!dependent.deleting()) delete_without_owners(*other, dependent);
  }
  const auto left = world_.store.dependents(object);
  const bool is_blocked = std::ranges::any_of(left, [&](const auto& place) {
    return blocks(world_.store.find(*place.first, place.second.key())->stored().tree, object.uid());
  });
  if (!is_blocked) remove_finalizer(kind, object.key(), kForegroundFinalizer);
}

void GarbageCollector::release(const ServedKind& kind, const kube::Key& key, const std::set<std::string>& owner_uids) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  auto& owners = next["metadata"]["ownerReferences"];
  std::erase_if(owners.items(), [&](const Tree& reference) { return owner_uids.contains(reference.text_at({"uid"})); });
  if (owners.is_empty()) next["metadata"].erase("ownerReferences");
  write(kind, *entry, std::move(next));
}

void GarbageCollector::unblock_owners(const ServedKind& kind, const kube::Key& key) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  for (auto& owner : next["metadata"].items_of("ownerReferences")) {
    if (owner.is_true_at({"blockOwnerDeletion"})) owner["blockOwnerDeletion"] = false;
  }
  write(kind, *entry, std::move(next));
}

void GarbageCollector::remove_finalizer(const ServedKind& kind, const kube::Key& key, const char* finalizer) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  auto& finalizers = next["metadata"]["finalizers"];
  std::erase(finalizers.items(), Tree(finalizer));
  if (finalizers.is_empty()) next["metadata"].erase("finalizers");
  write(kind, *entry, std::move(next));
}

void GarbageCollector::write(const ServedKind& kind, const Store::Entry& entry, Tree next) {
  auto call = own_call("system:serviceaccount:kube-system:generic-garbage-collector", kind, entry.object.key());
  call.verb = kube::Verb::kPatch;
  static_cast<void>(committer_.commit(call, &entry, std::move(next), std::nullopt));
}

}  // namespace keelson::sandbox
