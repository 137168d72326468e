#include "src/schema/crd_parts.hpp"

namespace keelson::kube::detail {

void write_rule_list(json::Writer& writer, const std::vector<CelRule>& rules) {
  writer.begin_array();
  for (const CelRule& rule : rules) {
    writer.begin_object();
    if (!rule.field_path.empty()) writer.field("fieldPath", rule.field_path);
    if (!rule.message.empty()) writer.field("message", rule.message);
    if (!rule.message_expression.empty()) writer.field("messageExpression", rule.message_expression);
    if (rule.optional_old_self) writer.field("optionalOldSelf", true);
    if (rule.reason) writer.field("reason", name_of(*rule.reason));
    writer.field("rule", rule.rule).end_object();
  }
  writer.end_array();
}

}  // namespace keelson::kube::detail
