#include "src/sandbox/simulation/missing_rule.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "src/sandbox/authorization/policy_rule.hpp"

namespace keelson::sandbox {

namespace {

bool are_allowed(const Access& access, const std::vector<controller::PolicyRule>& rules) {
  return std::ranges::any_of(rules, [&](const controller::PolicyRule& rule) {
    return allows({rule.verbs, rule.groups, rule.resources, {}, {}}, access);
  });
}

// An apply that creates an object needs both verbs.
std::vector<Access> accesses_of(const kube::ApiRequest& request) {
  std::vector<Access> all{access_of(request)};
  if (request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply) {
    all.push_back(all.front());
    all.back().verb = "create";
    all.back().name.clear();
  }
  return all;
}

}  // namespace

std::optional<std::string> missing_rule(const kube::ApiRequest& request, const Error& error,
                                        const std::vector<controller::Definition>& definitions) {
  if (!kube::is_forbidden(error)) return std::nullopt;
  const auto rules = controller::manager_rules(definitions);
  for (const auto& access : accesses_of(request)) {
    const bool is_named = error.server_text.find(" cannot " + access.verb + " resource ") != std::string::npos;
    if (!is_named || are_allowed(access, rules)) continue;
    const auto resource = access.subresource.empty() ? access.resource : access.resource + "/" + access.subresource;
    const auto owner =
        definitions.size() == 1 ? "controller " + definitions.front().name() : "the controller that sends the request";
    return "add .rbac({" + base::quote_go(access.group) + ", " + base::quote_go(resource) + ", {" +
           base::quote_go(access.verb) + "}}) to the definition of " + owner;
  }
  return std::nullopt;
}

}  // namespace keelson::sandbox
