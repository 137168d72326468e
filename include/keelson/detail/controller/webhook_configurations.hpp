// The webhooks of a program: their registration at the API server, and the functions that answer them.
//
// `generate webhook` and --webhook-url write the registration, and webhook/server.hpp answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {

// Writes the members of a webhook's clientConfig for the server at `path`: `service`, or `url` and `caBundle`.
using WriteClientConfig = std::function<void(json::Writer& writer, const std::string& path)>;

struct WebhookConfiguration {
  kube::Resource resource;  // of the configuration: mutatingwebhookconfigurations or validatingwebhookconfigurations
  std::string json;         // the whole object, ready to be applied
};

// The webhooks of all controllers in their order, then `others`, which belong to no controller.
[[nodiscard]] std::vector<webhook::Webhook> webhooks_of(const std::vector<Definition>& definitions,
                                                        const std::vector<webhook::Webhook>& others = {});

// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration, which have the names that kubebuilder gives
// them and their webhooks. If several webhooks would have one name, the names get the group too. A configuration
// without webhooks is left out, because an empty one is an object to maintain without an effect. `prefix` precedes the
// names of both configurations.
[[nodiscard]] std::vector<WebhookConfiguration> webhook_configurations(const std::vector<webhook::Webhook>& webhooks,
                                                                       const WriteClientConfig& write_client_config,
                                                                       const std::string& prefix = "");

// Constructs the webhooks' handlers for a server. The context must outlive the result.
[[nodiscard]] std::vector<webhook::ServedWebhook> serve_webhooks(const std::vector<webhook::Webhook>& webhooks,
                                                                 Context& context);

}  // namespace keelson::controller
