#include "keelson/kube/selector.hpp"

#include <algorithm>

#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "src/kube/selector_parser.hpp"

namespace keelson::kube {

namespace {

using Requirement = Selector::Requirement;
using Operator = Requirement::Operator;

bool meets(const Object& object, const Requirement& requirement) {
  auto value = object.label(requirement.label);
  auto is_named = [&] {
    return value && std::find(requirement.values.begin(), requirement.values.end(), *value) != requirement.values.end();
  };
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

std::string text_of(const Requirement& requirement) {
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

Result<Selector> Selector::parse(std::string_view text) {
  KEELSON_LET(auto requirements, parse_requirements(text));
  Selector selector;
  selector.requirements_ = std::move(requirements);
  return selector;
}

bool Selector::matches(const Object& object) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&object](const Requirement& requirement) { return meets(object, requirement); });
}

std::string Selector::text() const {
  std::string out;
  for (const auto& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out += text_of(requirement);
  }
  return out;
}

}  // namespace keelson::kube
