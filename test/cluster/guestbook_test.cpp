// The Guestbook on a real control plane: its sample, its constraints, and a controller that only observes.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

TEST_CASE("G5, G6: the sample of Guestbook is observed with one write") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Manager manager({"--controllers=guestbook"});
  manager.wait_until_ready();
  manager.mark();

  kubectl({"apply", "-n", ns, "-f", std::string(KEELSON_SOURCE_DIR) + "/config/samples/webapp_v1_guestbook.yaml"});
  kubectl({"wait", "--for=condition=Ready", "guestbook/guestbook-sample", "-n", ns, "--timeout=180s"});
  throughout("it rests", 2s, [&] { return manager.process().is_running(); });

  auto requests = manager.requests(ns);
  INFO(requests.text());
  CHECK(requests.of("patch guestbooks/status 200") == 1);
  CHECK(requests.all_but_watches() == 1);
  CHECK(kubectl({"get", "guestbooks", "-n", ns}).starts_with("NAME               AGE\n"));
}

TEST_CASE("G1, G2, G3: the API server rejects a Guestbook that violates its constraints") {
  install_crds();
  Namespace space;
  struct Row {
    const char* spec;
    const char* message;
  };
  for (const auto& row :
       {Row{"size: 0, configMapName: m", "spec.size: Invalid value: 0"},
        Row{"size: 11, configMapName: m", "spec.size: Invalid value: 11"},
        Row{"configMapName: m", "spec.size: Required value"}, Row{"size: 1", "spec.configMapName: Required value"},
        Row{"size: 1, configMapName: ''", "spec.configMapName: Invalid value"},
        Row{"size: 1, configMapName: sixteen-letters-", "spec.configMapName: Too long"},
        Row{"size: 1, configMapName: m, alias: Mail", "spec.alias: Unsupported value: \"Mail\""}}) {
    auto rejected =
        try_kubectl({"apply", "-n", space.name(), "-f", "-"},
                    std::string("apiVersion: webapp.my.domain/v1\nkind: Guestbook\nmetadata: {name: g}\nspec: {") +
                        row.spec + "}\n");

    INFO(row.spec << ": " << rejected.text);
    CHECK(rejected.exit_code != 0);
    CHECK(rejected.text.find(row.message) != std::string::npos);
  }
}

}  // namespace
}  // namespace keelson::testing
