#include "src/program/generate_webhook.hpp"

#include <algorithm>

#include "keelson/base/assert.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/json/yaml.hpp"

namespace keelson::program {

namespace {

using Definitions = std::vector<controller::Definition>;

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

// Rules are replaced as a whole when they are applied, so they carry the default of the server too: without `scope`
// each apply would change something.
void write_rules(json::Writer& writer, const Registration& registration) {
  const auto& resource = *registration.resource;
  writer.key("rules").begin_array().begin_object();
  write_words(writer, "apiGroups", {resource.group});
  write_words(writer, "apiVersions", {resource.version});
  write_words(writer, "operations", registration.operations);
  write_words(writer, "resources", {resource.plural});
  writer.field("scope", "*").end_object().end_array();
}

// Without caBundle: whoever writes it (the manager, cert-manager) would lose it with each apply.
void write_webhook(json::Writer& writer, const Registration& registration) {
  writer.begin_object();
  write_words(writer, "admissionReviewVersions", {"v1"});
  writer.key("clientConfig").begin_object().key("service").begin_object();
  writer.field("name", "webhook-service").field("namespace", "system").field("path", registration.path);
  writer.end_object().end_object();
  writer.field("failurePolicy", "Fail").field("name", registration.name);
  write_rules(writer, registration);
  writer.field("sideEffects", "None").end_object();
}

// Nothing for no webhooks: an empty configuration would be one more object to keep.
std::string configuration(std::string_view kind, std::string_view name, std::vector<Registration> registrations) {
  if (registrations.empty()) return {};
  std::sort(registrations.begin(), registrations.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "admissionregistration.k8s.io/v1").field("kind", kind);
  writer.key("metadata").begin_object().field("name", name).end_object();
  writer.key("webhooks").begin_array();
  for (const auto& registration : registrations) write_webhook(writer, registration);
  writer.end_array().end_object();
  const auto document = json::Document::parse(std::move(writer).take());
  KEELSON_ASSERT(document.has_value());
  return "---\n" + json::to_yaml(document->root());
}

}  // namespace

bool any_webhooks(const Definitions& definitions) {
  return std::any_of(definitions.begin(), definitions.end(),
                     [](const auto& definition) { return definition.is_defaulted() || definition.is_validated(); });
}

void generate_webhooks(const Definitions& definitions, std::vector<GeneratedFile>& out) {
  if (!any_webhooks(definitions)) return;
  std::vector<Registration> mutating;
  std::vector<Registration> validating;
  for (const auto& definition : definitions) {
    const auto& resource = definition.kind().resource;
    if (definition.is_defaulted()) {
      mutating.push_back({webhook::mutating_name(resource), webhook::mutating_path(resource), &resource});
    }
    if (definition.is_validated()) {
      auto& added = validating.emplace_back(
          Registration{webhook::validating_name(resource), webhook::validating_path(resource), &resource});
      if (definition.is_validated_on_delete()) added.operations.push_back("DELETE");
    }
  }
  auto content =
      configuration("MutatingWebhookConfiguration", "mutating-webhook-configuration", std::move(mutating)) +
      configuration("ValidatingWebhookConfiguration", "validating-webhook-configuration", std::move(validating));
  out.push_back({"webhook/manifests.yaml", std::move(content)});
}

}  // namespace keelson::program
