#include "src/controllers/bluegreen/bluegreen_children.hpp"

#include "keelson/base/text.hpp"
#include "keelson/json/writer.hpp"
#include "src/controllers/bluegreen/bluegreen_types.hpp"

namespace keelson::controllers {

namespace {

constexpr std::string_view kDeploymentSuffix = "-deployment";

void begin(json::Writer& writer, std::string_view api_version, std::string_view kind, const kube::Key& key) {
  writer.begin_object().field("apiVersion", api_version).field("kind", kind);
  writer.key("metadata").begin_object().field("name", key.name).field("namespace", key.ns).end_object();
  writer.key("spec").begin_object();
}

void write_labels(json::Writer& writer, std::string_view member, const std::string& name, std::string_view colour) {
  writer.key(member).begin_object();
  writer.field("app.kubernetes.io/managed-by", "app.demo.kakao.com");
  writer.field("app.kubernetes.io/name", name).field(kPhaseLabel, colour).end_object();
}

}  // namespace

std::string colour_deployment_name(std::string_view bluegreen, std::string_view colour) {
  return std::string(bluegreen) + base::to_lower(colour) + std::string(kDeploymentSuffix);
}

std::string bluegreen_name_of(std::string_view deployment) {
  for (auto colour : kColours) {
    auto suffix = colour_deployment_name("", colour);
    if (deployment.ends_with(suffix)) return std::string(deployment.substr(0, deployment.size() - suffix.size()));
  }
  return {};
}

std::string colour_deployment(const kube::Key& key, std::string_view colour, std::string_view pod_spec) {
  json::Writer writer;
  begin(writer, "apps/v1", "Deployment", {key.ns, colour_deployment_name(key.name, colour)});
  writer.key("selector").begin_object();
  write_labels(writer, "matchLabels", key.name, colour);
  writer.end_object();
  writer.key("template").begin_object().key("metadata").begin_object();
  write_labels(writer, "labels", key.name, colour);
  writer.end_object().raw_field("spec", pod_spec).end_object();
  writer.end_object().end_object();
  return std::move(writer).take();
}

std::string bluegreen_service(const kube::Key& key, std::string_view colour) {
  json::Writer writer;
  begin(writer, "v1", "Service", key);
  write_labels(writer, "selector", key.name, colour);
  writer.key("ports").begin_array().begin_object();
  // What the API server would fill in, said because only what is wished for is repaired.
  writer.field("name", "http").field("port", 80).field("protocol", "TCP").field("targetPort", 80);
  writer.end_object().end_array();
  writer.end_object().end_object();
  return std::move(writer).take();
}

}  // namespace keelson::controllers
