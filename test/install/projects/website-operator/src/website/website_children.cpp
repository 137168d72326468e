#include "website/website_children.hpp"

namespace website {
using namespace keelson;

namespace {

constexpr int kPort = 8080;
constexpr const char* kImage = "nginxinc/nginx-unprivileged:1.29-alpine";

std::string pages_name(const Website& website) { return website.name() + "-pages"; }

// The label by which Deployment and Service find the pods.
std::map<std::string, std::string> labels_of(const Website& website) { return {{"website", website.name()}}; }

}  // namespace

std::string url_of(const Website& website) { return "http://" + website.name() + "." + website.ns() + ".svc"; }

core::v1::ConfigMap pages_of(const Website& website) {
  return {.metadata = {.name = pages_name(website)}, .data = website.spec.pages};
}

core::v1::Service service_of(const Website& website) {
  return {
      .metadata = {.name = website.name()},
      .spec = {.ports = {{.protocol = "TCP", .port = 80, .target_port = kPort}}, .selector = labels_of(website)},
  };
}

apps::v1::Deployment deployment_of(const Website& website) {
  const core::v1::Container container{
      .name = "web",
      .image = website.spec.image.value_or(kImage),
      .ports = {{.container_port = kPort}},
      .volume_mounts = {{.name = "pages", .mount_path = "/usr/share/nginx/html"}},
  };
  const core::v1::Volume volume{.name = "pages", .config_map = {{.name = pages_name(website)}}};
  return {
      .metadata = {.name = website.name()},
      .spec = {.replicas = website.spec.replicas.value_or(1),
               .selector = {.match_labels = labels_of(website)},
               .pod_template = {.metadata = {.labels = labels_of(website)},
                                .spec = {.volumes = {volume}, .containers = {container}}}},
  };
}

}  // namespace website
