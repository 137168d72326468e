#include "src/sandbox/authorization/authorizer.hpp"

#include <algorithm>
#include <set>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

bool allows_any(const PolicyRules& rules, const Access& access) {
  return std::ranges::any_of(rules, [&access](const PolicyRule& rule) { return allows(rule, access); });
}

}  // namespace

void Authorizer::limit(const std::string& user, const std::vector<controller::PolicyRule>& rules) {
  // The rules of the ClusterRoles system:discovery and system:basic-user are always included.
  PolicyRules all{
      {{"get"},
       {},
       {},
       {},
       {"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version",
        "/version/"}},
      {{"create"}, {"authorization.k8s.io"}, {"selfsubjectaccessreviews", "selfsubjectrulesreviews"}, {}, {}}};
  for (const auto& rule : rules) all.push_back({rule.verbs, rule.groups, rule.resources, {}, {}});
  limits_[user] = std::move(all);
}

Authorizer::Decision Authorizer::decide(const UserInfo& user, const Access& access) {
  if (const auto limit = limits_.find(user.name); limit != limits_.end()) {
    return {allows_any(limit->second, access), ""};
  }
  if (mode_ == Authorization::kAlwaysAllow || user.is_in(kMasters)) return {true, ""};
  Decision decision;
  std::set<const PolicyRules*> seen;
  auto missing = roles_.visit(user, access.ns, [&](const PolicyRules& rules, const RoleIndex::Grant& grant) {
    // Several bindings may refer to the same role.
    if (!seen.insert(&rules).second) return true;
    const bool is_allowed = allows_any(rules, access);
    if (is_allowed) decision = {true, "RBAC: allowed by " + grant.text()};
    return !is_allowed;
  });
  if (!decision.is_allowed && !missing.empty()) decision.reason = "RBAC: " + joined_errors(missing);
  return decision;
}

RejectionOr<void> Authorizer::check(const UserInfo& user, const Access& access) {
  auto decision = decide(user, access);
  if (decision.is_allowed) return {};
  return forbidden(user.name, access, decision.reason);
}

Authorizer::Rules Authorizer::rules_for(const UserInfo& user, const std::string& ns) {
  if (const auto limit = limits_.find(user.name); limit != limits_.end()) return {limit->second, ""};
  if (mode_ == Authorization::kAlwaysAllow) {
    return {{{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}}, ""};
  }
  Rules found;
  std::set<const PolicyRules*> seen;
  auto missing = roles_.visit(user, ns, [&](const PolicyRules& rules, const RoleIndex::Grant&) {
    if (!seen.insert(&rules).second) return true;
    found.rules.insert(found.rules.end(), rules.begin(), rules.end());
    return true;
  });
  found.error = joined_errors(missing);
  return found;
}

}  // namespace keelson::sandbox
