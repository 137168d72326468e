#include "src/sandbox/controllers/revisions.hpp"

#include <algorithm>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/pods.hpp"

namespace keelson::sandbox {

namespace {

Revision read(const Tree& tree, const char* hash_label) {
  Revision revision;
  revision.name = tree.text_at({"metadata", "name"});
  revision.hash = tree.text_at({"metadata", "labels", hash_label});
  revision.number = tree.integer_at({"revision"});
  const Tree* pod_template = tree.at({"data", "spec", "template"});
  if (pod_template != nullptr) revision.pod_template = *pod_template;
  revision.pod_template.erase("$patch");
  return revision;
}

void create(Operations& operations, const RevisionOwner& owner, const Revision& revision) {
  auto metadata = Tree::object({{"name", revision.name}});
  metadata["labels"] = revision.pod_template.copy_at({"metadata", "labels"});
  metadata["labels"][owner.hash_label] = revision.hash;
  const Tree* annotations = owner.tree.at({"metadata", "annotations"});
  if (annotations != nullptr) metadata["annotations"] = *annotations;
  metadata["ownerReferences"] = controlled_by(owner.resource, owner.object);
  auto patch = revision.pod_template;
  patch["$patch"] = "replace";
  auto data = Tree::object({{"spec", Tree::object({{"template", patch}})}});
  operations.create(kube::controller_revisions(), std::string(owner.object.ns()),
                    Tree::object({{"metadata", metadata}, {"data", data}, {"revision", revision.number}}));
}

void renumber(Operations& operations, const kube::Key& key, std::int64_t number) {
  auto next = *operations.tree(kube::controller_revisions(), key);
  next["revision"] = number;
  operations.write(kube::controller_revisions(), key, std::move(next));
}

}  // namespace

std::vector<Revision> revisions_of(const Operations& operations, const RevisionOwner& owner) {
  std::vector<Revision> revisions;
  for (const auto& object : operations.owned(kube::controller_revisions(), owner.object)) {
    revisions.push_back(read(*operations.tree(kube::controller_revisions(), object.key()), owner.hash_label));
  }
  std::ranges::stable_sort(revisions, [](const Revision& a, const Revision& b) { return a.number < b.number; });
  return revisions;
}

Revision update_revision(Operations& operations, const RevisionOwner& owner, const std::vector<Revision>& revisions) {
  auto pod_template = owner.tree.copy_at({"spec", "template"});
  auto equal = std::find_if(revisions.rbegin(), revisions.rend(),
                            [&](const Revision& one) { return one.pod_template == pod_template; });
  if (equal != revisions.rend()) {
    auto revision = *equal;
    if (equal == revisions.rbegin()) return revision;
    revision.number = revisions.back().number + 1;
    renumber(operations, kube::Key(owner.object.ns(), revision.name), revision.number);
    return revision;
  }
  Revision revision;
  revision.number = revisions.empty() ? 1 : revisions.back().number + 1;
  revision.hash = hash_of(pod_template.text());
  revision.name = std::string(owner.object.name()) + "-" + revision.hash;
  revision.pod_template = std::move(pod_template);
  create(operations, owner, revision);
  return revision;
}

void truncate_revisions(Operations& operations, const RevisionOwner& owner, const std::set<std::string>& names_in_use) {
  auto revisions = revisions_of(operations, owner);
  std::erase_if(revisions, [&names_in_use](const Revision& one) { return names_in_use.contains(one.name); });
  auto limit =
      static_cast<std::size_t>(std::max<std::int64_t>(0, owner.tree.integer_at({"spec", "revisionHistoryLimit"}, 10)));
  for (std::size_t i = 0; i + limit < revisions.size(); ++i) {
    operations.remove(kube::controller_revisions(), kube::Key(owner.object.ns(), revisions[i].name));
  }
}

}  // namespace keelson::sandbox
