#include "src/sandbox/storage/label_selector.hpp"

#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"

namespace keelson::sandbox {

namespace {

bool is_number_above(std::string_view one, std::string_view other) {
  const auto a = base::parse_number<std::int64_t>(one);
  const auto b = base::parse_number<std::int64_t>(other);
  return a && b && *a > *b;
}

}  // namespace

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
  if (op == "DoesNotExist") return !value;
  if (!value || values.empty()) return false;
  if (op == "Gt") return is_number_above(*value, values[0].scalar());
  return op == "Lt" && is_number_above(values[0].scalar(), *value);
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
