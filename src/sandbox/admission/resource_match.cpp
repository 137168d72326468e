#include "src/sandbox/admission/resource_match.hpp"

#include <algorithm>

#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRegistrationGroup = "admissionregistration.k8s.io";

std::vector<ResourceRule> resource_rules(const Tree& described, std::string_view name) {
  std::vector<ResourceRule> rules;
  for (const auto& rule : described.items_at({name})) {
    const auto scope = rule.text_at({"scope"});
    rules.push_back({rule.texts_at({"operations"}), rule.texts_at({"apiGroups"}), rule.texts_at({"apiVersions"}),
                     rule.texts_at({"resources"}), scope.empty() ? "*" : scope, rule.texts_at({"resourceNames"})});
  }
  return rules;
}

bool has_or_any(const std::vector<std::string>& texts, const std::string& text) {
  return contains(texts, "*") || contains(texts, text);
}

bool is_in_scope(const ResourceRule& rule, const Attributes& attributes) {
  if (rule.scope == "*") return true;
  const bool is_cluster = attributes.ns.empty() || is_about_namespace(attributes);
  return rule.scope == "Cluster" ? is_cluster : rule.scope == "Namespaced" && !is_cluster;
}

bool names_resource(const ResourceRule& rule, const Attributes& attributes) {
  return std::ranges::any_of(rule.resources, [&attributes](const std::string& one) {
    auto slash = one.find('/');
    auto resource = one.substr(0, slash);
    auto subresource = slash == std::string::npos ? "" : one.substr(slash + 1);
    return (resource == "*" || resource == attributes.resource.plural) &&
           (subresource == "*" || subresource == attributes.subresource);
  });
}

bool meets_rule(const ResourceRule& rule, const Attributes& attributes) {
  return is_in_scope(rule, attributes) && has_or_any(rule.operations, attributes.operation) &&
         has_or_any(rule.groups, attributes.resource.group) && has_or_any(rule.versions, attributes.resource.version) &&
         names_resource(rule, attributes) && (rule.names.empty() || contains(rule.names, attributes.name));
}

bool meets_any(const std::vector<ResourceRule>& rules, const Attributes& attributes) {
  return std::ranges::any_of(rules, [&attributes](const auto& rule) { return meets_rule(rule, attributes); });
}

// The first of the request's version and, if they may match, the other versions that meets a rule.
std::optional<std::string> version_of_rules(const World& world, const std::vector<ResourceRule>& rules,
                                            bool matches_equivalent, const Attributes& attributes) {
  if (meets_any(rules, attributes)) return attributes.resource.version;
  const auto* kind = world.kinds.find(attributes.resource);
  if (rules.empty() || !matches_equivalent || kind == nullptr || !kind->conversion) return std::nullopt;
  auto other = attributes;
  for (const auto& version : kind->conversion->versions) {
    other.resource.version = version;
    if (meets_any(rules, other)) return version;
  }
  return std::nullopt;
}

bool is_any(const Tree& selector) {
  return std::ranges::all_of(selector.members(), [](const auto& member) { return member.second.is_empty(); });
}

bool selects_namespace(const World& world, const ResourceMatch& match, const Attributes& attributes) {
  if (is_any(match.namespace_selector) || (attributes.ns.empty() && !is_about_namespace(attributes))) return true;
  const bool is_own =
      is_about_namespace(attributes) && attributes.subresource.empty() && attributes.operation != "DELETE";
  if (is_own) {
    return selects_labels(match.namespace_selector, labels_in(attributes.object.at({"metadata", "labels"})));
  }
  static const auto kNamespaces = kube::namespaces();
  const auto* entry = world.store.find(*world.kinds.find(kNamespaces), kube::Key("", attributes.ns));
  const Tree* labels = entry != nullptr ? entry->stored().tree.at({"metadata", "labels"}) : nullptr;
  return selects_labels(match.namespace_selector, labels_in(labels));
}

bool selects_object(const ResourceMatch& match, const Attributes& attributes) {
  if (is_any(match.object_selector)) return true;
  auto is_selected = [&match](const Tree& object) {
    return !object.is_null() && selects_labels(match.object_selector, labels_in(object.at({"metadata", "labels"})));
  };
  return is_selected(attributes.object) || is_selected(attributes.old_object);
}

}  // namespace

ResourceMatch resource_match(const Tree& described, std::string_view rules) {
  ResourceMatch match;
  match.rules = resource_rules(described, rules);
  match.excluded = resource_rules(described, "excludeResourceRules");
  if (const Tree* selector = described.find("namespaceSelector")) match.namespace_selector = *selector;
  if (const Tree* selector = described.find("objectSelector")) match.object_selector = *selector;
  match.matches_equivalent = described.text_at({"matchPolicy"}) != "Exact";
  return match;
}

std::optional<std::string> matched_version(const World& world, const ResourceMatch& match,
                                           const Attributes& attributes) {
  if (!selects_namespace(world, match, attributes) || !selects_object(match, attributes)) return std::nullopt;
  if (version_of_rules(world, match.excluded, match.matches_equivalent, attributes)) return std::nullopt;
  if (match.rules.empty() && !match.needs_rule) return attributes.resource.version;
  return version_of_rules(world, match.rules, match.matches_equivalent, attributes);
}

bool is_about_namespace(const Attributes& attributes) {
  return attributes.resource.group.empty() && attributes.resource.plural == "namespaces";
}

bool is_exempt_from_webhooks(const Attributes& attributes) { return attributes.resource.group == kRegistrationGroup; }

bool is_exempt_from_policies(const Attributes& attributes) {
  const auto& resource = attributes.resource;
  if (resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io") return true;
  return resource.group == kRegistrationGroup && !resource.plural.ends_with("webhookconfigurations");
}

}  // namespace keelson::sandbox
