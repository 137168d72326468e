// Checks the declarations of webhooks for mistakes.
#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "keelson/detail/webhook/webhook.hpp"

namespace keelson::webhook {

namespace {

constexpr std::chrono::seconds kLongestTimeout{30};
// The limit of WebhookOptions::name, which is a label of the webhook's DNS name.
constexpr std::size_t kLongestName = 40;

std::string described(const Webhook& webhook) {
  const std::string type = webhook.type == WebhookType::kMutating ? "mutating" : "validating";
  const auto& name = webhook.options.name;
  return "the " + type + " webhook " + (name.empty() ? "" : base::quote_go(name) + " ") + "of " +
         webhook.resource().qualified_plural();
}

// Requests to these subresources have an object of another kind than the resource's own.
bool has_other_kind(const std::string& subresource) {
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"scale", "eviction", "binding", "token", "exec", "attach", "portforward", "proxy"});
  return std::ranges::find(kOthers, subresource) != kOthers.end();
}

bool is_subresource(const std::string& name) { return name.empty() || kube::detail::is_label(name); }

void check_options(const Webhook& webhook) {
  const auto reject = [&webhook](const std::string& why) { throw base::Misuse(described(webhook) + ": " + why); };
  const auto& options = webhook.options;
  const auto has = [&options](Operation wanted) {
    return std::ranges::find(options.operations, wanted) != options.operations.end();
  };
  if (!options.name.empty() && (!kube::detail::is_label(options.name) || options.name.size() > kLongestName)) {
    reject(".name is not a valid name: use at most " + std::to_string(kLongestName) +
           " lower-case letters, digits and dashes, and begin with a letter, for example \"sidecar\"");
  }
  if (options.operations.empty()) reject(".operations is empty: leave it out for creates and updates");
  if (webhook.type == WebhookType::kMutating && has(Operation::kDelete)) {
    reject(".operations has kDelete, but a delete has no object that could be patched: use webhook::validating");
  }
  if (webhook.type == WebhookType::kValidating && options.reinvocation_policy != ReinvocationPolicy::kNever) {
    reject(".reinvocation_policy is for mutating webhooks: leave it out");
  }
  if (options.timeout && (*options.timeout < std::chrono::seconds(1) || *options.timeout > kLongestTimeout)) {
    reject(".timeout is " + std::to_string(options.timeout->count()) + "s: the API server waits from 1s to 30s");
  }
  for (const auto& subresource : options.subresources) {
    if (!is_subresource(subresource)) {
      reject(".subresources has " + base::quote_go(subresource) + ": write it as in a URL, for example \"status\"");
    }
    if (has_other_kind(subresource) && !options.resource) {
      reject("requests to subresource " + subresource +
             " carry an object of another kind: declare the webhook with the struct of that kind, and set .resource");
    }
  }
}

}  // namespace

void check_webhooks(const std::vector<Webhook>& webhooks) {
  std::map<std::string, const Webhook*> paths;
  for (const auto& webhook : webhooks) {
    check_options(webhook);
    const auto path = webhook.path();
    if (paths.try_emplace(path, &webhook).second) continue;
    throw base::Misuse(described(webhook) + ": another webhook has the path " + path +
                       ": give one of them a name with .name = \"…\"");
  }
}

}  // namespace keelson::webhook
