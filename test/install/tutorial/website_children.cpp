#include "website_children.hpp"

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/kube/typed_object.hpp"

namespace website {
using namespace keelson;

namespace {

constexpr int kPort = 8080;
constexpr const char* kImage = "nginxinc/nginx-unprivileged:1.29-alpine";

// The label by which Deployment and Service find the pods.
std::map<std::string, std::string> labels_of(const kube::Key& key) { return {{"website", key.name}}; }

}  // namespace

std::string pages_name(const kube::Key& key) { return key.name + "-pages"; }

std::string url_of(const kube::Key& key) { return "http://" + key.name + "." + key.ns + ".svc"; }

std::string wanted_pages(const kube::Key& key, const WebsiteSpec& spec) {
  return kube::encode_desired(
      core::v1::ConfigMap{.metadata = {.name = pages_name(key), .ns = key.ns}, .data = spec.pages});
}

std::string wanted_deployment(const kube::Key& key, const WebsiteSpec& spec) {
  const core::v1::Container container{
      .name = "web",
      .image = spec.image.value_or(kImage),
      .ports = {{.container_port = kPort}},
      .volume_mounts = {{.name = "pages", .mount_path = "/usr/share/nginx/html"}},
  };
  const core::v1::Volume volume{.name = "pages", .config_map = {{.name = pages_name(key)}}};
  return kube::encode_desired(apps::v1::Deployment{
      .metadata = {.name = key.name, .ns = key.ns},
      .spec = {.replicas = spec.replicas.value_or(1),
               .selector = {.match_labels = labels_of(key)},
               .pod_template = {.metadata = {.labels = labels_of(key)},
                                .spec = {.volumes = {volume}, .containers = {container}}}},
  });
}

std::string wanted_service(const kube::Key& key) {
  return kube::encode_desired(core::v1::Service{
      .metadata = {.name = key.name, .ns = key.ns},
      .spec = {.ports = {{.protocol = "TCP", .port = 80, .target_port = kPort}}, .selector = labels_of(key)},
  });
}

}  // namespace website
