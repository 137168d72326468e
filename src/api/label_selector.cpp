#include "keelson/api/label_selector.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"

namespace keelson::kube {

namespace {

using Operator = Selector::Requirement::Operator;

Result<Operator> operator_of(std::string_view name) {
  if (name == "In") return Operator::kIn;
  if (name == "NotIn") return Operator::kNotIn;
  if (name == "Exists") return Operator::kExists;
  if (name == "DoesNotExist") return Operator::kNotExists;
  return invalid_error(base::quote_go(name) + " is not a valid label selector operator");
}

}  // namespace

Result<Selector> selector_of(const meta::v1::LabelSelector& selector) {
  std::vector<Selector::Requirement> requirements;
  for (const auto& [label, value] : selector.match_labels) requirements.push_back({label, Operator::kEquals, {value}});
  for (const auto& expression : selector.match_expressions) {
    KEELSON_LET(const auto op, operator_of(expression.operator_));
    requirements.push_back({expression.key, op, expression.values});
  }
  return Selector::of(std::move(requirements));
}

}  // namespace keelson::kube
