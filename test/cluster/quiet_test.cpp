// A hundred converged objects of each kind cause no more requests.
#include <poll.h>

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/kinds/built_in.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/support/sample_object.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kOfEach = 100;

// The changes with which a sample comes to rest: a merge patch of its spec. Other samples rest as they are.
const std::map<std::string, std::string> kAtRest = {
    {"CronJob", R"({"schedule":"0 0 1 1 *"})"},
    {"Hikawa", R"({"intervalMillis":10,"numZundokos":3,"sayKiyoshi":true})"},
};

std::string resting_spec(const controller::Definition& definition) {
  const auto sample = sample_object(definition);
  const auto spec = sample.root().find("spec");
  const auto found = kAtRest.find(definition.resource().kind);
  if (found == kAtRest.end()) return spec.text();
  return json::merge_patch(spec.text(), found->second).value();
}

std::string hundred(const controller::Definition& definition) {
  const auto& resource = definition.resource();
  const auto spec = resting_spec(definition);
  std::string all;
  for (int number = 0; number < kOfEach; ++number) {
    // Some names become names of Services.
    all += "---\napiVersion: " + resource.api_version() + "\nkind: " + resource.kind +
           "\nmetadata: {name: " + base::to_lower(resource.kind) + "-" + std::to_string(number) + "}\nspec: " + spec +
           "\n";
  }
  return all;
}

// GET /version, which checks that the server of a silent watch still answers (kube/server_probe.hpp).
const std::string kProbe = "get ? 200";

int all_but_watches_renewals_and_probes(const Manager& manager) {
  const auto requests = manager.requests();
  return requests.all_but_watches() - requests.of("update leases 200") - requests.of(kProbe);
}

TEST_CASE("in a quiet minute a hundred objects of each kind cost only watches, lease renewals and probes", "[slow]") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Manager manager({"--leader-elect", "--leader-election-namespace=" + ns, "--watch-namespaces=" + ns});
  manager.wait_until_ready();
  const auto definitions = kinds::built_in();
  for (const auto& definition : definitions) kubectl({"create", "-n", ns, "-f", "-"}, hundred(definition));
  for (const auto& definition : definitions) {
    kubectl({"wait", "-n", ns, "--for=condition=Ready", "--all", definition.resource().qualified_plural(),
             "--timeout=180s"});
  }
  eventually("it has come to rest", [&] {
    manager.mark();
    ::poll(nullptr, 0, 3000);
    return all_but_watches_renewals_and_probes(manager) == 0;
  });

  manager.mark();
  ::poll(nullptr, 0, 60000);

  const auto requests = manager.requests();
  INFO(requests.text());
  CHECK(requests.of("update leases 200") >= 25);
  CHECK(all_but_watches_renewals_and_probes(manager) == 0);
  // At most one for each 30 s of silence, however many watches are silent.
  CHECK(requests.of(kProbe) <= 2);
  manager.stop();
}

}  // namespace
}  // namespace keelson::testing
