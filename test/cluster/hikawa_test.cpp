// Hikawas on a real control plane: the sample to its end, kubectl's columns, and rejections by the schema.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kSamples = std::string(KEELSON_SOURCE_DIR) + "/config/samples/";

std::string hikawa(const std::string& name, const std::string& spec) {
  return "apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1\nkind: Hikawa\nmetadata: {name: " + name + "}\nspec: {" +
         spec + "}\n---\n";
}

std::vector<std::string> names_of(const std::string& kind, const std::string& ns) {
  return values_of(kind, ns, ".metadata.name");
}

std::size_t count_of(const std::string& kind, const std::string& ns) { return names_of(kind, ns).size(); }

// The column titles of `kubectl get`.
std::string columns_of(const std::string& kind, const std::string& ns) {
  auto table = kubectl({"get", kind, "-n", ns});
  std::string titles;
  for (char letter : table.substr(0, table.find('\n'))) {
    if (letter != ' ' || (!titles.empty() && titles.back() != ' ')) titles += letter;
  }
  return titles.substr(0, titles.find_last_not_of(' ') + 1);
}

TEST_CASE("H2, H7, H10: the sample of Hikawa completes its song, and is deleted with all its words") {
  install_crds();
  // With this seed default/hikawa-sample has the second shortest song.
  Manager manager({"--hikawa-seed=23", "--controllers=hikawa"});
  manager.wait_until_ready();
  manager.mark();

  kubectl({"apply", "-n", "default", "-f", kSamples + "zundokokiyoshi_v1beta1_hikawa.yaml"});
  kubectl({"wait", "--for=condition=Ready", "hikawa/hikawa-sample", "-n", "default", "--timeout=180s"});

  CHECK(kubectl({"get", "zundokos", "-n", "default", "-o", "jsonpath={.items[*].spec.say}"}) ==
        "Doko Zun Zun Zun Zun Doko");
  CHECK(kubectl({"get", "kiyoshi", "hikawa-sample-kiyoshi", "-n", "default", "-o", "jsonpath={.spec.say}"}) ==
        "Kiyoshi!");
  CHECK(kubectl({"get", "hikawa", "hikawa-sample", "-n", "default", "-o",
                 "jsonpath={.status.numZundokosSaid} {.status.kiyoshied} {.spec.numZundokos} {.spec.sayKiyoshi}"}) ==
        "6 true 6 true");
  CHECK(columns_of("hikawas", "default") == "NAME SAID KIYOSHIED AGE");
  CHECK(columns_of("zundokos", "default") == "NAME SAY AGE");
  CHECK(columns_of("kiyoshis", "default") == "NAME SAY AGE");
  throughout("it rests", 2s, [&] { return manager.process().is_running(); });
  auto requests = manager.requests("default");
  INFO(requests.text());
  CHECK(requests.of("patch zundokos 201") == 6);
  CHECK(requests.of("patch kiyoshis 201") == 1);
  CHECK(requests.of("patch hikawas 200") == 7);
  CHECK(requests.of("patch hikawas/status 200") == 8);
  CHECK(requests.all_but_watches() - requests.of("list ") == 22);
  // Consistent reads, until the watches have passed the version at the start.
  CHECK(requests.of("list ") <= 4);

  kubectl({"delete", "hikawa", "hikawa-sample", "-n", "default"});
  eventually("garbage collection has deleted its words",
             [] { return count_of("zundokos", "default") + count_of("kiyoshis", "default") == 0; });
  CHECK(manager.errors("default") == std::vector<std::string>());
}

TEST_CASE(
    "a Hikawa that is deleted during its song leaves no objects behind, and a new one of its name starts from the "
    "beginning") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Manager manager({"--controllers=hikawa"});
  manager.wait_until_ready();
  kubectl({"apply", "-n", ns, "-f", "-"}, hikawa("h", "intervalMillis: 100, numZundokos: 1000"));
  eventually("it sings", [&] { return count_of("zundokos", ns) >= 10; });

  kubectl({"delete", "hikawa", "h", "-n", ns, "--cascade=foreground"});
  eventually("all of it is gone", [&] { return count_of("zundokos", ns) == 0; });
  throughout("no word comes after it", 2s, [&] { return count_of("zundokos", ns) == 0; });

  kubectl({"apply", "-n", ns, "-f", "-"}, hikawa("h", "intervalMillis: 100, numZundokos: 3, sayKiyoshi: true"));
  kubectl({"wait", "--for=condition=Ready", "hikawa/h", "-n", ns, "--timeout=180s"});
  CHECK(names_of("zundokos", ns) == std::vector<std::string>{"h-zundoko-001", "h-zundoko-002", "h-zundoko-003"});
  CHECK(names_of("kiyoshis", ns) == std::vector<std::string>{"h-kiyoshi"});
}

TEST_CASE("the next manager continues the song of a killed one, with each word once") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  kubectl({"apply", "-n", ns, "-f", "-"}, hikawa("h", "intervalMillis: 100, numZundokos: 40, sayKiyoshi: true"));
  for (std::size_t words : {10U, 20U, 30U}) {
    Manager manager({"--controllers=hikawa"});
    eventually("it sings", [&] { return count_of("zundokos", ns) >= words; });
  }
  Manager manager({"--controllers=hikawa"});

  kubectl({"wait", "--for=condition=Ready", "hikawa/h", "-n", ns, "--timeout=180s"});

  CHECK(count_of("zundokos", ns) == 40);
  auto names = names_of("zundokos", ns);
  REQUIRE_FALSE(names.empty());
  CHECK(names.back() == "h-zundoko-040");
}

TEST_CASE("H1, H18: the schema rejects intervals that are too short or too long, and kubectl explains them") {
  install_crds();
  Namespace space;
  struct Row {
    const char* spec;
    const char* message;
  };
  for (const auto& row : {Row{"intervalMillis: 0", "should be greater than or equal to 10"},
                          Row{"intervalMillis: -1", "should be greater than or equal to 10"},
                          Row{"intervalMillis: 86400001", "should be less than or equal to 86400000"},
                          Row{"numZundokos: 1", "spec.intervalMillis: Required value"},
                          Row{"intervalMillis: 500, numZundokos: -1", "should be greater than or equal to 0"},
                          Row{"intervalMillis: 500, numZundokos: 10001", "should be less than or equal to 10000"}}) {
    auto rejected = try_kubectl({"apply", "-n", space.name(), "-f", "-"}, hikawa("h", row.spec));

    INFO(row.spec << ": " << rejected.text);
    CHECK(rejected.exit_code != 0);
    CHECK(rejected.text.find(row.message) != std::string::npos);
  }
  CHECK(kubectl({"explain", "hikawa.spec.intervalMillis"}).find("Milliseconds between two words") != std::string::npos);
  CHECK(kubectl({"explain", "zundoko.spec.say"}).find("Zun or Doko") != std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
