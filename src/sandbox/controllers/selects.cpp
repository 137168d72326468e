#include "src/sandbox/controllers/selects.hpp"

#include <algorithm>

#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

bool selects(const Tree* selector, const kube::Object& object) {
  if (selector == nullptr || selector->is_null()) return false;
  return selects_labels(*selector, [&object](std::string_view name) { return object.label(name); });
}

bool selects_by_map(const Tree* labels, const kube::Object& object) {
  return labels != nullptr && !labels->is_empty() &&
         std::ranges::all_of(labels->members(), [&object](const auto& wanted) {
           return object.label(wanted.first) == wanted.second.scalar();
         });
}

std::vector<StoredObject> pods_in(const Operations& operations, std::string_view ns, const Tree* selector) {
  std::vector<StoredObject> found;
  const auto& all = operations.world.store.all(operations.kind(kube::pods()));
  for (auto entry = all.lower_bound(kube::Key(ns, "")); entry != all.end() && entry->first.ns == ns; ++entry) {
    const auto& pod = entry->second;
    if (selects(selector, pod.object)) found.push_back({pod.object, pod.stored().tree});
  }
  return found;
}

std::vector<StoredObject> pods_of(const Operations& operations, const Tree& service, std::string_view ns) {
  std::vector<StoredObject> found;
  const Tree* selector = service.at({"spec", "selector"});
  if (selector == nullptr) return found;
  for (const auto& key : operations.world.store.pod_index().pods_with(ns, *selector)) {
    auto pod = operations.stored(operations.kind(kube::pods()), key);
    if (pod && selects_by_map(selector, pod->object)) found.push_back(std::move(*pod));
  }
  return found;
}

}  // namespace keelson::sandbox
