#include "src/sandbox/custom/rule_texts.hpp"

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/schema_path.hpp"

namespace keelson::sandbox {

namespace {

bool has_lines(std::string_view text) { return text.find_first_of("\n\r") != std::string_view::npos; }

}  // namespace

void check_rule_texts(const Tree& rule, const Tree* schema, const std::string& path, FieldErrors& errors) {
  const auto text = rule.text_at({"rule"});
  const auto message = rule.text_at({"message"});
  const auto expression = rule.text_at({"messageExpression"});
  const auto reason = rule.text_at({"reason"});
  const auto field = rule.text_at({"fieldPath"});
  if (base::trim(text).empty()) {
    errors.required(path + ".rule", "rule is not specified");
  } else if (!message.empty() && base::trim(message).empty()) {
    errors.invalid(path + ".message", Tree(message), "must be non-empty if specified");
  } else if (has_lines(base::trim(message))) {
    errors.invalid(path + ".message", Tree(message), "must not contain line breaks");
  } else if (has_lines(base::trim(text)) && message.empty()) {
    errors.required(path + ".message", "message must be specified if rule contains line breaks");
  }
  if (!expression.empty() && base::trim(expression).empty()) {
    errors.required(path + ".messageExpression", "messageExpression must be non-empty if specified");
  }
  const bool is_known =
      reason.empty() || kube::field_reason(reason).value_or(FieldReason::kTypeInvalid) <= FieldReason::kDuplicate;
  if (!is_known) {
    errors.unsupported(path + ".reason", Tree(reason),
                       R"("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")");
  }
  if (field.empty()) return;
  auto invalid = [&](const char* why) { errors.invalid(path + ".fieldPath", Tree(field), why); };
  if (base::trim(field).empty()) invalid("must be non-empty if specified");
  if (has_lines(field)) invalid("must not contain line breaks");
  if (schema != nullptr && !resolve_schema_path(field, *schema, PathKeys::kAllowed).error.empty()) {
    invalid("must be a valid path");
  }
}

}  // namespace keelson::sandbox
