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

// The object with the uid of the reference, if it is the one that the reference names.
const Store::Entry* entry_by_uid(const Store& store, const kube::OwnerReference& owner, std::string_view ns) {
  const auto place = store.locate_owner(owner.uid, ns);
  const bool is_named = place && place->second.name == owner.name && place->first->resource.kind == owner.kind;
  return is_named ? store.find(*place->first, place->second) : nullptr;
}

std::string type_of(const kube::OwnerReference& owner) {
  return std::string(owner.api_version).append(" ").append(owner.kind);
}

// As the real garbage collector asks for an owner: by its name.
const Store::Entry* entry_by_name(const Store& store, const ServedKind& kind, const kube::OwnerReference& owner,
                                  std::string_view ns) {
  const auto* found = store.find(kind.home(), kube::Key(kind.resource.namespaced ? ns : "", owner.name));
  return found != nullptr && found->object.uid() == owner.uid ? found : nullptr;
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

// The owners of an object, by uid.
struct GarbageCollector::Owners {
  std::set<std::string> living;
  std::set<std::string> deleted;
  std::set<std::string> waiting;  // for the deletion of their dependents
  // The types of owners whose kind is not served, or whose kind is namespaced although the object is not. The real
  // garbage collector never deletes such an object, unless it has seen the deletion of the owner.
  std::set<std::string> unknown_types;

  [[nodiscard]] bool has_lost_one() const { return !deleted.empty() || !waiting.empty(); }
};

GarbageCollector::Owners GarbageCollector::owners_of(const kube::Object& object) const {
  Owners owners;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const std::string uid(owner.uid);
    const auto* found = entry_by_uid(world_.store, owner, object.ns());
    if (found == nullptr) {
      const auto* kind = world_.kinds.find(owner.api_version, owner.kind);
      const bool is_known = kind != nullptr && (!object.ns().empty() || !kind->resource.namespaced);
      if (is_known) found = entry_by_name(world_.store, *kind, owner, object.ns());
      if (found == nullptr && (is_known || deleted_.contains(uid) || collected_.contains(uid))) {
        owners.deleted.insert(uid);
        return;
      }
      if (found == nullptr) owners.unknown_types.insert(type_of(owner));
    }
    if (found == nullptr) return;
    const bool waits = found->object.deleting() && has_finalizer(found->stored().tree, kForegroundFinalizer);
    (waits ? owners.waiting : owners.living).insert(uid);
  });
  return owners;
}

void GarbageCollector::hear(const Change& change) {
  if (change.before) stop_waiting(*change.kind, *change.before);
  if (change.after) {
    const auto owners = owners_of(*change.after);
    if (change.after->deleting() || owners.has_lost_one()) look_at({change.kind, change.after->key()});
    for (const auto& type : owners.unknown_types) waiting_for_type_[type].emplace(change.kind, change.after->key());
  }
  if (change.after && change.kind->resource == kube::custom_resource_definitions()) look_at_waiting(*change.after);
  // The deletion of an owner may be waiting for this object.
  const auto& object = change.after ? *change.after : *change.before;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const auto place = world_.store.locate_owner(owner.uid, object.ns());
    const auto* found = place ? world_.store.find(*place->first, place->second) : nullptr;
    if (found != nullptr && found->object.deleting()) look_at(*place);
  });
  if (!change.after) {
    const auto dependents = world_.store.dependents(*change.before);
    if (!dependents.empty()) deleted_.emplace(change.before->uid());
    for (const auto& [kind, dependent] : dependents) look_at({kind, dependent.key()});
  }
}

void GarbageCollector::look_at(const Store::Place& place) {
  to_look_at_.insert(place);
  passes_.wake();
}

void GarbageCollector::stop_waiting(const ServedKind& kind, const kube::Object& object) {
  if (waiting_for_type_.empty()) return;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const auto found = waiting_for_type_.find(type_of(owner));
    if (found == waiting_for_type_.end()) return;
    found->second.erase({&kind, object.key()});
    if (found->second.empty()) waiting_for_type_.erase(found);
  });
}

void GarbageCollector::look_at_waiting(const kube::Object& definition) {
  if (waiting_for_type_.empty()) return;
  const auto tree = json_tree(definition.json());
  for (const auto& version : tree.items_at({"spec", "versions"})) {
    const auto type = tree.text_at({"spec", "group"}) + "/" + version.text_at({"name"}) + " " +
                      tree.text_at({"spec", "names", "kind"});
    if (const auto found = waiting_for_type_.extract(type)) {
      for (const auto& place : found.mapped()) look_at(place);
    }
  }
}

void GarbageCollector::collect() {
  world_.store.trim_trees();
  collected_ = std::exchange(deleted_, {});
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
  auto owners = owners_of(object);
  for (const auto& type : owners.unknown_types) waiting_for_type_[type].emplace(&kind, object.key());
  if (!owners.unknown_types.empty() || !owners.has_lost_one()) return;
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
  if (committer_.commit(call, &entry, std::move(next), std::nullopt)) return;
  to_look_at_.emplace(&kind, call.key);
  passes_.wake_after_rejection();
}

}  // namespace keelson::sandbox
