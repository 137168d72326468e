// The webhooks of a program: how they are registered at the API server, and what answers them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {

// Writes the members of a webhook's clientConfig: the address of the server that answers at this path.
using WriteClientConfig = std::function<void(json::Writer& writer, const std::string& path)>;

struct WebhookConfiguration {
  kube::Resource resource;
  std::string json;
};

// Those of all controllers, in their order, then `others`, which belong to no controller.
[[nodiscard]] std::vector<webhook::Webhook> webhooks_of(const std::vector<Definition>& definitions,
                                                        const std::vector<webhook::Webhook>& others = {});

// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration with kubebuilder's names for them and for their
// webhooks. A configuration without webhooks is left out: an empty one would be one more object to maintain.
// `prefix` is put before the names of both.
[[nodiscard]] std::vector<WebhookConfiguration> webhook_configurations(const std::vector<webhook::Webhook>& webhooks,
                                                                       const WriteClientConfig& write_client_config,
                                                                       const std::string& prefix = "");

// For a server that answers them. The context must outlive them.
[[nodiscard]] std::vector<webhook::ServedWebhook> serve_webhooks(const std::vector<webhook::Webhook>& webhooks,
                                                                 Context& context);

}  // namespace keelson::controller
