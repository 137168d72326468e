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

void create_claims(Operations& operations, const Tree& set, std::int64_t ordinal) {
  auto ns = set.text_at({"metadata", "namespace"});
  for (const auto& claim_template : claim_templates(set)) {
    auto claim = claim_template;
    claim["metadata"]["name"] = claim_name(claim_template, set, ordinal);
    for (const auto& [name, value] : set.members_at({"spec", "selector", "matchLabels"})) {
      claim["metadata"]["labels"][name] = value;
    }
    claim["status"] = Tree::object({{"phase", "Pending"}});
    operations.create(kube::persistent_volume_claims(), ns, std::move(claim));
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

void own_claims(Operations& operations, const kube::Object& set, const Tree& tree, const kube::Object& pod,
                std::int64_t ordinal, bool is_condemned) {
  const bool goes_with_pod = is_condemned && deletes_claims(tree, "whenScaled");
  const bool goes_with_set = !goes_with_pod && deletes_claims(tree, "whenDeleted");
  for (const auto& claim_template : claim_templates(tree)) {
    kube::Key key(set.ns(), claim_name(claim_template, tree, ordinal));
    const Tree* claim = operations.tree(kube::persistent_volume_claims(), key);
    if (claim == nullptr) continue;
    auto next = *claim;
    auto owners = Tree::array(claim->items_at({"metadata", "ownerReferences"}));
    std::erase_if(owners.items(), [&](const Tree& one) { return is_about(one, set) || is_about(one, pod); });
    if (goes_with_pod) owners.items().push_back(controlled_by(kube::pods(), pod).items().front());
    if (goes_with_set) owners.items().push_back(controlled_by(kube::stateful_sets(), set).items().front());
    if (owners.items().empty()) {
      next["metadata"].erase("ownerReferences");
    } else {
      next["metadata"]["ownerReferences"] = std::move(owners);
    }
    operations.write(kube::persistent_volume_claims(), key, std::move(next));
  }
}

}  // namespace keelson::sandbox
