// `manager support-bundle` on an installation with secrets in its arguments, annotations and environment.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

TEST_CASE("support-bundle: it writes the state of an installation into a new file without secrets") {
  install_crds();
  const Namespace space;
  kubectl({"create", "-n", space.name(), "-f", "-"},
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: keelson-controller-manager, labels: {control-plane: "
          "controller-manager, app.kubernetes.io/name: keelson}, annotations: {note: planted-in-annotation}}\nspec: "
          "{selector: {matchLabels: {a: bundled}}, template: {metadata: {labels: {a: bundled}}, spec: {containers: "
          "[{name: manager, image: m, args: [--db-password=planted-in-flag, --url=http://u:planted-in-url@db/], env: "
          "[{name: A, value: planted-in-environment}]}]}}}\n");
  kubectl({"wait", "pods", "-l", "a=bundled", "-n", space.name(), "--for=condition=Ready", "--timeout=180s"});
  const TemporaryFolder folder;
  const auto path = folder.file("bundle.tar.gz");
  const std::vector<std::string> command{KEELSON_MANAGER, "support-bundle", "--output=" + path,
                                         "--namespace=" + space.name()};

  const auto written = run(command);

  INFO(written.text);
  REQUIRE(written.exit_code == 0);
  CHECK(run({"stat", "-c", "%a", path}).text == "600\n");
  const auto names = run({"tar", "tzf", path}).text;
  for (const char* name : {"contents.txt", "version.txt", "doctor.txt", "doctor.json", "deployment.json", "pod.json"}) {
    INFO(names);
    CHECK(names.find(name) != std::string::npos);
  }
  const auto all = run({"tar", "xzOf", path}).text;
  CHECK(all.find("planted") == std::string::npos);
  CHECK(all.find("--db-password=REDACTED") != std::string::npos);
  // The fake pods have no network.
  CHECK(all.find("/statusz.txt: ") != std::string::npos);
  const auto again = run(command);
  CHECK(again.exit_code == 1);
  CHECK(again.text.find(path + " exists") != std::string::npos);
}

}  // namespace keelson::testing
