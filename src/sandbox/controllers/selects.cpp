#include "src/sandbox/controllers/selects.hpp"

#include <algorithm>

namespace keelson::sandbox {

namespace {

bool has_labels(const Tree::Members& labels, const kube::Object& object) {
  return std::all_of(labels.begin(), labels.end(),
                     [&object](const auto& wanted) { return object.label(wanted.first) == wanted.second.scalar(); });
}

bool meets(const Tree& requirement, const kube::Object& object) {
  auto label = object.label(requirement.text_at({"key"}));
  auto op = requirement.text_at({"operator"});
  if (op == "Exists") return label.has_value();
  if (op == "DoesNotExist") return !label.has_value();
  const auto& values = requirement.items_at({"values"});
  bool is_listed = label && std::find(values.begin(), values.end(), Tree(*label)) != values.end();
  return op == "NotIn" ? !is_listed : op == "In" && is_listed;
}

}  // namespace

bool selects(const Tree* selector, const kube::Object& object) {
  if (selector == nullptr || selector->is_null()) return false;
  const auto& expressions = selector->items_at({"matchExpressions"});
  return has_labels(selector->members_at({"matchLabels"}), object) &&
         std::all_of(expressions.begin(), expressions.end(), [&object](const Tree& one) { return meets(one, object); });
}

bool selects_by_map(const Tree* labels, const kube::Object& object) {
  return labels != nullptr && !labels->is_empty() && has_labels(labels->members(), object);
}

std::vector<kube::Object> pods_in(const Operations& operations, std::string_view ns) {
  std::vector<kube::Object> found;
  const auto& all = operations.world.store.all(operations.kind(kube::pods()));
  for (auto entry = all.lower_bound(kube::Key(ns, "")); entry != all.end() && entry->first.ns == ns; ++entry) {
    found.push_back(entry->second.object);
  }
  return found;
}

std::vector<kube::Object> pods_of(const Operations& operations, const Tree& service, std::string_view ns) {
  std::vector<kube::Object> found;
  const Tree* selector = service.at({"spec", "selector"});
  if (selector == nullptr) return found;
  for (const auto& key : operations.world.store.pod_index().pods_with(ns, *selector)) {
    auto pod = operations.object(kube::pods(), key);
    if (pod && selects_by_map(selector, *pod)) found.push_back(std::move(*pod));
  }
  return found;
}

}  // namespace keelson::sandbox
