// The controllers that protect storage in use: PersistentVolumeClaims that pods mount, bound PersistentVolumes, and the
// classes of both.
#include "src/sandbox/controllers/storage_protection.hpp"

#include <algorithm>
#include <string>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/node_fit.hpp"
#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/kinds/new_objects.hpp"

namespace keelson::sandbox {

namespace {

bool mounts_claim(const Tree& pod, const kube::Object& claim) {
  const auto& volumes = pod.items_at({"spec", "volumes"});
  return std::ranges::any_of(volumes, [&](const Tree& volume) {
    const auto own_name = pod.text_at({"metadata", "name"}) + "-" + volume.text_at({"name"});
    return volume.text_at({"persistentVolumeClaim", "claimName"}) == claim.name() ||
           (volume.find("ephemeral") != nullptr && own_name == claim.name());
  });
}

// An unscheduled pod does not count: a kubelet does not start pods whose claim is being deleted.
bool is_mounted(const Sync& claim) {
  const auto ns = claim.object.ns();
  const auto& pods = claim.operations.world.store.all(claim.operations.kind(kube::pods()));
  for (auto pod = pods.lower_bound(kube::Key(ns, "")); pod != pods.end() && pod->first.ns == ns; ++pod) {
    const auto& tree = pod->second.stored().tree;
    if (!node_of(tree).empty() && mounts_claim(tree, claim.object)) return true;
  }
  return false;
}

void release(Sync& sync, const char* finalizer) {
  auto next = sync.tree;
  auto finalizers = Tree::array(next.items_at({"metadata", "finalizers"}));
  std::erase(finalizers.items(), Tree(finalizer));
  set_or_erase(next["metadata"], "finalizers", std::move(finalizers));
  sync.operations.write(sync.kind.resource, sync.object.key(), std::move(next));
}

// Whether a claim or a volume names the VolumeAttributesClass.
bool has_users(const Sync& volume_class) {
  static const kube::Resource kVolumes("", "v1", "PersistentVolume", "persistentvolumes", false);
  const auto& operations = volume_class.operations;
  const auto uses = [name = std::string(volume_class.object.name())](const auto& entry) {
    const auto& tree = entry.second.stored().tree;
    return tree.text_at({"spec", "volumeAttributesClassName"}) == name ||
           tree.text_at({"status", "currentVolumeAttributesClassName"}) == name;
  };
  return std::ranges::any_of(operations.world.store.all(operations.kind(kube::persistent_volume_claims())), uses) ||
         std::ranges::any_of(operations.world.store.all(operations.kind(kVolumes)), uses);
}

}  // namespace

void sync_claim_protection(Sync& claim) {
  if (claim.object.deleting() && !is_mounted(claim)) release(claim, kClaimProtection);
}

void sync_volume_protection(Sync& volume) {
  const bool is_bound = volume.tree.text_at({"status", "phase"}) == "Bound";
  if (volume.object.deleting() && !is_bound) release(volume, kVolumeProtection);
}

void sync_class_protection(Sync& volume_class) {
  if (volume_class.object.deleting() && !has_users(volume_class)) release(volume_class, kClassProtection);
}

}  // namespace keelson::sandbox
