#include "src/sandbox/controllers/revisions.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "keelson/schema/identity.hpp"

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

// As Go writes a map: the members by name. Clients compare the bytes of `data` with those of a template.
Tree sorted(const Tree& value) {
  if (value.is_array()) {
    auto items = Tree::array();
    for (const auto& item : value.items()) items.items().push_back(sorted(item));
    return items;
  }
  if (!value.is_object()) return value;
  std::map<std::string_view, const Tree*> by_name;
  for (const auto& [name, member] : value.members()) by_name.emplace(name, &member);
  auto object = Tree::object();
  for (const auto& [name, member] : by_name) object.members().emplace_back(name, sorted(*member));
  return object;
}

void create(const RevisionOwner& owner, const Revision& revision) {
  auto metadata = Tree::object({{"name", revision.name}});
  metadata["labels"] = revision.pod_template.copy_at({"metadata", "labels"});
  metadata["labels"][owner.hash_label] = revision.hash;
  const Tree* annotations = owner.sync.tree.at({"metadata", "annotations"});
  if (annotations != nullptr) metadata["annotations"] = *annotations;
  metadata["ownerReferences"] = owner.sync.as_owner();
  auto patch = revision.pod_template;
  patch["$patch"] = "replace";
  auto data = Tree::object({{"spec", Tree::object({{"template", sorted(patch)}})}});
  owner.sync.operations.create(kube::controller_revisions(), std::string(owner.sync.object.ns()),
                               Tree::object({{"metadata", metadata}, {"data", data}, {"revision", revision.number}}));
}

void renumber(Operations& operations, const kube::Key& key, std::int64_t number) {
  auto next = *operations.tree(kube::controller_revisions(), key);
  next["revision"] = number;
  operations.write(kube::controller_revisions(), key, std::move(next));
}

}  // namespace

std::vector<Revision> revisions_of(const RevisionOwner& owner) {
  std::vector<Revision> revisions;
  for (const auto& [object, tree] : owner.sync.owned(kube::controller_revisions())) {
    revisions.push_back(read(tree, owner.hash_label));
  }
  std::ranges::stable_sort(revisions, {}, &Revision::number);
  return revisions;
}

void adopt_revisions(const RevisionOwner& owner) {
  const auto is_selected = owner.sync.by_selector();
  owner.sync.claim(kube::controller_revisions(), [&](const StoredObject& revision) {
    return revision.object.controller_owner() || is_selected(revision);
  });
}

Revision update_revision(const RevisionOwner& owner, const std::vector<Revision>& revisions) {
  auto pod_template = owner.sync.tree.copy_at({"spec", "template"});
  auto equal = std::find_if(revisions.rbegin(), revisions.rend(),
                            [&](const Revision& one) { return one.pod_template == pod_template; });
  if (equal != revisions.rend()) {
    auto revision = *equal;
    if (equal == revisions.rbegin()) return revision;
    revision.number = revisions.back().number + 1;
    renumber(owner.sync.operations, owner.sync.key_of(revision.name), revision.number);
    return revision;
  }
  Revision revision;
  revision.number = revisions.empty() ? 1 : revisions.back().number + 1;
  revision.hash = hash_of(pod_template.text());
  revision.name = owner.sync.name() + "-" + revision.hash;
  revision.pod_template = std::move(pod_template);
  create(owner, revision);
  return revision;
}

void truncate_revisions(const RevisionOwner& owner, const std::set<std::string>& names_in_use) {
  auto revisions = revisions_of(owner);
  std::erase_if(revisions, [&names_in_use](const Revision& one) { return names_in_use.contains(one.name); });
  auto limit = static_cast<std::size_t>(
      std::max<std::int64_t>(0, owner.sync.tree.integer_at({"spec", "revisionHistoryLimit"}, 10)));
  for (std::size_t i = 0; i + limit < revisions.size(); ++i) {
    owner.sync.operations.remove(kube::controller_revisions(), owner.sync.key_of(revisions[i].name));
  }
}

}  // namespace keelson::sandbox
