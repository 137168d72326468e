// /statusz on a cluster: its numbers are those of kubectl.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"

namespace keelson::testing {
namespace {

json::Document status_of(const Manager& manager) {
  const auto output =
      run({"curl", "--silent", "--header", "Accept: application/json", manager.health_url() + "/statusz"});
  auto document = json::Document::parse(output.text);
  if (!document) FAIL("/statusz: " << document.error().message() << ": " << output.text);
  return std::move(*document);
}

std::int64_t cached_objects(const json::Document& status, std::string_view resource) {
  for (const auto informer : status.root().find("informers").items()) {
    if (informer.find("resource").string() == resource) return informer.find("objects").integer().value_or(-1);
  }
  return -1;
}

std::int64_t live_objects(const std::string& resource) {
  const auto names = kubectl({"get", resource, "--all-namespaces", "--output=name"});
  return std::ranges::count(names, '\n');
}

TEST_CASE("/statusz counts the objects of the cluster and names the leader of the lease") {
  install_crds();
  const Namespace space;
  Manager manager({"--leader-elect", "--leader-election-namespace=" + space.name()});
  manager.wait_until_ready();
  kubectl({"create", "-n", space.name(), "-f", "-"}, memcacheds(20));

  for (const std::string resource : {"memcacheds.memcached.cache.example.com", "deployments.apps", "services"}) {
    eventually("the number of " + resource, [&] {
      const auto cached = cached_objects(status_of(manager), resource);
      return cached >= 20 && cached == live_objects(resource);
    });
  }
  eventually("at least 20 reconciles of memcached", [&] {
    const auto status = status_of(manager);
    for (const auto controller : status.root().find("controllers").items()) {
      if (controller.find("name").string() == "memcached") return controller.find("successes").integer() >= 20;
    }
    return false;
  });
  const auto status = status_of(manager);
  const auto leader = status.root().find("leader");
  const auto holder =
      kubectl({"get", "lease", "-n", space.name(), "keelson-manager", "-o", "jsonpath={.spec.holderIdentity}"});
  CHECK(leader.find("isLeader").boolean() == true);
  CHECK(leader.find("holder").string() == holder);
  CHECK(leader.find("identity").string() == holder);
  CHECK(leader.find("lease").string() == space.name() + "/keelson-manager");
  const auto text = manager.health("/statusz");
  CHECK(text.find("State: leader\n") != std::string::npos);
  CHECK(text.find("Holder: " + holder + "\n") != std::string::npos);
  manager.stop();
}

TEST_CASE("/flagz shows the flags of the command line") {
  install_crds();
  Manager manager({"--controllers=memcached", "--sync-period=1h"});
  manager.wait_until_ready();

  const auto text = manager.health("/flagz");

  CHECK(text.find("\ncontrollers=memcached  (command line)\n") != std::string::npos);
  CHECK(text.find("\nsync-period=1h  (command line)\n") != std::string::npos);
  CHECK(text.find("\ndry-run=false\n") != std::string::npos);
  manager.stop();
}

}  // namespace
}  // namespace keelson::testing
