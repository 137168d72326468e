#include "test/cluster/harness/deployment.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"

namespace keelson::testing {

namespace {

std::string without_crds(const std::string& rendered) {
  const std::string separator = "\n---\n";
  std::string kept;
  for (std::size_t at = 0; at < rendered.size();) {
    const auto end = std::min(rendered.find(separator, at), rendered.size());
    const auto document = rendered.substr(at, end - at);
    if (document.find("\nkind: CustomResourceDefinition\n") == std::string::npos) kept += document + separator;
    at = end + separator.size();
  }
  return kept;
}

}  // namespace

Deployment::Turn::Turn() {
  auto path = std::filesystem::temp_directory_path() / "keelson-deployed-manager.lock";
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  INFO(path);
  REQUIRE(::flock(lock_, LOCK_EX) == 0);
}

Deployment::Turn::~Turn() { ::close(lock_); }

Deployment::Deployment(const std::string& tree) {
  const auto rendered = render(std::string(KEELSON_SOURCE_DIR) + "/" + tree);
  folder_.write("all.yaml", rendered);
  folder_.write("without-crds.yaml", without_crds(rendered));
  (void)apply();
  wait_for_crds();
  kubectl({"rollout", "status", "deployment/keelson-controller-manager", "-n", kNamespace, "--timeout=180s"});
}

Deployment::~Deployment() {
  (void)try_kubectl({"delete", "--ignore-not-found", "--timeout=120s", "-f", folder_.file("without-crds.yaml")});
}

std::string Deployment::apply() const { return kubectl({"apply", "-f", folder_.file("all.yaml")}); }

int Deployment::port_behind(const std::string& service) const {
  std::string port;
  eventually("service " + service + " has found its pod", [&] {
    auto ports =
        values_of("endpointslices", kNamespace, ".ports[0].port", {.labels = "kubernetes.io/service-name=" + service});
    if (!ports.empty()) port = ports.front();
    return !port.empty();
  });
  return std::stoi(port);
}

void Deployment::lead_webhooks_here() const {
  const std::string service = "keelson-webhook-service";
  const auto port = std::to_string(port_behind(service));
  kubectl({"patch", "service", service, "-n", kNamespace, "--type=merge", "-p",
           R"({"spec":{"type":"ExternalName","externalName":"localhost","clusterIP":null,"clusterIPs":null}})"});
  for (const std::string kind : {"mutating", "validating"}) {
    kubectl({"patch", kind + "webhookconfiguration", "keelson-" + kind + "-webhook-configuration", "--type=json", "-p",
             R"([{"op":"add","path":"/webhooks/0/clientConfig/service/port","value":)" + port + "}]"});
  }
}

Pod Deployment::pod() const {
  auto pods = json::Document::parse(
      kubectl({"get", "pods", "-n", kNamespace, "-l", "control-plane=controller-manager", "-o", "json"}));
  REQUIRE(pods.has_value());
  auto items = pods->root().find("items");
  INFO(items.text());
  REQUIRE(items.size() == 1);
  auto pod = json::Document::parse(items.item(0).text());
  REQUIRE(pod.has_value());
  return Pod(std::move(*pod));
}

}  // namespace keelson::testing
