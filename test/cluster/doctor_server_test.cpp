// `manager doctor` with an API server that has a property which a healthy one does not have: a proxy in front of it
// alters its replies.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/doctor.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

// The API server of the test with one property that is altered (harness/altering_proxy.py).
class AlteredServer {
 public:
  explicit AlteredServer(const std::string& alteration)
      : port_(free_port()),
        process_({std::string(KEELSON_SOURCE_DIR) + "/test/cluster/harness/altering_proxy.py", std::to_string(port_),
                  alteration},
                 folder_.file("log")) {
    eventually("the proxy answers", [this] { return !http_get(port_, "/version").empty(); });
  }

  // The path of a kubeconfig for it.
  [[nodiscard]] std::string kubeconfig() const {
    return folder_.write("altered",
                         R"({"current-context":"c","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:)" +
                             std::to_string(port_) +
                             R"("}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],)"
                             R"("users":[{"name":"u","user":{}}]})");
  }

 private:
  TemporaryFolder folder_;
  int port_;
  Process process_;
};

}  // namespace

TEST_CASE("doctor: each property of an API server that it reports") {
  const struct {
    const char* alteration;
    const char* finding;
  } cases[] = {
      {"old-version", "version-unsupported"},      {"other-clock", "clock-skew"},
      {"no-streamed-lists", "lists-not-streamed"}, {"no-bookmarks", "watch-without-bookmarks"},
      {"not-established", "crd-not-established"},
  };
  install_crds();
  const auto healthy = doctor();
  for (const auto& one : cases) {
    INFO(one.alteration);
    const AlteredServer server(one.alteration);

    const auto result = doctor({"--kubeconfig=" + server.kubeconfig()});

    INFO(result.output);
    CHECK_FALSE(healthy.found(one.finding));
    CHECK(result.found(one.finding));
    CHECK(result.exit_code >= exit_code_of(one.finding));
  }
}

TEST_CASE("doctor: a watch of the manager that fails after its list is found by the /statusz of its pod") {
  install_crds();
  const Namespace space;
  kubectl({"create", "-n", space.name(), "-f", "-"},
          "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: keelson-controller-manager\n  labels: "
          "{control-plane: controller-manager, app.kubernetes.io/name: keelson}\nspec:\n  selector: {matchLabels: "
          "{control-plane: controller-manager}}\n  template:\n    metadata: {labels: {control-plane: "
          "controller-manager}}\n    spec: {containers: [{name: manager, image: manager}]}\n");
  kubectl({"wait", "pods", "-l", "control-plane=controller-manager", "-n", space.name(), "--for=condition=Ready",
           "--timeout=180s"});
  // The fake pods have no network.
  CHECK(doctor({"--namespace=" + space.name()}).found("manager-not-asked"));
  const AlteredServer server("stale-cache");

  const auto result = doctor({"--kubeconfig=" + server.kubeconfig(), "--namespace=" + space.name()});

  INFO(result.output);
  CHECK(result.found("cache-stale"));
  CHECK(result.found("manager-attention"));
  CHECK(result.output.find("for 1m15s: forbidden") != std::string::npos);
  CHECK(result.exit_code == 2);
}

TEST_CASE("doctor: an API server that hangs has no other finding", "[slow]") {
  install_crds();
  const AlteredServer server("hang");

  const auto result = doctor({"--kubeconfig=" + server.kubeconfig()});

  INFO(result.output);
  for (const auto& id : result.problems) {
    INFO(id);
    CHECK((id == "check-failed" || id == "api-server-unreachable"));
  }
  CHECK_FALSE(result.problems.empty());
  CHECK(result.output.find("does not exist") == std::string::npos);
}

TEST_CASE("doctor: --watch prints a finding when it is found and when it has cleared, and ends at once") {
  install_crds();
  const TemporaryFolder folder;
  const auto log = folder.file("log");
  Process watcher({KEELSON_MANAGER, "doctor", "--watch", "--interval=10s", "--output=json"}, log);
  const auto has_line = [&](const std::string& change, const std::string& id) {
    return watcher.log().find(R"("change":")" + change + R"(","id":")" + id + "\"") != std::string::npos;
  };
  eventually("the missing Deployment is found", [&] { return has_line("found", "manager-not-deployed"); });
  const Namespace space;
  kubectl(
      {"create", "-n", space.name(), "-f", "-"},
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: keelson-controller-manager, labels: {control-plane: "
      "controller-manager, app.kubernetes.io/name: keelson}}\nspec: {replicas: 0, selector: {matchLabels: {a: "
      "watched}}, template: {metadata: {labels: {a: watched}}, spec: {containers: [{name: manager, image: m}]}}}\n");
  eventually("it has cleared, and others are found",
             [&] { return has_line("cleared", "manager-not-deployed") && has_line("found", "manager-scaled-down"); });

  watcher.signal(SIGTERM);

  CHECK(watcher.wait() == 2);
}

}  // namespace keelson::testing
