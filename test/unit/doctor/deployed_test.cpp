#include "src/doctor/deployed.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

TEST_CASE("arguments refer to variables as the kubelet expands them") {
  const std::string arguments = R"x("--lease=$(POD_NAMESPACE)","--b=$$(A)","--c=$(SECRET)","--d=$(B)","$(")x";
  const auto document =
      parsed(R"({"metadata":{"name":"m","namespace":"sea"},"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":)"
             R"({"containers":[{"name":"manager","args":[)" +
             arguments +
             R"(],)"
             R"("env":[{"name":"POD_NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}},)"
             R"({"name":"SECRET","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}},{"name":"A","value":"1"},)"
             R"x({"name":"B","value":"$(A)2"}]}]}}}})x");

  const auto deployed = describe_deployment(document.root());

  CHECK(deployed.manager.arguments ==
        std::vector<std::string>{"--lease=sea", "--b=$(A)", "--c=$(SECRET)", "--d=12", "$("});
  CHECK_FALSE(deployed.manager.environment.contains("SECRET"));
  CHECK(deployed.pod_selector == "a=b");
}

TEST_CASE("a Deployment is described by the parts that other checks need") {
  const auto document = parsed(
      R"({"metadata":{"name":"m","namespace":"sea"},"spec":{"selector":{"matchLabels":{"a":"b","c":"d"}},"template":)"
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"volumes":[{"name":"v","secret":{"secretName":"certs"}}],"containers":)"
      R"([{"name":"kube-rbac-proxy","ports":[{"containerPort":8443,"name":"https"}]},{"name":"manager",)"
      R"("command":["/manager","--one"],"args":["--two"],"ports":[{"containerPort":8081}],"volumeMounts":)"
      R"([{"name":"v","mountPath":"/certs"},{"name":"w","mountPath":"/w"}],"env":[{"name":"A","value":"1"},)"
      R"({"name":"WATCH_NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}}]}]}}}})");

  const auto deployed = describe_deployment(document.root());

  CHECK(deployed.account == "default");
  CHECK(deployed.pod_selector == "a=b,c=d");
  CHECK(deployed.manager.arguments == std::vector<std::string>{"--one", "--two"});
  CHECK(deployed.manager.environment.at("A") == "1");
  CHECK(deployed.manager.environment.at("WATCH_NAMESPACE") == "sea");
  CHECK(deployed.manager.secrets == std::map<std::string, std::string>{{"/certs", "certs"}});
  CHECK(deployed.ports == std::map<std::string, int>{{"https", 8443}, {"8081", 8081}});
  CHECK(deployed.proxy_port == 8443);
}

}  // namespace
}  // namespace keelson::doctor
