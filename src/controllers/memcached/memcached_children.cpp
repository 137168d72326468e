// The desired state of a Memcached's children. Only fields that are set here are corrected.
#include "keelson/api/pod_security.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::controllers {

namespace {

constexpr int kPort = 11211;
// The numeric user of the official image: its image names a user, and runAsNonRoot needs a number to check.
constexpr int kUser = 11211;

}  // namespace

std::map<std::string, std::string> pod_labels(const Memcached& memcached) {
  return {{"app", "memcached"}, {kOwnerLabel, memcached.name()}};
}

apps::v1::Deployment deployment_of(const Memcached& memcached, std::string image) {
  const core::v1::Container container{
      .name = "memcached",
      .image = std::move(image),
      .command = {"memcached", "-m=64", "-o", "modern", "-v"},
      .ports = {{.name = "memcached", .container_port = kPort, .protocol = "TCP"}},
      .security_context = core::v1::restricted_container(),
  };
  return {
      .metadata = {.name = memcached.name()},
      .spec = {.replicas = memcached.spec.size,
               .selector = {.match_labels = pod_labels(memcached)},
               .pod_template = {.metadata = {.labels = pod_labels(memcached)},
                                .spec = {.containers = {container},
                                         .security_context = core::v1::restricted_pod(kUser)}}},
  };
}

core::v1::Service service_of(const Memcached& memcached) {
  return {
      .metadata = {.name = memcached.name()},
      .spec = {.ports = {{.name = "memcached", .protocol = "TCP", .port = kPort, .target_port = kPort}},
               .selector = pod_labels(memcached)},
  };
}

}  // namespace keelson::controllers
