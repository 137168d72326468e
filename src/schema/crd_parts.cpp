#include "src/schema/crd_parts.hpp"

namespace keelson::kube::detail {

namespace {

std::string_view reason_text(RuleReason reason) {
  switch (reason) {
    case RuleReason::kInvalid:
      return "FieldValueInvalid";
    case RuleReason::kForbidden:
      return "FieldValueForbidden";
    case RuleReason::kRequired:
      return "FieldValueRequired";
    case RuleReason::kDuplicate:
      return "FieldValueDuplicate";
    case RuleReason::kUnset:
      break;
  }
  return {};
}

}  // namespace

void write_rule_list(json::Writer& writer, const std::vector<CelRule>& rules) {
  writer.begin_array();
  for (const CelRule& rule : rules) {
    writer.begin_object();
    if (!rule.field_path.empty()) writer.field("fieldPath", rule.field_path);
    if (!rule.message.empty()) writer.field("message", rule.message);
    if (!rule.message_expression.empty()) writer.field("messageExpression", rule.message_expression);
    if (rule.optional_old_self) writer.field("optionalOldSelf", true);
    if (rule.reason != RuleReason::kUnset) writer.field("reason", reason_text(rule.reason));
    writer.field("rule", rule.rule).end_object();
  }
  writer.end_array();
}

}  // namespace keelson::kube::detail
