#include "src/sandbox/controllers/definition_deletion.hpp"

#include <utility>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

DefinitionDeletion::DefinitionDeletion(World& world, Committer& committer, Deletes& deletes)
    : operations_(world, committer, deletes, "system:apiserver"),
      deletes_(deletes),
      passes_(world.clock, {}, [this] { continue_deletions(); }) {}

void DefinitionDeletion::hear(const Change& change) {
  const auto& resource = change.kind->resource;
  if (resource == kube::custom_resource_definitions()) {
    const auto name = change.key().name;
    if (!change.after) {
      terminating_.erase(name);
      return deletes_.stop_serving(json_tree(change.before->json()));
    }
    if (!change.after->deleting()) return;
    terminating_.insert(name);
    look_at(name);
  } else if (!terminating_.empty() && !change.after && terminating_.contains(resource.qualified_plural())) {
    if (operations_.world.store.all(*change.kind).empty()) look_at(resource.qualified_plural());
  }
}

void DefinitionDeletion::look_at(const std::string& name) {
  changed_.insert(name);
  passes_.wake();
}

void DefinitionDeletion::continue_deletions() {
  for (const auto& name : std::exchange(changed_, {})) {
    if (continue_deletion(kube::Key("", name))) continue;
    changed_.insert(name);
    passes_.wake_after_rejection();
  }
}

bool DefinitionDeletion::continue_deletion(const kube::Key& key) {
  static const auto kDefinitions = kube::custom_resource_definitions();
  const Tree* definition = operations_.tree(kDefinitions, key);
  if (definition == nullptr || definition->at({"metadata", "deletionTimestamp"}) == nullptr) return true;
  if (!contains(definition->items_at({"metadata", "finalizers"}), Tree(kCleanupFinalizer))) return true;
  const bool is_empty = !deletes_.has_objects(*definition);
  auto condition = is_empty ? new_condition("Terminating", false, "InstanceDeletionCompleted", "removed all instances")
                            : new_condition("Terminating", true, "InstanceDeletionInProgress",
                                            "CustomResource deletion is in progress");
  auto next = *definition;
  set_condition(next["status"], std::move(condition), operations_.world.time_text());
  if (is_empty) std::erase(list_in(next["metadata"], "finalizers"), Tree(kCleanupFinalizer));
  return !operations_.write(kDefinitions, key, std::move(next), Subresource::kStatus);
}

}  // namespace keelson::sandbox
