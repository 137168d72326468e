#include "src/sandbox/controllers/namespace_deletion.hpp"

#include <map>
#include <utility>
#include <vector>

#include "keelson/schema/identity.hpp"

namespace keelson::sandbox {

namespace {

// The objects that are left in a namespace: "configmaps." and "deployments.apps" with their numbers.
struct NamespaceContent {
  std::map<std::string, std::size_t> by_resource;
  std::map<std::string, std::size_t> by_finalizer;
};

NamespaceContent content_of(const World& world, const std::string& ns) {
  NamespaceContent content;
  for (const auto& [kind, entries] : world.store.objects()) {
    if (!kind->resource.namespaced) continue;
    for (auto one = entries.lower_bound(kube::Key(ns, "")); one != entries.end() && one->first.ns == ns; ++one) {
      ++content.by_resource[kind->resource.plural + "." + kind->resource.group];
      for (const auto& finalizer : one->second.stored().tree.texts_at({"metadata", "finalizers"})) {
        ++content.by_finalizer[finalizer];
      }
    }
  }
  return content;
}

std::string counts_in(const std::map<std::string, std::size_t>& counts, const std::string& between) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += ", ";
    text.append(name).append(between).append(std::to_string(count)).append(" resource instances");
  }
  return text;
}

// Conditions of the controller's types; those about errors never become true here.
void set_deletion_conditions(Tree& status, const NamespaceContent& content, const std::string& now) {
  const auto set = [&](const char* type, bool is_true, const char* reason, const std::string& message) {
    set_condition(status, new_condition(type, is_true, reason, message), now);
  };
  set("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered", "All resources successfully discovered");
  set("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
      "All legacy kube types successfully parsed");
  set("NamespaceDeletionContentFailure", false, "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization");
  if (content.by_resource.empty()) {
    set("NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed");
  } else {
    set("NamespaceContentRemaining", true, "SomeResourcesRemain",
        "Some resources are remaining: " + counts_in(content.by_resource, " has "));
  }
  if (content.by_finalizer.empty()) {
    set("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers", "All content-preserving finalizers finished");
  } else {
    set("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain",
        "Some content in the namespace has finalizers remaining: " + counts_in(content.by_finalizer, " in "));
  }
}

}  // namespace

void NamespaceDeletion::hear(const Change& change) {
  const auto key = change.key();
  if (change.kind->resource == kube::namespaces()) {
    if (!change.after || !change.after->deleting()) {
      terminating_.erase(key.name);
      return;
    }
    terminating_.insert(key.name);
    look_at(key.name);
  } else if (!terminating_.empty() && terminating_.contains(key.ns)) {
    look_at(key.ns);
  }
}

void NamespaceDeletion::look_at(const std::string& name) {
  changed_.insert(name);
  passes_.wake();
}

void NamespaceDeletion::continue_deletions() {
  operations_.world.store.trim_trees();
  for (const auto& name : std::exchange(changed_, {})) {
    if (continue_deletion(kube::Key("", name))) continue;
    changed_.insert(name);
    passes_.wake_after_rejection();
  }
}

bool NamespaceDeletion::continue_deletion(const kube::Key& key) {
  static const auto kNamespaces = kube::namespaces();
  const auto found = operations_.object(kNamespaces, key);
  if (!found || !found->deleting()) return true;
  // While pods remain, the real controller does not look for other content.
  const bool has_pods = !deletes_.empty_namespace(key.name);
  const auto content = has_pods ? NamespaceContent() : content_of(operations_.world, key.name);
  auto status = status_of(*operations_.tree(kNamespaces, key));
  set_deletion_conditions(status, content, operations_.world.time_text());
  const bool is_rejected = operations_.write_status(kNamespaces, key, std::move(status)).has_value();
  if (has_pods || !content.by_resource.empty()) return !is_rejected;
  auto next = *operations_.tree(kNamespaces, key);
  std::erase(list_in(next["spec"], "finalizers"), Tree("kubernetes"));
  if (next["spec"]["finalizers"].is_empty()) next["spec"].erase("finalizers");
  return !operations_.write(kNamespaces, key, std::move(next), Subresource::kFinalize);
}

}  // namespace keelson::sandbox
