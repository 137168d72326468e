#include "keelson/detail/controller/webhook_configurations.hpp"

#include <map>
#include <string>
#include <utility>

#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::controller {

namespace {

using webhook::Webhook;

void write_words(json::Writer& writer, std::string_view name, const std::vector<std::string>& words) {
  writer.key(name).begin_array();
  for (const auto& word : words) writer.string(word);
  writer.end_array();
}

// "pods", "pods/status".
std::vector<std::string> resources_of(const Webhook& webhook) {
  const auto& plural = webhook.resource().plural;
  std::vector<std::string> resources;
  for (const auto& subresource : webhook.options.subresources) {
    resources.push_back(subresource.empty() ? plural : plural + "/" + subresource);
  }
  if (resources.empty()) resources.push_back(plural);
  return resources;
}

// An apply replaces the rules as a whole, so they contain the server's default for `scope`: without it, each apply
// would change the object.
void write_rules(json::Writer& writer, const Webhook& webhook) {
  std::vector<std::string> operations;
  for (const auto operation : webhook.options.operations) operations.emplace_back(webhook::name_of(operation));
  writer.key("rules").begin_array().begin_object();
  write_words(writer, "apiGroups", {webhook.resource().group});
  write_words(writer, "apiVersions", {webhook.resource().version});
  write_words(writer, "operations", operations);
  write_words(writer, "resources", resources_of(webhook));
  writer.field("scope", "*").end_object().end_array();
}

std::string_view operator_of(const kube::Selector::Requirement& requirement) {
  using Operator = kube::Selector::Requirement::Operator;
  switch (requirement.op) {
    case Operator::kEquals:
    case Operator::kIn:
      return "In";
    case Operator::kNotEquals:
    case Operator::kNotIn:
      return "NotIn";
    case Operator::kExists:
      return "Exists";
    case Operator::kNotExists:
      return "DoesNotExist";
  }
  return "";
}

// Writes a metav1.LabelSelector: the first value that a label must equal is in matchLabels. Empty: writes nothing.
void write_selector(json::Writer& writer, std::string_view name, const kube::Selector& selector) {
  if (selector.empty()) return;
  std::map<std::string, std::string> labels;
  std::vector<kube::Selector::Requirement> expressions;
  for (const auto& requirement : selector.requirements()) {
    const bool is_equal = requirement.op == kube::Selector::Requirement::Operator::kEquals;
    const bool is_label = is_equal && labels.try_emplace(requirement.label, requirement.values.at(0)).second;
    if (!is_label) expressions.push_back(requirement);
  }
  writer.key(name).begin_object();
  if (!expressions.empty()) {
    writer.key("matchExpressions").begin_array();
    for (const auto& expression : expressions) {
      writer.begin_object().field("key", expression.label).field("operator", operator_of(expression));
      if (!expression.values.empty()) write_words(writer, "values", expression.values);
      writer.end_object();
    }
    writer.end_array();
  }
  if (!labels.empty()) {
    writer.key("matchLabels").begin_object();
    for (const auto& [label, value] : labels) writer.field(label, value);
    writer.end_object();
  }
  writer.end_object();
}

// Members have the order of controller-gen. Defaults of the server are omitted, except where a reader expects them.
void write_webhook(json::Writer& writer, const Webhook& webhook, const std::string& name,
                   const WriteClientConfig& write_client_config) {
  const auto& options = webhook.options;
  writer.begin_object();
  write_words(writer, "admissionReviewVersions", {"v1"});
  writer.key("clientConfig").begin_object();
  write_client_config(writer, webhook.path());
  writer.end_object();
  writer.field("failurePolicy", options.failure_policy == webhook::FailurePolicy::kFail ? "Fail" : "Ignore");
  if (options.match_policy == webhook::MatchPolicy::kExact) writer.field("matchPolicy", "Exact");
  writer.field("name", name);
  write_selector(writer, "namespaceSelector", options.namespace_selector);
  write_selector(writer, "objectSelector", options.object_selector);
  if (options.reinvocation_policy == webhook::ReinvocationPolicy::kIfNeeded) {
    writer.field("reinvocationPolicy", "IfNeeded");
  }
  write_rules(writer, webhook);
  writer.field("sideEffects", options.side_effects == webhook::SideEffects::kNone ? "None" : "NoneOnDryRun");
  if (options.timeout) writer.field("timeoutSeconds", static_cast<std::int64_t>(options.timeout->count()));
  writer.end_object();
}

// The webhooks by their names, which must be unique. kubebuilder's names do not have the group.
std::multimap<std::string, const Webhook*> by_name(const std::vector<Webhook>& webhooks, webhook::WebhookType type) {
  std::multimap<std::string, const Webhook*> plain;
  for (const auto& webhook : webhooks) {
    if (webhook.type == type) plain.emplace(webhook.name(), &webhook);
  }
  std::multimap<std::string, const Webhook*> named;
  for (const auto& [name, webhook] : plain) {
    const auto& group = webhook->resource().group;
    auto distinct = name;
    if (plain.count(name) > 1 && !group.empty()) distinct.insert(distinct.find('.'), "." + group);
    named.emplace(std::move(distinct), webhook);
  }
  return named;
}

WebhookConfiguration configuration(kube::Resource resource, std::string_view name,
                                   const std::multimap<std::string, const Webhook*>& webhooks,
                                   const WriteClientConfig& write_client_config) {
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "admissionregistration.k8s.io/v1").field("kind", resource.kind);
  writer.key("metadata").begin_object().field("name", name).end_object();
  writer.key("webhooks").begin_array();
  for (const auto& [of_webhook, webhook] : webhooks) write_webhook(writer, *webhook, of_webhook, write_client_config);
  writer.end_array().end_object();
  return {std::move(resource), std::move(writer).take()};
}

}  // namespace

std::vector<Webhook> webhooks_of(const std::vector<Definition>& definitions, const std::vector<Webhook>& others) {
  std::vector<Webhook> webhooks;
  for (const auto& definition : definitions) {
    webhooks.insert(webhooks.end(), definition.parts().webhooks.begin(), definition.parts().webhooks.end());
  }
  webhooks.insert(webhooks.end(), others.begin(), others.end());
  return webhooks;
}

std::vector<WebhookConfiguration> webhook_configurations(const std::vector<Webhook>& webhooks,
                                                         const WriteClientConfig& write_client_config,
                                                         const std::string& prefix) {
  const auto mutating = by_name(webhooks, webhook::WebhookType::kMutating);
  const auto validating = by_name(webhooks, webhook::WebhookType::kValidating);
  std::vector<WebhookConfiguration> configurations;
  if (!mutating.empty()) {
    configurations.push_back(configuration(kube::mutating_webhook_configurations(),
                                           prefix + "mutating-webhook-configuration", mutating, write_client_config));
  }
  if (!validating.empty()) {
    configurations.push_back(configuration(kube::validating_webhook_configurations(),
                                           prefix + "validating-webhook-configuration", validating,
                                           write_client_config));
  }
  return configurations;
}

std::vector<webhook::ServedWebhook> serve_webhooks(const std::vector<Webhook>& webhooks, Context& context) {
  std::vector<webhook::ServedWebhook> served;
  served.reserve(webhooks.size());
  for (const auto& webhook : webhooks) served.push_back(webhook::serve(webhook, context));
  return served;
}

}  // namespace keelson::controller
