#include "src/sandbox/fields/last_applied.hpp"

#include <algorithm>
#include <optional>

#include "src/sandbox/fields/field_changes.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kMostAnnotationBytes = 256 * 1024;  // of all annotations of an object

bool has_path(const FieldSet& fields, const FieldPath& path) {
  const auto* at = &fields.root();
  for (const auto& step : path) {
    at = at->find(step);
    if (at == nullptr) return false;
  }
  return at->is_member;
}

// The fields that the annotation names and that have its values; absent without a usable annotation.
std::optional<FieldSet> unchanged_fields(const Tree& live, const Manager& who, const MergeType& type) {
  const auto text = live.text_at({"metadata", "annotations", kAnnotation});
  if (text.empty()) return std::nullopt;
  const auto last = Tree::parse(text);
  if (!last || last->text_at({"apiVersion"}) != who.api_version) return std::nullopt;
  const auto changes = changes_between(*last, live, type);
  return difference_of(difference_of(fields_of(*last, type), changes.written), changes.gone);
}

}  // namespace

Applied apply_with_migration(const Tree& live, const Managers& managers, const Tree& configuration, const Manager& who,
                             bool force, const MergeType& type) {
  auto applied = apply(live, managers, configuration, who, force, type);
  if (who.name != kKubectl || applied.conflicts.empty()) return applied;
  const auto unchanged = unchanged_fields(live, who, type);
  if (!unchanged) return applied;
  std::erase_if(applied.conflicts, [&](const FieldConflict& conflict) { return has_path(*unchanged, conflict.path); });
  if (!applied.conflicts.empty()) return applied;
  return apply(live, managers, configuration, who, true, type);
}

void update_last_applied(Tree& object, Tree configuration) {
  if (object.text_at({"metadata", "annotations", kAnnotation}).empty()) return;
  if (configuration.at({"metadata", "annotations"}) != nullptr) {
    configuration["metadata"]["annotations"].erase(kAnnotation);
  }
  auto& annotations = object["metadata"]["annotations"];
  annotations[kAnnotation] = Tree(go_json(configuration) + "\n");
  std::size_t bytes = 0;
  for (const auto& [name, value] : annotations.members()) bytes += name.size() + value.scalar().size();
  if (bytes > kMostAnnotationBytes) annotations.erase(kAnnotation);
}

}  // namespace keelson::sandbox
