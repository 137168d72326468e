#include "src/sandbox/storage/label_selector.hpp"

#include <algorithm>

namespace keelson::sandbox {

LabelOf labels_in(const Tree* labels) {
  return [labels](std::string_view name) {
    const Tree* found = labels != nullptr ? labels->find(name) : nullptr;
    return found != nullptr ? std::optional(found->scalar()) : std::nullopt;
  };
}

bool meets_requirement(const Tree& requirement, const std::optional<std::string>& value) {
  const auto op = requirement.text_at({"operator"});
  const auto& values = requirement.items_at({"values"});
  const bool is_listed =
      value && std::ranges::any_of(values, [&value](const Tree& one) { return one.scalar() == *value; });
  if (op == "In") return is_listed;
  if (op == "NotIn") return !is_listed;
  if (op == "Exists") return value.has_value();
  return op == "DoesNotExist" && !value;
}

bool selects_labels(const Tree& selector, const LabelOf& label_of) {
  const bool has_labels = std::ranges::all_of(selector.members_at({"matchLabels"}), [&label_of](const auto& wanted) {
    return label_of(wanted.first) == wanted.second.scalar();
  });
  return has_labels && std::ranges::all_of(selector.items_at({"matchExpressions"}), [&label_of](const Tree& one) {
           return meets_requirement(one, label_of(one.text_at({"key"})));
         });
}

}  // namespace keelson::sandbox
