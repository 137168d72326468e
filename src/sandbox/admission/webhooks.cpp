#include "src/sandbox/admission/webhooks.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRegistration = "admissionregistration.k8s.io";

const kube::Resource& mutating_configurations() {
  static const kube::Resource resource(kRegistration, "v1", "MutatingWebhookConfiguration",
                                       "mutatingwebhookconfigurations", false);
  return resource;
}

const kube::Resource& validating_configurations() {
  static const kube::Resource resource(kRegistration, "v1", "ValidatingWebhookConfiguration",
                                       "validatingwebhookconfigurations", false);
  return resource;
}

Webhook compiled(const std::string& id, const Tree& described) {
  Webhook webhook;
  webhook.id = id;
  webhook.name = described.text_at({"name"});
  webhook.address = webhook_address(described.copy_at({"clientConfig"}));
  for (const auto& rule : described.items_at({"rules"})) {
    auto scope = rule.text_at({"scope"});
    webhook.rules.push_back({rule.texts_at({"operations"}), rule.texts_at({"apiGroups"}),
                             rule.texts_at({"apiVersions"}), rule.texts_at({"resources"}),
                             scope.empty() ? "*" : scope});
  }
  if (const Tree* selector = described.find("namespaceSelector")) webhook.namespace_selector = *selector;
  if (const Tree* selector = described.find("objectSelector")) webhook.object_selector = *selector;
  webhook.ignores_failures = described.text_at({"failurePolicy"}) == "Ignore";
  webhook.matches_equivalent = described.text_at({"matchPolicy"}) != "Exact";
  webhook.is_reinvoked = described.text_at({"reinvocationPolicy"}) == "IfNeeded";
  auto effects = described.text_at({"sideEffects"});
  webhook.has_side_effects = effects != "None" && effects != "NoneOnDryRun";
  webhook.timeout = std::chrono::seconds(std::clamp<std::int64_t>(described.integer_at({"timeoutSeconds"}, 10), 1, 30));
  webhook.review_versions = described.texts_at({"admissionReviewVersions"});
  return webhook;
}

bool has_text(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

bool has_or_any(const std::vector<std::string>& texts, const std::string& text) {
  return has_text(texts, "*") || has_text(texts, text);
}

bool is_namespace(const Attributes& attributes) {
  return attributes.resource.group.empty() && attributes.resource.plural == "namespaces";
}

bool is_in_scope(const WebhookRule& rule, const Attributes& attributes) {
  if (rule.scope == "*") return true;
  const bool is_cluster = attributes.ns.empty() || is_namespace(attributes);
  return rule.scope == "Cluster" ? is_cluster : rule.scope == "Namespaced" && !is_cluster;
}

bool names_resource(const WebhookRule& rule, const Attributes& attributes) {
  return std::ranges::any_of(rule.resources, [&attributes](const std::string& one) {
    auto slash = one.find('/');
    auto resource = one.substr(0, slash);
    auto subresource = slash == std::string::npos ? "" : one.substr(slash + 1);
    return (resource == "*" || resource == attributes.resource.plural) &&
           (subresource == "*" || subresource == attributes.subresource);
  });
}

bool meets_rule(const WebhookRule& rule, const Attributes& attributes) {
  return is_in_scope(rule, attributes) && has_or_any(rule.operations, attributes.operation) &&
         has_or_any(rule.groups, attributes.resource.group) && has_or_any(rule.versions, attributes.resource.version) &&
         names_resource(rule, attributes);
}

bool is_any(const Tree& selector) {
  return std::ranges::all_of(selector.members(), [](const auto& member) { return member.second.is_empty(); });
}

bool selects_namespace(const World& world, const Webhook& webhook, const Attributes& attributes) {
  if (is_any(webhook.namespace_selector) || (attributes.ns.empty() && !is_namespace(attributes))) return true;
  const bool is_own = is_namespace(attributes) && attributes.subresource.empty() && attributes.operation != "DELETE";
  if (is_own)
    return selects_labels(webhook.namespace_selector, labels_in(attributes.object.at({"metadata", "labels"})));
  static const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);
  const auto* entry = world.store.find(*world.kinds.find(kNamespaces), kube::Key("", attributes.ns));
  const Tree* labels = entry != nullptr ? entry->stored().tree.at({"metadata", "labels"}) : nullptr;
  return selects_labels(webhook.namespace_selector, labels_in(labels));
}

bool selects_object(const Webhook& webhook, const Attributes& attributes) {
  if (is_any(webhook.object_selector)) return true;
  auto is_selected = [&webhook](const Tree& object) {
    return !object.is_null() && selects_labels(webhook.object_selector, labels_in(object.at({"metadata", "labels"})));
  };
  return is_selected(attributes.object) || is_selected(attributes.old_object);
}

// Webhook configurations themselves call no webhooks: it must always be possible to repair a broken configuration.
bool is_exempt(const Attributes& attributes) { return attributes.resource.group == kRegistration; }

}  // namespace

WebhookAddress webhook_address(const Tree& client_config) {
  WebhookAddress address;
  address.url = client_config.text_at({"url"});
  address.service_ns = client_config.text_at({"service", "namespace"});
  address.service_name = client_config.text_at({"service", "name"});
  address.path = client_config.text_at({"service", "path"});
  address.port = client_config.integer_at({"service", "port"}, 443);
  auto ca = base::base64_decode(client_config.text_at({"caBundle"}));
  if (ca) address.ca_pem = std::move(*ca);
  return address;
}

void Webhooks::hear(const Change& change) {
  if (change.kind->resource.group == kRegistration) is_stale_ = true;
}

bool Webhooks::empty() {
  if (is_stale_) compile();
  return mutating_.empty() && validating_.empty();
}

Webhooks::Chain Webhooks::all(Phase phase) {
  if (is_stale_) compile();
  return phase == Phase::kMutating ? mutating_ : validating_;
}

Webhooks::Chain Webhooks::matching(Phase phase, const Attributes& attributes) {
  if (is_stale_) compile();
  Chain chain;
  if (is_exempt(attributes)) return chain;
  for (const auto& webhook : phase == Phase::kMutating ? mutating_ : validating_) {
    if (matches(*webhook, attributes)) chain.push_back(webhook);
  }
  return chain;
}

std::optional<std::string> Webhooks::version_for(const Webhook& webhook, const Attributes& attributes) const {
  auto is_ruled = [&webhook](const Attributes& asked) {
    return std::ranges::any_of(webhook.rules, [&asked](const WebhookRule& rule) { return meets_rule(rule, asked); });
  };
  if (!selects_namespace(world_, webhook, attributes) || !selects_object(webhook, attributes)) return std::nullopt;
  if (is_ruled(attributes)) return attributes.resource.version;
  const auto* kind = world_.kinds.find(attributes.resource);
  if (!webhook.matches_equivalent || kind == nullptr || !kind->conversion) return std::nullopt;
  auto other = attributes;
  for (const auto& version : kind->conversion->versions) {
    other.resource.version = version;
    if (is_ruled(other)) return version;
  }
  return std::nullopt;
}

void Webhooks::compile() {
  is_stale_ = false;
  auto chain_of = [this](const kube::Resource& resource) {
    Chain chain;
    for (const auto& [key, entry] : world_.store.all(*world_.kinds.find(resource))) {
      std::size_t place = 0;
      for (const auto& described : entry.stored().tree.items_at({"webhooks"})) {
        auto id = key.name + "/" + std::to_string(place++);
        chain.push_back(std::make_shared<const Webhook>(compiled(id, described)));
      }
    }
    return chain;
  };
  mutating_ = chain_of(mutating_configurations());
  validating_ = chain_of(validating_configurations());
}

}  // namespace keelson::sandbox
