// The namespace of the lease.
#include "src/program/leadership.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::program {
namespace {

kube::Environment webhook_environment(std::optional<std::string> account, std::string pod) {
  kube::Environment environment;
  environment.variable = [pod](const std::string& name) { return name == "POD_NAMESPACE" ? pod : ""; };
  environment.read_file = [account](const std::string& path) -> Result<std::optional<std::string>> {
    return path == "/var/run/secrets/kubernetes.io/serviceaccount/namespace" ? account : std::nullopt;
  };
  return environment;
}

TEST_CASE("the lease is in the namespace of the flag, else of the pod, else of the kubeconfig's context") {
  Options options;
  kube::ConnectionConfig config;
  config.ns = "context";

  CHECK(election_namespace(options, config, webhook_environment(std::nullopt, "")) == "context");
  CHECK(election_namespace(options, config, webhook_environment(" \n", "")) == "context");
  CHECK(election_namespace(options, config, webhook_environment(std::nullopt, "pod")) == "pod");
  CHECK(election_namespace(options, config, webhook_environment("account\n", "pod")) == "account");
  options.leader_election_namespace = "flag";
  CHECK(election_namespace(options, config, webhook_environment("account\n", "pod")) == "flag");
}

}  // namespace
}  // namespace keelson::program
