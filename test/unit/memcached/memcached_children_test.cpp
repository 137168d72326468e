
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "src/kinds/memcached/memcached.hpp"

namespace keelson::kinds {
namespace {

json::Document parse(const std::string& text) {
  auto document = json::Document::parse(text);
  REQUIRE(document.has_value());
  return std::move(*document);
}

constexpr const char* kImage = "memcached:1.6-alpine";

Memcached cache_of(std::int32_t size) {
  Memcached memcached;
  memcached.metadata = {.name = "cache", .ns = "default"};
  memcached.spec.size = size;
  return memcached;
}

TEST_CASE("M5, M26: the Deployment has the seed's name, labels, command and port") {
  auto document = parse(kube::encode_desired(deployment_of(cache_of(3), kImage)));

  auto root = document.root();
  auto spec = root.find("spec");
  auto container = spec.at({"template", "spec", "containers"}).item(0);
  CHECK(root.at({"metadata", "name"}).string() == "cache");
  CHECK(spec.find("replicas").integer() == 3);
  CHECK(spec.at({"selector", "matchLabels"}).text() == R"({"app":"memcached","memcached_cr":"cache"})");
  CHECK(json::equal(spec.at({"selector", "matchLabels"}), spec.at({"template", "metadata", "labels"})));
  CHECK(container.find("name").string() == "memcached");
  CHECK(container.find("image").string() == "memcached:1.6-alpine");
  CHECK(container.find("command").text() == R"(["memcached","-m=64","-o","modern","-v"])");
  CHECK(container.find("ports").text() == R"([{"name":"memcached","containerPort":11211,"protocol":"TCP"}])");
}

TEST_CASE("pods run under the restricted Pod Security profile, with a numeric user") {
  auto document = parse(kube::encode_desired(deployment_of(cache_of(1), "registry.example/memcached:1")));

  auto pod = document.root().at({"spec", "template", "spec"});
  auto container = pod.find("containers").item(0);
  CHECK(pod.find("securityContext").text() ==
        R"({"runAsUser":11211,"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}})");
  CHECK(container.find("securityContext").text() ==
        R"({"capabilities":{"drop":["ALL"]},"allowPrivilegeEscalation":false})");
}

TEST_CASE("M6, M20: the Service's port has a fixed name, so that no name of a Memcached is too long for it") {
  auto document = parse(kube::encode_desired(service_of(cache_of(1))));

  auto spec = document.root().find("spec");
  CHECK(spec.find("selector").text() == R"({"app":"memcached","memcached_cr":"cache"})");
  CHECK(spec.find("ports").text() == R"([{"name":"memcached","protocol":"TCP","port":11211,"targetPort":11211}])");
}

}  // namespace
}  // namespace keelson::kinds
