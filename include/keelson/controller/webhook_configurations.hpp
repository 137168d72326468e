// The webhooks of all controllers of a manager: how they are registered at the API server, and what answers them.
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

// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration with kubebuilder's names for them and for their
// webhooks. A configuration without webhooks is left out: an empty one would be one more object to maintain.
// `prefix` is put before the names of both.
[[nodiscard]] std::vector<WebhookConfiguration> webhook_configurations(const std::vector<Definition>& definitions,
                                                                       const WriteClientConfig& write_client_config,
                                                                       const std::string& prefix = "");

[[nodiscard]] bool any_webhooks(const std::vector<Definition>& definitions);

// The webhooks of all definitions that have some, for a server that answers them. The context must outlive them.
[[nodiscard]] std::vector<webhook::KindWebhooks> webhooks_of(const std::vector<Definition>& definitions,
                                                             Context& context);

}  // namespace keelson::controller
