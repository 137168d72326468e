// The requests that an admission webhook or a policy is for: rules, selectors and matchPolicy.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/admission/attributes.hpp"

namespace keelson::sandbox {

struct ResourceRule {
  std::vector<std::string> operations;
  std::vector<std::string> groups;
  std::vector<std::string> versions;
  std::vector<std::string> resources;  // "pods", "pods/status", "*/scale", "*/*"
  std::string scope;                   // "*", "Cluster", "Namespaced"
  std::vector<std::string> names;      // of objects; empty: all
};

struct ResourceMatch {
  std::vector<ResourceRule> rules;
  std::vector<ResourceRule> excluded;
  Tree namespace_selector;
  Tree object_selector;
  bool matches_equivalent = true;
  bool needs_rule = true;  // false: without rules, every resource matches
};

// From a webhook, whose rules are `rules`, or the MatchResources of a policy or a binding, with `resourceRules`.
[[nodiscard]] ResourceMatch resource_match(const Tree& described, std::string_view rules);

// The version of the resource that the rules match, preferably the request's. With matchPolicy Equivalent it may be
// another version, into which the objects are converted. nullopt: no match.
[[nodiscard]] std::optional<std::string> matched_version(const World& world, const ResourceMatch& match,
                                                         const Attributes& attributes);

// Whether the request is about a Namespace; its Attributes belong to that namespace.
[[nodiscard]] bool is_about_namespace(const Attributes& attributes);

// It must always be possible to repair a broken configuration, so webhooks are not called for configurations of
// webhooks or policies, and policies are not evaluated for policies. Policies are not evaluated for reviews of tokens
// and access either.
[[nodiscard]] bool is_exempt_from_webhooks(const Attributes& attributes);
[[nodiscard]] bool is_exempt_from_policies(const Attributes& attributes);

}  // namespace keelson::sandbox
