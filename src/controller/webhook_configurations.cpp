#include "keelson/controller/webhook_configurations.hpp"

#include <algorithm>
#include <string>

namespace keelson::controller {

namespace {

bool has_webhooks(const Definition& definition) { return definition.is_defaulted() || definition.is_validated(); }

// One entry of a configuration.
struct Registration {
  std::string name;
  std::string path;
  const kube::Resource* resource;
  std::vector<std::string_view> operations = {"CREATE", "UPDATE"};
};

void write_words(json::Writer& writer, std::string_view name, const std::vector<std::string_view>& words) {
  writer.key(name).begin_array();
  for (const auto word : words) writer.string(word);
  writer.end_array();
}

// An apply replaces the rules as a whole, so they contain the server's default for `scope`: without it, each apply
// would change the object.
void write_rules(json::Writer& writer, const Registration& registration) {
  const auto& resource = *registration.resource;
  writer.key("rules").begin_array().begin_object();
  write_words(writer, "apiGroups", {resource.group});
  write_words(writer, "apiVersions", {resource.version});
  write_words(writer, "operations", registration.operations);
  write_words(writer, "resources", {resource.plural});
  writer.field("scope", "*").end_object().end_array();
}

void write_webhook(json::Writer& writer, const Registration& registration,
                   const WriteClientConfig& write_client_config) {
  writer.begin_object();
  write_words(writer, "admissionReviewVersions", {"v1"});
  writer.key("clientConfig").begin_object();
  write_client_config(writer, registration.path);
  writer.end_object();
  writer.field("failurePolicy", "Fail").field("name", registration.name);
  write_rules(writer, registration);
  writer.field("sideEffects", "None").end_object();
}

// The API server takes each name once, and kubebuilder's names do not have the group.
void make_distinct(std::vector<Registration>& registrations) {
  std::vector<std::string> names;
  for (const auto& registration : registrations) names.push_back(registration.name);
  for (auto& registration : registrations) {
    if (std::count(names.begin(), names.end(), registration.name) == 1) continue;
    registration.name.insert(registration.name.find('.'), "." + registration.resource->group);
  }
}

WebhookConfiguration configuration(kube::Resource resource, std::string_view name,
                                   std::vector<Registration> registrations,
                                   const WriteClientConfig& write_client_config) {
  make_distinct(registrations);
  std::sort(registrations.begin(), registrations.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "admissionregistration.k8s.io/v1").field("kind", resource.kind);
  writer.key("metadata").begin_object().field("name", name).end_object();
  writer.key("webhooks").begin_array();
  for (const auto& registration : registrations) write_webhook(writer, registration, write_client_config);
  writer.end_array().end_object();
  return {std::move(resource), std::move(writer).take()};
}

kube::Resource registration_kind(std::string_view kind, std::string_view plural) {
  return {"admissionregistration.k8s.io", "v1", kind, plural, false};
}

}  // namespace

std::vector<WebhookConfiguration> webhook_configurations(const std::vector<Definition>& definitions,
                                                         const WriteClientConfig& write_client_config,
                                                         const std::string& prefix) {
  std::vector<Registration> mutating;
  std::vector<Registration> validating;
  for (const auto& definition : definitions) {
    const auto& resource = definition.resource();
    if (definition.is_defaulted()) {
      mutating.emplace_back(
          Registration{webhook::mutating_name(resource), webhook::mutating_path(resource), &resource});
    }
    if (definition.is_validated()) {
      auto& added = validating.emplace_back(
          Registration{webhook::validating_name(resource), webhook::validating_path(resource), &resource});
      if (definition.is_validated_on_delete()) added.operations.emplace_back("DELETE");
    }
  }
  std::vector<WebhookConfiguration> configurations;
  if (!mutating.empty()) {
    configurations.push_back(
        configuration(registration_kind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
                      prefix + "mutating-webhook-configuration", std::move(mutating), write_client_config));
  }
  if (!validating.empty()) {
    configurations.push_back(
        configuration(registration_kind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
                      prefix + "validating-webhook-configuration", std::move(validating), write_client_config));
  }
  return configurations;
}

bool any_webhooks(const std::vector<Definition>& definitions) {
  return std::any_of(definitions.begin(), definitions.end(), has_webhooks);
}

std::vector<webhook::KindWebhooks> webhooks_of(const std::vector<Definition>& definitions, Context& context) {
  std::vector<webhook::KindWebhooks> kinds;
  for (const auto& definition : definitions) {
    if (has_webhooks(definition)) kinds.push_back(definition.make_webhooks(context));
  }
  return kinds;
}

}  // namespace keelson::controller
