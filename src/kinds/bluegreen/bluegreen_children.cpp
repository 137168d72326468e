#include "src/kinds/bluegreen/bluegreen_children.hpp"

#include "keelson/detail/base/text.hpp"

namespace keelson::kinds {

namespace {

constexpr std::string_view kDeploymentSuffix = "-deployment";

std::map<std::string, std::string> labels_of(const std::string& name, std::string_view color) {
  return {{"app.kubernetes.io/managed-by", std::string(kManagedBy)},
          {std::string(kNameLabel), name},
          {std::string(kPhaseLabel), std::string(color)}};
}

}  // namespace

void describe(kube::Description& d, ColorDeployment::Selector& selector) {
  d.field("matchLabels", selector.match_labels, "");
}

void describe(kube::Description& d, ColorDeployment::PodTemplate& pod_template) {
  d.field("metadata", pod_template.metadata, "");
  d.field("spec", pod_template.spec, "");
}

void describe(kube::Description& d, ColorDeployment::Spec& spec) {
  d.field("selector", spec.selector, "");
  d.field("template", spec.pod_template, "");
}

void describe(kube::Description& d, ColorDeployment& deployment) {
  d.field("metadata", deployment.metadata, "");
  d.field("spec", deployment.spec, "");
}

std::string color_deployment_name(std::string_view bluegreen, std::string_view color) {
  return std::string(bluegreen) + base::to_lower(color) + std::string(kDeploymentSuffix);
}

ColorDeployment deployment_of(const BlueGreen& bluegreen, std::string_view color) {
  const auto labels = labels_of(bluegreen.name(), color);
  return {
      .metadata = {.name = color_deployment_name(bluegreen.name(), color)},
      .spec = {.selector = {.match_labels = labels},
               .pod_template = {.metadata = {.labels = labels}, .spec = {bluegreen.spec.pod_spec(color)}}},
  };
}

core::v1::Service service_of(const BlueGreen& bluegreen, std::string_view color) {
  return {
      .metadata = {.name = bluegreen.name()},
      // The protocol and the target port equal the API server's defaults; they are set because only set fields are
      // corrected.
      .spec = {.ports = {{.name = "http", .protocol = "TCP", .port = 80, .target_port = 80}},
               .selector = labels_of(bluegreen.name(), color)},
  };
}

}  // namespace keelson::kinds
