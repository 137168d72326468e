// A rule of a Role or ClusterRole: whether it allows an access, and whether it covers another rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/authorization/access.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> groups;
  std::vector<std::string> resources;  // "pods", "pods/log", "*/scale", "*"
  std::vector<std::string> names;      // empty: all
  std::vector<std::string> paths;      // "/healthz", "/api/*", "*"

  bool operator==(const PolicyRule&) const = default;
};
using PolicyRules = std::vector<PolicyRule>;

// The rules of a Role or ClusterRole.
[[nodiscard]] PolicyRules rules_of(const Tree& role);
[[nodiscard]] Tree rule_tree(const PolicyRule& rule);

// A rule with names does not allow requests without a name: creations, and lists and watches without metadata.name in
// their field selector.
[[nodiscard]] bool allows(const PolicyRule& rule, const Access& access);

// The parts of a rule, each with a single verb, a single resource and at most one name; nullopt if there are more than
// `most`.
[[nodiscard]] bool break_down(const PolicyRule& rule, std::size_t most, PolicyRules& parts);
// `part` is a result of break_down().
[[nodiscard]] bool covers(const PolicyRule& rule, const PolicyRule& part);

// `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
[[nodiscard]] std::string rule_text(const PolicyRule& rule);
// `["a" "b"]`, as Go prints a slice with %q.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& texts);

}  // namespace keelson::sandbox
