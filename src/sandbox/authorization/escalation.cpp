#include "src/sandbox/authorization/escalation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/authorization/authorizer.hpp"

namespace keelson::sandbox {

namespace {

// Comparisons of the permissions that a write grants with those of its user.
constexpr std::size_t kSandboxPermissionComparisons = 20'000'000;

// Whether only fields change that the garbage collector changes to delete the object.
bool changes_garbage_fields_only(Tree before, Tree after) {
  for (const char* name : {"ownerReferences", "finalizers"}) {
    before["metadata"].erase(name);
    after["metadata"].erase(name);
  }
  return before == after;
}

bool may(const Call& call, const char* verb, const std::string& resource, const std::string& name) {
  Access access;
  access.verb = verb;
  access.group = call.resource().group;
  access.resource = resource;
  access.ns = call.key.ns;
  access.name = name;
  return call.authorizer->decide(call.user, access).is_allowed;
}

std::size_t size_of(const PolicyRules& rules) {
  std::size_t size = 0;
  for (const auto& rule : rules) {
    size += rule.verbs.size() + rule.groups.size() + rule.resources.size() + rule.names.size() + rule.paths.size();
  }
  return size;
}

// Merges parts about the same resource into one rule; sorted by their texts.
std::set<std::string> described(const PolicyRules& parts) {
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, PolicyRule> resources;
  std::set<std::string> texts;
  for (const auto& part : parts) {
    if (!part.paths.empty()) {
      texts.insert(rule_text(part));
      continue;
    }
    auto [rule, is_new] = resources.try_emplace({part.groups.front(), part.resources.front(), part.names}, part);
    if (!is_new) rule->second.verbs.push_back(part.verbs.front());
  }
  for (const auto& [key, rule] : resources) texts.insert(rule_text(rule));
  return texts;
}

// Empty if the user has all of these permissions.
std::string why_escalating(const Call& call, const PolicyRules& granted) {
  auto own = call.authorizer->rules_for(call.user, call.key.ns);
  PolicyRules parts;
  bool is_small = std::ranges::all_of(granted, [&parts](const PolicyRule& rule) {
    return break_down(rule, limits::kSandboxGrantedPermissions, parts);
  });
  if (!is_small || parts.size() * size_of(own.rules) > kSandboxPermissionComparisons) {
    return "too many permissions to compare with those of user " + base::quote_go(call.user.name) +
           ": grant fewer in one role, or allow the user to escalate";
  }
  std::erase_if(parts, [&own](const PolicyRule& part) {
    return std::ranges::any_of(own.rules, [&part](const PolicyRule& rule) { return covers(rule, part); });
  });
  if (parts.empty()) return "";
  auto texts = described(parts);
  auto why = "user " + base::quote_go(call.user.name) + " (groups=" + quoted_list(call.user.groups) +
             ") is attempting to grant RBAC permissions not currently held:\n" +
             base::join(std::vector<std::string>(texts.begin(), texts.end()), "\n");
  if (!own.error.empty()) why += "; resolution errors: [" + own.error + "]";
  return why;
}

bool aggregates(const Tree* role) {
  const Tree* selectors = role != nullptr ? role->at({"aggregationRule", "clusterRoleSelectors"}) : nullptr;
  return selectors != nullptr && !selectors->is_empty();
}

RejectionOr<void> check_role(const Call& call, const Tree* before, const Tree& after) {
  const auto& resource = call.resource();
  if (may(call, "escalate", resource.plural, before != nullptr ? call.key.name : "")) return {};
  auto why = why_escalating(call, rules_of(after));
  if (why.empty() && (aggregates(before) || aggregates(&after))) {
    const PolicyRules everything{{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}};
    why = why_escalating(call, everything);
    if (!why.empty()) why = "must have cluster-admin privileges to use the aggregationRule";
  }
  if (why.empty()) return {};
  return forbidden_object(resource, call.key.name, why);
}

RejectionOr<void> check_binding(const Call& call, const Tree& after) {
  auto kind = after.text_at({"roleRef", "kind"});
  auto name = after.text_at({"roleRef", "name"});
  const bool is_local = kind == "Role";
  // Validation rejects all other kinds, with a better message.
  if (!is_local && kind != "ClusterRole") return {};
  const auto* plural = is_local ? "roles" : "clusterroles";
  if (may(call, "bind", plural, name)) return {};
  const auto* rules = call.authorizer->role(kube::Key(is_local ? call.key.ns : "", name));
  if (rules == nullptr) return not_found(call.resource(), name);  // kube-apiserver also names the binding
  auto why = why_escalating(call, *rules);
  if (why.empty()) return {};
  return forbidden_object(call.resource(), call.key.name, why);
}

}  // namespace

RejectionOr<void> check_escalation(const Call& call, const Tree* before, const Tree& after) {
  const auto& resource = call.resource();
  if (resource.group != "rbac.authorization.k8s.io" || call.authorizer == nullptr) return {};
  if (call.user.is_in(kMasters)) return {};
  if (before != nullptr && changes_garbage_fields_only(*before, after)) return {};
  const bool is_role = resource.kind == "Role" || resource.kind == "ClusterRole";
  return is_role ? check_role(call, before, after) : check_binding(call, after);
}

}  // namespace keelson::sandbox
