#include "src/sandbox/controllers/garbage_collector.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace keelson::sandbox {

namespace {

bool has_finalizer(const Tree& object, const char* finalizer) {
  const Tree* finalizers = object.at({"metadata", "finalizers"});
  return finalizers != nullptr && std::ranges::find(finalizers->items(), Tree(finalizer)) != finalizers->items().end();
}

bool is_orphaned(const Store& store, const kube::Object& object) {
  bool has_owner = false;
  bool has_living = false;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    has_owner = true;
    has_living = has_living || store.locate_owner(owner.uid, object.ns()).has_value();
  });
  return has_owner && !has_living;
}

Call own_call(const ServedKind& kind, const kube::Key& key) {
  Call call;
  call.user = user_named("system:serviceaccount:kube-system:generic-garbage-collector");
  call.verb = kube::Verb::kPatch;
  call.kind = &kind;
  call.key = key;
  return call;
}

}  // namespace

void GarbageCollector::hear(const Change& change) {
  auto look_at = [this](const ServedKind* kind, const kube::Object& object) {
    to_look_at_.emplace(kind, object.key());
  };
  if (change.after && (change.after->deleting() || is_orphaned(world_.store, *change.after))) {
    look_at(change.kind, *change.after);
  }
  if (!change.after) {
    for (const auto& [kind, dependent] : world_.store.dependents(*change.before)) look_at(kind, dependent);
    // The deletion of an owner may be waiting for this object.
    change.before->for_each_owner([&](const kube::OwnerReference& owner) {
      if (auto place = world_.store.locate_owner(owner.uid, change.before->ns())) to_look_at_.insert(*place);
    });
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
    } else if (is_orphaned(world_.store, object)) {
      deletes_.remove_quietly(*kind, key, "Background");
    }
  }
}

void GarbageCollector::go_on_deleting(const ServedKind& kind, const kube::Object& object) {
  const auto* entry = world_.store.find(kind, object.key());
  if (entry == nullptr) return;
  if (has_finalizer(entry->stored().tree, "orphan")) {
    orphan(object);
    remove_finalizer(kind, object.key(), "orphan");
    return;
  }
  if (!has_finalizer(entry->stored().tree, "foregroundDeletion")) return;
  for (const auto& [other, dependent] : world_.store.dependents(object)) {
    if (!dependent.deleting()) deletes_.remove_quietly(*other, dependent.key(), "Foreground");
  }
  if (world_.store.dependents(object).empty()) remove_finalizer(kind, object.key(), "foregroundDeletion");
}

void GarbageCollector::orphan(const kube::Object& owner) {
  auto uid = std::string(owner.uid());
  for (const auto& [kind, dependent] : world_.store.dependents(owner)) {
    const auto* entry = world_.store.find(*kind, dependent.key());
    auto next = entry->stored().tree;
    auto& owners = next["metadata"]["ownerReferences"];
    std::erase_if(owners.items(), [&uid](const Tree& reference) { return reference.text_at({"uid"}) == uid; });
    if (owners.is_empty()) next["metadata"].erase("ownerReferences");
    static_cast<void>(committer_.commit(own_call(*kind, dependent.key()), entry, std::move(next), std::nullopt));
  }
}

void GarbageCollector::remove_finalizer(const ServedKind& kind, const kube::Key& key, const char* finalizer) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  auto& finalizers = next["metadata"]["finalizers"];
  std::erase(finalizers.items(), Tree(finalizer));
  if (finalizers.is_empty()) next["metadata"].erase("finalizers");
  static_cast<void>(committer_.commit(own_call(kind, key), entry, std::move(next), std::nullopt));
}

}  // namespace keelson::sandbox
