#include "src/schema/rule_check.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"

namespace keelson::kube::detail {

std::string rule_error(const CelRule& rule) {
  const auto has_lines = [](std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; };
  if (base::trim(rule.rule).empty()) return "a rule is empty (its message is " + json::quoted(rule.message) + ")";
  const auto at = "the rule " + json::quoted(rule.rule);
  if (has_lines(base::trim(rule.message))) return at + ": its message must be one line";
  if (rule.message.empty() && has_lines(base::trim(rule.rule))) return at + " has several lines: it needs a message";
  if (rule.optional_old_self && rule.rule.find("oldSelf") == std::string::npos) {
    return at + " has optional_old_self but does not read oldSelf: remove it";
  }
  if (rule.reason > FieldReason::kDuplicate) {
    return at + ": its reason must be kInvalid, kForbidden, kRequired or kDuplicate";
  }
  if (rule.field_path.empty() || names_of_rule_path(rule.field_path)) return {};
  const bool lacks_dot = !rule.field_path.starts_with('.') && !rule.field_path.starts_with('[');
  return at + ": its field_path " + json::quoted(rule.field_path) +
         (lacks_dot ? " must begin with a dot: write " + json::quoted("." + rule.field_path)
                    : " must consist of names, \".color\" or \"['color']\", without indexes");
}

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

std::optional<std::vector<std::string>> names_of_rule_path(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const bool is_quoted = path.starts_with("['");
    if (!is_quoted && !path.starts_with('.')) return std::nullopt;
    const std::size_t begin = is_quoted ? 2 : 1;
    const auto end = is_quoted ? path.find("']", begin) : std::min(path.find_first_of(".[", begin), path.size());
    if (end == std::string_view::npos || end == begin) return std::nullopt;
    names.emplace_back(path.substr(begin, end - begin));
    path.remove_prefix(end + (is_quoted ? 2 : 0));
  }
  return names;
}

std::optional<std::vector<std::string>> names_of_path(std::string_view path) {
  if (!path.starts_with('.') || path.size() == 1) return std::nullopt;
  std::vector<std::string> names;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto end = std::min(path.find('.'), path.size());
    names.emplace_back(path.substr(0, end));
    if (names.back().empty() || names.back().find_first_of("[]'\"") != std::string::npos) return std::nullopt;
    path.remove_prefix(end);
  }
  return names;
}

}  // namespace keelson::kube::detail
