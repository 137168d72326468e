// A hundred converged objects of each kind cause no more requests.
#include <poll.h>

#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kOfEach = 100;

struct Described {
  std::string api_version;
  std::string kind;
  std::string prefix;  // of the names: some become names of Services
  std::string spec;
};

const std::string kPod = R"({containers: [{name: app, image: "busybox:1"}]})";

const std::vector<Described> kKinds = {
    {"memcached.cache.example.com/v1", "Memcached", "m", "{size: 1}"},
    {"batch.tutorial.kubebuilder.io/v1", "CronJob", "c",
     R"({schedule: "0 0 1 1 *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, )"
     R"(containers: [{name: app, image: "busybox:1"}]}}}}})"},
    {"app.demo.kakao.com/v1", "BlueGreen", "b", "{routeTo: Blue, blueSpec: " + kPod + ", greenSpec: " + kPod + "}"},
    {"zundokokiyoshi.kaitoy.github.com/v1beta1", "Hikawa", "h",
     "{intervalMillis: 10, numZundokos: 3, sayKiyoshi: true}"},
    {"webapp.my.domain/v1", "Guestbook", "g", "{size: 1, configMapName: myconfig}"},
};

std::string hundred(const Described& one) {
  std::string all;
  for (int number = 0; number < kOfEach; ++number) {
    all += "---\napiVersion: " + one.api_version + "\nkind: " + one.kind + "\nmetadata: {name: " + one.prefix +
           std::to_string(number) + "}\nspec: " + one.spec + "\n";
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
  for (const auto& kind : kKinds) kubectl({"create", "-n", ns, "-f", "-"}, hundred(kind));
  for (const auto& kind : kKinds) {
    kubectl({"wait", "-n", ns, "--for=condition=Ready", "--all",
             kind.kind + "." + kind.api_version.substr(0, kind.api_version.find('/')), "--timeout=180s"});
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
