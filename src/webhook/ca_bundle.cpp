#include "src/webhook/ca_bundle.hpp"

#include "keelson/detail/base/base64.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::webhook {

namespace {

bool calls(json::View webhook, const ServiceName& service) {
  const auto called = webhook.at({"clientConfig", "service"});
  return called.find("namespace").string() == service.ns && called.find("name").string() == service.name;
}

}  // namespace

bool calls_service(json::View configuration, const ServiceName& service) {
  for (const auto webhook : configuration.find("webhooks").items()) {
    if (calls(webhook, service)) return true;
  }
  return false;
}

std::string bundle_in(json::View configuration, const ServiceName& service) {
  for (const auto webhook : configuration.find("webhooks").items()) {
    auto bundle = base::base64_decode(webhook.at({"clientConfig", "caBundle"}).string().value_or(""));
    if (calls(webhook, service) && bundle && !bundle->empty()) return std::move(*bundle);
  }
  return "";
}

std::string bundle_patch(json::View configuration, const ServiceName& service, const std::string& bundle) {
  const auto wanted = base::base64_encode(bundle);
  json::Writer writer;
  writer.begin_array();
  std::size_t place = 0;
  for (const auto webhook : configuration.find("webhooks").items()) {
    const auto path = "/webhooks/" + std::to_string(place++);
    if (!calls(webhook, service) || webhook.at({"clientConfig", "caBundle"}).string() == wanted) continue;
    writer.begin_object().field("op", "test").field("path", path + "/name").field("value", webhook.find("name"));
    writer.end_object();
    writer.begin_object().field("op", "add").field("path", path + "/clientConfig/caBundle").field("value", wanted);
    writer.end_object();
  }
  writer.end_array();
  return std::move(writer).take();
}

}  // namespace keelson::webhook
