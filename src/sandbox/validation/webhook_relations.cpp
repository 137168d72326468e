#include "src/sandbox/validation/relations.hpp"

#include <set>

#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/policy_validation.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

void check_webhook_path(RuleCheck& check, const Spot& at, const Words&) {
  auto text = std::string_view(at.value->scalar());
  if (text.empty() || text == "/") return;
  if (text == "//") return check.invalid(at, "segment[0] may not be empty");
  if (!text.starts_with('/')) check.invalid(at, "must start with a '/'");
  text.remove_prefix(1);
  if (text.ends_with('/')) text.remove_suffix(1);
  if (text.empty()) check.invalid(at, "segment[0] may not be empty");
  for (std::size_t i = 0; !text.empty(); ++i) {
    const auto end = std::min(text.find('/'), text.size());
    const auto segment = "segment[" + std::to_string(i) + "]";
    if (end == 0) check.invalid(at, segment + " may not be empty");
    const std::string step(text.substr(0, end));
    if (end > 0) {
      for (const auto& why : format_errors("dns_subdomain", step)) check.invalid(at, segment + ": " + why);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void check_webhook_url(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::string_view kForm = "; desired format: https://host[/path]";
  const auto& text = at.value->scalar();
  const auto colon = text.find("://");
  const auto scheme = colon == std::string::npos ? "" : text.substr(0, colon);
  const auto rest = colon == std::string::npos ? "" : text.substr(colon + 3);
  if (scheme != "https") {
    check.invalid(at, Tree(scheme), std::string("'https' is the only allowed URL scheme").append(kForm));
  }
  const auto authority = rest.substr(0, rest.find_first_of("/?#"));
  const auto user = authority.find('@');
  if (authority.empty()) check.invalid(at, Tree(""), std::string("host must be specified").append(kForm));
  if (user != std::string::npos) {
    check.invalid(at, Tree(authority.substr(0, user)), "user information is not permitted in the URL");
  }
  const auto fragment = rest.find('#');
  if (fragment != std::string::npos && fragment + 1 < rest.size()) {
    check.invalid(at, Tree(rest.substr(fragment + 1)), "fragments are not permitted in the URL");
  }
  const auto query = rest.substr(0, fragment).find('?');
  if (query != std::string::npos && query + 1 < rest.substr(0, fragment).size()) {
    check.invalid(at, Tree(rest.substr(0, fragment).substr(query + 1)),
                  "query parameters are not permitted in the URL");
  }
}

// The resources of a webhook's rule.
void check_rule_resources(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  bool has_all = false;
  bool has_resources = false;
  bool has_plain = false;
  std::set<std::string> with_all_subresources;
  std::set<std::string> of_all_resources;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& text = items[i].scalar();
    const auto spot = at.item(i);
    if (text.empty()) check.add({FieldReason::kRequired, spot.path()});
    has_all = has_all || text == "*/*";
    has_resources = has_resources || text == "*";
    const auto slash = text.find('/');
    if (slash == std::string::npos && !text.empty()) has_plain = text != "*";
    if (slash == std::string::npos) continue;
    const auto resource = text.substr(0, slash);
    const auto subresource = text.substr(slash + 1);
    if (with_all_subresources.contains(resource)) {
      check.invalid(spot, "if '" + resource + "/*' is present, must not specify " + text);
    }
    if (of_all_resources.contains(subresource)) {
      check.invalid(spot, "if '*/" + subresource + "' is present, must not specify " + text);
    }
    if (subresource == "*") with_all_subresources.insert(resource);
    if (resource == "*") of_all_resources.insert(subresource);
  }
  if (items.size() > 1 && has_all) check.invalid(at, "if '*/*' is present, must not specify other resources");
  if (has_resources && has_plain) {
    check.invalid(at, "if '*' is present, must not specify other resources without subresources");
  }
}

void check_review_versions(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  if (items.empty()) return check.add({FieldReason::kRequired, at.path(), {}, "must specify one of v1, v1beta1"});
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto spot = at.item(i);
    if (!seen.insert(items[i].scalar()).second) {
      check.invalid(spot, "duplicate version");
      continue;
    }
    for (const auto& why : format_errors("dns1035_label", items[i].scalar())) check.invalid(spot, why);
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    check.invalid(at, "must include at least one of v1, v1beta1");
  }
}

void check_webhook_port(RuleCheck& check, const Spot& at, const Words&) {
  const auto port = number_in(*at.value);
  if (at.value->is_null() || (port >= 1 && port <= 65535)) return;
  check.invalid(at, "port is not valid: must be between 1 and 65535, inclusive");
}

void check_deny_and_warn(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  if (!contains(items, Tree("Deny")) || !contains(items, Tree("Warn"))) return;
  check.invalid(at,
                "must not contain both Deny and Warn (repeating the same validation failure information in the API "
                "response and headers serves no purpose)");
}

}  // namespace

const Relations& webhook_relations() {
  static const Relations kRelations{
      {"match_conditions", [](RuleCheck& c, const Spot& at, const Words&) { check_match_conditions(c, at); }},
      {"validating_policy", [](RuleCheck& c, const Spot& at, const Words&) { check_validating_policy(c, at); }},
      {"mutating_policy", [](RuleCheck& c, const Spot& at, const Words&) { check_mutating_policy(c, at); }},
      {"webhook_path", check_webhook_path},
      {"webhook_url", check_webhook_url},
      {"webhook_port", check_webhook_port},
      {"rule_resources", check_rule_resources},
      {"review_versions", check_review_versions},
      {"deny_and_warn", check_deny_and_warn},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
