#include "src/sandbox/controllers/volume_claims.hpp"

#include "keelson/schema/identity.hpp"

#include <algorithm>
#include <vector>

namespace keelson::sandbox {

namespace {

const std::vector<Tree>& claim_templates(const Tree& set) { return set.items_at({"spec", "volumeClaimTemplates"}); }

std::string claim_name(const Tree& claim, const Tree& set, std::int64_t ordinal) {
  return claim.text_at({"metadata", "name"}) + "-" + set.text_at({"metadata", "name"}) + "-" + std::to_string(ordinal);
}

bool deletes_claims(const Tree& set, const char* when) {
  return set.text_at({"spec", "persistentVolumeClaimRetentionPolicy", when}) == "Delete";
}

bool is_about(const Tree& reference, const kube::Object& object) { return reference.text_at({"uid"}) == object.uid(); }

}  // namespace

void create_claims(Sync& set, std::int64_t ordinal) {
  for (const auto& claim_template : claim_templates(set.tree)) {
    auto claim = claim_template;
    claim["metadata"]["name"] = claim_name(claim_template, set.tree, ordinal);
    for (const auto& [name, value] : set.tree.members_at({"spec", "selector", "matchLabels"})) {
      claim["metadata"]["labels"][name] = value;
    }
    claim["status"] = Tree::object({{"phase", "Pending"}});
    const auto name = claim.text_at({"metadata", "name"});
    const auto ns = std::string(set.object.ns());
    if (set.operations.create(kube::persistent_volume_claims(), ns, std::move(claim))) continue;
    set.record("SuccessfulCreate", "Create Claim " + name + " Pod " + set.name() + "-" + std::to_string(ordinal) +
                                       " in StatefulSet " + set.name() + " success");
  }
}

void mount_claims(Tree& pod, const Tree& set, std::int64_t ordinal) {
  if (claim_templates(set).empty()) return;
  auto volumes = Tree::array();
  for (const auto& claim : claim_templates(set)) {
    auto source = Tree::object({{"claimName", claim_name(claim, set, ordinal)}});
    volumes.items().push_back(
        Tree::object({{"name", claim.text_at({"metadata", "name"})}, {"persistentVolumeClaim", source}}));
  }
  for (const auto& volume : pod.items_at({"spec", "volumes"})) {
    const auto& claims = claim_templates(set);
    bool is_claim = std::ranges::any_of(claims, [&volume](const Tree& claim) {
      return claim.text_at({"metadata", "name"}) == volume.text_at({"name"});
    });
    if (!is_claim) volumes.items().push_back(volume);
  }
  pod["spec"]["volumes"] = std::move(volumes);
}

void own_claims(Sync& set, const kube::Object& pod, std::int64_t ordinal, bool is_condemned) {
  const bool goes_with_pod = is_condemned && deletes_claims(set.tree, "whenScaled");
  const bool goes_with_set = !goes_with_pod && deletes_claims(set.tree, "whenDeleted");
  for (const auto& claim_template : claim_templates(set.tree)) {
    const auto key = set.key_of(claim_name(claim_template, set.tree, ordinal));
    const Tree* claim = set.operations.tree(kube::persistent_volume_claims(), key);
    if (claim == nullptr) continue;
    auto next = *claim;
    auto owners = Tree::array(claim->items_at({"metadata", "ownerReferences"}));
    std::erase_if(owners.items(), [&](const Tree& one) { return is_about(one, set.object) || is_about(one, pod); });
    if (goes_with_pod) owners.items().push_back(controlled_by(kube::pods(), pod).items().front());
    if (goes_with_set) owners.items().push_back(set.as_owner().items().front());
    set_or_erase(next["metadata"], "ownerReferences", std::move(owners));
    set.operations.write(kube::persistent_volume_claims(), key, std::move(next));
  }
}

}  // namespace keelson::sandbox
