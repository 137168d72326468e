#include "keelson/kube/selector.hpp"

#include <algorithm>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/kube/label_check.hpp"
#include "src/kube/selector_parser.hpp"

namespace keelson::kube {

namespace {

using Requirement = Selector::Requirement;
using Operator = Requirement::Operator;

// `value` is that of the requirement's label; empty: the object does not have it.
bool meets(std::optional<std::string_view> value, const Requirement& requirement) {
  auto is_named = [&] { return value && std::ranges::find(requirement.values, *value) != requirement.values.end(); };
  switch (requirement.op) {
    case Operator::kEquals:
    case Operator::kIn:
      return is_named();
    // As in Kubernetes, an object without the label is not equal to anything.
    case Operator::kNotEquals:
    case Operator::kNotIn:
      return !is_named();
    case Operator::kExists:
      return value.has_value();
    case Operator::kNotExists:
      return !value.has_value();
  }
  return false;
}

std::string requirement_text(const Requirement& requirement) {
  auto values = base::join(requirement.values, ",");
  switch (requirement.op) {
    case Operator::kEquals:
      return requirement.label + "=" + values;
    case Operator::kNotEquals:
      return requirement.label + "!=" + values;
    case Operator::kIn:
      return requirement.label + " in (" + values + ")";
    case Operator::kNotIn:
      return requirement.label + " notin (" + values + ")";
    case Operator::kExists:
      return requirement.label;
    case Operator::kNotExists:
      return "!" + requirement.label;
  }
  return {};
}

}  // namespace

Selector Selector::equals(std::vector<std::pair<std::string, std::string>> labels) {
  Selector selector;
  for (auto& [label, value] : labels) {
    selector.requirements_.push_back({std::move(label), Operator::kEquals, {std::move(value)}});
  }
  return selector;
}

Selector Selector::exists(std::vector<std::string> labels) {
  Selector selector;
  for (auto& label : labels) selector.requirements_.push_back({std::move(label), Operator::kExists, {}});
  return selector;
}

Selector Selector::nothing() {
  constexpr const char* kLabel = "keelson.dev/nothing";
  Selector selector;
  selector.requirements_ = {{kLabel, Operator::kExists, {}}, {kLabel, Operator::kNotExists, {}}};
  return selector;
}

Result<Selector> Selector::of(std::vector<Requirement> requirements) {
  Selector selector;
  for (auto& requirement : requirements) {
    if (auto error = requirement_error(requirement)) return std::move(*error);
    std::ranges::sort(requirement.values);
    selector.requirements_.push_back(std::move(requirement));
  }
  const auto by_label = [](const Requirement& left, const Requirement& right) { return left.label < right.label; };
  std::ranges::stable_sort(selector.requirements_, by_label);
  return selector;
}

Result<Selector> Selector::parse(std::string_view text) {
  KEELSON_LET(auto requirements, parse_requirements(text));
  Selector selector;
  selector.requirements_ = std::move(requirements);
  return selector;
}

bool Selector::matches(const Object& object) const {
  return std::ranges::all_of(requirements_, [&object](const auto& requirement) {
    return meets(object.label(requirement.label), requirement);
  });
}

bool Selector::matches(const std::map<std::string, std::string>& labels) const {
  return std::ranges::all_of(requirements_, [&labels](const Requirement& requirement) {
    const auto found = labels.find(requirement.label);
    return meets(found == labels.end() ? std::nullopt : std::optional<std::string_view>(found->second), requirement);
  });
}

std::string Selector::text() const {
  std::string out;
  for (const auto& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out += requirement_text(requirement);
  }
  return out;
}

}  // namespace keelson::kube
