#include "src/controllers/memcached/memcached_children.hpp"

#include <map>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/pod_security.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::controllers {

namespace {

constexpr int kPort = 11211;
// The numeric user of the official image: its image names a user, and runAsNonRoot needs a number to check.
constexpr int kUser = 11211;

std::map<std::string, std::string> labels_of(const kube::Key& key) {
  return {{std::string(kAppLabel), std::string(kAppName)}, {std::string(kOwnerLabel), key.name}};
}

}  // namespace

std::string memcached_deployment(const kube::Key& key, int size, std::string_view image) {
  const core::v1::Container container{
      .name = "memcached",
      .image = std::string(image),
      .command = {"memcached", "-m=64", "-o", "modern", "-v"},
      .ports = {{.name = "memcached", .container_port = kPort, .protocol = "TCP"}},
      .security_context = core::v1::restricted_container(),
  };
  return kube::encode_desired(apps::v1::Deployment{
      .metadata = {.name = key.name, .ns = key.ns},
      .spec = {.replicas = size,
               .selector = {.match_labels = labels_of(key)},
               .pod_template = {.metadata = {.labels = labels_of(key)},
                                .spec = {.containers = {container},
                                         .security_context = core::v1::restricted_pod(kUser)}}},
  });
}

std::string memcached_service(const kube::Key& key) {
  return kube::encode_desired(core::v1::Service{
      .metadata = {.name = key.name, .ns = key.ns},
      // The protocol and the target port are what the API server fills in: only fields that are set here are corrected.
      .spec = {.ports = {{.name = "memcached", .protocol = "TCP", .port = kPort, .target_port = kPort}},
               .selector = labels_of(key)},
  });
}

std::string memcached_pod_selector() {
  return std::string(kAppLabel) + "=" + std::string(kAppName) + "," + std::string(kOwnerLabel);
}

std::string memcached_selector(const kube::Key& key) { return memcached_pod_selector() + "=" + key.name; }

}  // namespace keelson::controllers
