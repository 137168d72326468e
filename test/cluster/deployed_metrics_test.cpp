// Access to the metrics of config/default, behind the real kube-rbac-proxy, and of its variant without a sidecar.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"
#include "test/cluster/harness/listeners.hpp"
#include "test/cluster/harness/scraper.hpp"

namespace keelson::testing {
namespace {

// The address that Prometheus finds through the Service.
std::string url_of(const Deployment& deployment) {
  return "https://127.0.0.1:" + std::to_string(deployment.port_behind("keelson-controller-manager-metrics-service"));
}

void check_who_may_read(const std::string& url) {
  Scraper stranger;
  Scraper reader;
  reader.bind("keelson-metrics-reader");
  eventually("there is a listener on " + url, [&] { return ask(url + "/metrics", "").code != 0; });

  CHECK(ask(url + "/metrics", "").code == 401);
  CHECK(ask(url + "/metrics", "no-such-token").code == 401);
  CHECK(ask(url + "/metrics", stranger.token()).code == 403);
  auto scraped = ask(url + "/metrics", reader.token());
  CHECK(scraped.code == 200);
  CHECK(scraped.http_version == "1.1");
  CHECK(scraped.body.find("leader_election_master_status{name=\"keelson-manager\"}") != std::string::npos);
  eventually("it leads, and shows its controllers", [&] {
    const auto page = ask(url + "/metrics", reader.token()).body;
    return page.find("controller_runtime_active_workers{controller=\"memcached\"}") != std::string::npos;
  });
  CHECK(ask(url + "/debug/pprof", reader.token()).code == 403);
}

void check_that_it_asked_the_api_server(const Pod& pod, std::size_t audit_from) {
  auto requests = audited_of(pod.user(), audit_from);
  for (const auto* review : {"tokenreviews", "subjectaccessreviews"}) {
    INFO(review);
    CHECK(std::ranges::any_of(requests,
                              [&](const auto& request) { return request.resource == review && request.code == 201; }));
  }
}

TEST_CASE("P4: metrics are reached through kube-rbac-proxy only: 401 without a token, 403 without the role",
          "[deployed]") {
  const auto audit_from = audit_end();
  Deployment deployment;
  auto pod = deployment.pod();
  Container manager(pod, "manager", manager_image());
  Container proxy(pod, "kube-rbac-proxy", kube_rbac_proxy_image());
  manager.wait_until_ready();

  check_who_may_read(url_of(deployment));

  CHECK(listening_on(8080) == std::vector<std::string>{"127.0.0.1"});
  check_that_it_asked_the_api_server(pod, audit_from);
  CHECK(manager.terminate() == 0);
  CHECK(proxy.terminate() == 0);
}

TEST_CASE("P4: the manager itself protects its metrics: 401 without a token, 403 without the role", "[deployed]") {
  const auto audit_from = audit_end();
  Deployment deployment("kustomize/native-metrics");
  auto pod = deployment.pod();
  Container manager(pod, "manager", manager_image());
  manager.wait_until_ready();

  check_who_may_read(url_of(deployment));

  CHECK(listening_on(8080).empty());
  check_that_it_asked_the_api_server(pod, audit_from);
  CHECK(manager.terminate() == 0);
}

}  // namespace
}  // namespace keelson::testing
