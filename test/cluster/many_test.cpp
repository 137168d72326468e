// A thousand Memcacheds at once on a real control plane: the number of their requests, and no more afterward.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kCount = 1000;

// It does not fit into a pipe, so kubectl reads it from a file.
void create_memcacheds(const std::string& ns) {
  auto path = "/tmp/keelson-many-" + std::to_string(::getpid()) + ".yaml";
  {
    std::ofstream file(path);
    file << memcacheds(kCount);
  }
  kubectl({"create", "-n", ns, "-f", path});
  std::remove(path.c_str());
}

int ready(const std::string& ns) {
  auto nodes = values_of("memcached", ns, ".status.readyNodes");
  return static_cast<int>(std::ranges::count(nodes, "1"));
}

TEST_CASE(
    "a thousand Memcacheds converge with 2,000 creates and at most 3,000 status writes, and then cause no requests",
    "[slow]") {
  install_crds();
  Namespace space;
  Manager manager;
  manager.wait_until_ready();

  manager.mark();
  create_memcacheds(space.name());
  eventually(
      "all are ready", [&] { return ready(space.name()) == kCount; }, 300s);
  // The last status write may still be in progress.
  throughout("they stay ready", 2s, [&] { return ready(space.name()) == kCount; });

  auto requests = manager.requests(space.name());
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == kCount);
  CHECK(requests.of("patch services 201") == kCount);
  CHECK(requests.of("patch deployments") == kCount);
  CHECK(requests.of("patch services") == kCount);
  CHECK(requests.of("patch memcacheds/status") <= 3 * kCount);
  CHECK(manager.errors(space.name()) == std::vector<std::string>());
  manager.mark();
  throughout("they stay ready in peace", 10s, [&] { return manager.process().is_running(); });
  auto afterwards = manager.requests(space.name());
  INFO(afterwards.text());
  CHECK(afterwards.all_but_watches() == 0);
}

}  // namespace
}  // namespace keelson::testing
