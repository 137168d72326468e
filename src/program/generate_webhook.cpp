#include "src/program/generate_webhook.hpp"

#include "keelson/base/assert.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/json/yaml.hpp"

namespace keelson::program {

namespace {

// Without caBundle: an apply would remove the one that the manager or cert-manager has written.
void write_service(json::Writer& writer, const std::string& path) {
  writer.key("service").begin_object();
  writer.field("name", "webhook-service").field("namespace", "system").field("path", path);
  writer.end_object();
}

}  // namespace

void generate_webhooks(const Declarations& declared, std::vector<GeneratedFile>& out) {
  const auto webhooks = controller::webhooks_of(declared.controllers, declared.webhooks);
  std::string content;
  for (auto& configuration : controller::webhook_configurations(webhooks, write_service)) {
    const auto document = json::Document::parse(std::move(configuration.json));
    KEELSON_ASSERT(document.has_value());
    content += "---\n" + json::to_yaml(document->root());
  }
  if (!content.empty()) out.push_back({"webhook/manifests.yaml", std::move(content)});
}

}  // namespace keelson::program
