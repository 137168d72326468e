#include "src/controllers/bluegreen/bluegreen_children.hpp"

#include "keelson/base/text.hpp"

namespace keelson::controllers {

namespace {

constexpr std::string_view kDeploymentSuffix = "-deployment";

std::map<std::string, std::string> labels_of(const std::string& name, std::string_view colour) {
  return {{"app.kubernetes.io/managed-by", "app.demo.kakao.com"},
          {"app.kubernetes.io/name", name},
          {std::string(kPhaseLabel), std::string(colour)}};
}

}  // namespace

void describe(kube::Description& d, ColourDeployment::Selector& selector) {
  d.field("matchLabels", selector.match_labels, "");
}

void describe(kube::Description& d, ColourDeployment::PodTemplate& pod_template) {
  d.field("metadata", pod_template.metadata, "");
  d.field("spec", pod_template.spec, "");
}

void describe(kube::Description& d, ColourDeployment::Spec& spec) {
  d.field("selector", spec.selector, "");
  d.field("template", spec.pod_template, "");
}

void describe(kube::Description& d, ColourDeployment& deployment) {
  d.field("metadata", deployment.metadata, "");
  d.field("spec", deployment.spec, "");
}

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

ColourDeployment deployment_of(const BlueGreen& bluegreen, std::string_view colour) {
  const auto labels = labels_of(bluegreen.name(), colour);
  return {
      .metadata = {.name = colour_deployment_name(bluegreen.name(), colour)},
      .spec = {.selector = {.match_labels = labels},
               .pod_template = {.metadata = {.labels = labels}, .spec = {bluegreen.spec.pod_spec(colour)}}},
  };
}

core::v1::Service service_of(const BlueGreen& bluegreen, std::string_view colour) {
  return {
      .metadata = {.name = bluegreen.name()},
      // The protocol and the target port equal the API server's defaults; they are set because only set fields are
      // corrected.
      .spec = {.ports = {{.name = "http", .protocol = "TCP", .port = 80, .target_port = 80}},
               .selector = labels_of(bluegreen.name(), colour)},
  };
}

}  // namespace keelson::controllers
