#include "src/controllers/bluegreen/bluegreen_children.hpp"

#include <map>

#include "keelson/api/core/v1/service.hpp"
#include "keelson/base/text.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/kube/typed_object.hpp"
#include "src/controllers/bluegreen/bluegreen_types.hpp"

namespace keelson::controllers {

namespace {

constexpr std::string_view kDeploymentSuffix = "-deployment";

std::map<std::string, std::string> labels_of(const std::string& name, std::string_view colour) {
  return {{"app.kubernetes.io/managed-by", "app.demo.kakao.com"},
          {"app.kubernetes.io/name", name},
          {std::string(kPhaseLabel), std::string(colour)}};
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

// The pod spec is the user's, and a struct would lose the fields that it does not have.
std::string colour_deployment(const kube::Key& key, std::string_view colour, std::string_view pod_spec) {
  const auto labels = labels_of(key.name, colour);
  json::Writer writer;
  writer.begin_object().field("apiVersion", "apps/v1").field("kind", "Deployment");
  writer.key("metadata").begin_object();
  writer.field("name", colour_deployment_name(key.name, colour)).field("namespace", key.ns).end_object();
  writer.key("spec").begin_object();
  writer.key("selector").begin_object().raw_field("matchLabels", kube::encode(labels)).end_object();
  writer.key("template").begin_object();
  writer.key("metadata").begin_object().raw_field("labels", kube::encode(labels)).end_object();
  writer.raw_field("spec", pod_spec).end_object();
  writer.end_object().end_object();
  return std::move(writer).take();
}

std::string bluegreen_service(const kube::Key& key, std::string_view colour) {
  return kube::encode_desired(core::v1::Service{
      .metadata = {.name = key.name, .ns = key.ns},
      // The protocol and the target port are what the API server fills in: only fields that are set here are corrected.
      .spec = {.ports = {{.name = "http", .protocol = "TCP", .port = 80, .target_port = 80}},
               .selector = labels_of(key.name, colour)},
  });
}

}  // namespace keelson::controllers
