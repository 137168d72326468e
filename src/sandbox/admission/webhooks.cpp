#include "src/sandbox/admission/webhooks.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRegistration = "admissionregistration.k8s.io";

const kube::Resource& mutating_configurations() {
  static const auto resource = kube::mutating_webhook_configurations();
  return resource;
}

const kube::Resource& validating_configurations() {
  static const auto resource = kube::validating_webhook_configurations();
  return resource;
}

Webhook compiled(const std::string& id, const Tree& described) {
  Webhook webhook;
  webhook.id = id;
  webhook.name = described.text_at({"name"});
  webhook.address = webhook_address(described.copy_at({"clientConfig"}));
  webhook.match = resource_match(described, "rules");
  webhook.conditions = match_conditions(described, false);
  webhook.ignores_failures = described.text_at({"failurePolicy"}) == "Ignore";
  webhook.is_reinvoked = described.text_at({"reinvocationPolicy"}) == "IfNeeded";
  auto effects = described.text_at({"sideEffects"});
  webhook.has_side_effects = effects != "None" && effects != "NoneOnDryRun";
  webhook.timeout = std::chrono::seconds(std::clamp<std::int64_t>(described.integer_at({"timeoutSeconds"}, 10), 1, 30));
  webhook.review_versions = described.texts_at({"admissionReviewVersions"});
  return webhook;
}

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
  if (is_exempt_from_webhooks(attributes)) return chain;
  for (const auto& webhook : phase == Phase::kMutating ? mutating_ : validating_) {
    if (matches(*webhook, attributes)) chain.push_back(webhook);
  }
  return chain;
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
