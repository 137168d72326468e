// The generated webhooks, registered at the real API server so that it calls a manager on this machine.
#pragma once

#include <string>

#include "keelson/detail/base/base64.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {

// The generated configurations, and a Service that leads to a port of this machine: the API server calls it by the
// Service's name, for which the certificate must be valid.
class RegisteredWebhooks {
 public:
  static constexpr const char* kMutating = "mutating-webhook-configuration";
  static constexpr const char* kValidating = "validating-webhook-configuration";
  static constexpr const char* kService = "keelson-webhook-service";

  // `ca_pem` is the CA that the API server trusts; empty: the manager writes it.
  RegisteredWebhooks(const std::string& ns, int port, const std::string& ca_pem) {
    install_crds();
    kubectl({"create", "service", "externalname", kService, "-n", ns, "--external-name=localhost"});
    kubectl({"create", "-f", std::string(KEELSON_SOURCE_DIR) + "/config/webhook/manifests.yaml"});
    point("mutatingwebhookconfiguration", kMutating, ns, port, ca_pem);
    point("validatingwebhookconfiguration", kValidating, ns, port, ca_pem);
  }
  RegisteredWebhooks(const RegisteredWebhooks&) = delete;
  RegisteredWebhooks& operator=(const RegisteredWebhooks&) = delete;
  ~RegisteredWebhooks() {
    (void)try_kubectl({"delete", "mutatingwebhookconfiguration", kMutating, "--ignore-not-found"});
    (void)try_kubectl({"delete", "validatingwebhookconfiguration", kValidating, "--ignore-not-found"});
  }

 private:
  static void point(const std::string& kind, const std::string& name, const std::string& ns, int port,
                    const std::string& ca_pem) {
    auto service = R"({"op":"replace","path":"/webhooks/0/clientConfig/service/)";
    auto patch = std::string("[") + service + R"(namespace","value":")" + ns + "\"}," + service + R"(name","value":")" +
                 kService + R"("},{"op":"add","path":"/webhooks/0/clientConfig/service/port","value":)" +
                 std::to_string(port) + "}";
    if (!ca_pem.empty()) {
      patch +=
          R"(,{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":")" + base::base64_encode(ca_pem) + "\"}";
    }
    kubectl({"patch", kind, name, "--type=json", "-p", patch + "]"});
  }
};

}  // namespace keelson::testing
