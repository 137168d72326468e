// A leader that is stopped for longer than its lease, and continues in the middle of its work.
#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using RealTime = std::chrono::steady_clock;

constexpr auto kPause = 20s;  // the lease is 15 s

// Two dozen, so that there is work in progress at any moment.
std::string memcacheds(int size) {
  std::string all;
  for (int number = 0; number < 24; ++number) {
    all += "---\napiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: load-" +
           std::to_string(number) + "\nspec:\n  size: " + std::to_string(size) + "\n";
  }
  return all;
}

bool is_leaders_work(const AuditedRequest& request) {
  return request.is_done_write() && request.agent.starts_with("manager-") && request.resource != "leases" &&
         request.agent.find("leader-election") == std::string::npos;
}

// The name in "manager-12-3/0.1.0 (linux/amd64) …".
std::string name_of(const AuditedRequest& request) { return request.agent.substr(0, request.agent.find('/')); }

TEST_CASE("a leader that was stopped for longer than its lease writes nothing after the next leader's first write") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  auto work = [&ns, size = 0]() mutable { kubectl({"apply", "-n", ns, "-f", "-"}, memcacheds(1 + (++size % 2))); };
  std::vector<std::unique_ptr<Manager>> replicas;
  const auto from = audit_end();
  for (int number = 0; number < 3; ++number) {
    replicas.push_back(std::make_unique<Manager>(
        std::vector<std::string>{"--leader-elect", "--leader-election-namespace=" + ns, "--watch-namespaces=" + ns}));
    replicas.back()->wait_until_ready();
    if (number == 0) eventually("the first leads", [&] { return !audited(ns, from).empty(); });
  }
  for (int round = 0; round < 5; ++round) work();
  auto& leader = replicas.front()->process();

  leader.signal(SIGSTOP);
  for (const auto until = RealTime::now() + kPause; RealTime::now() < until;) work();
  leader.signal(SIGCONT);
  for (int round = 0; round < 5; ++round) work();

  CHECK(leader.wait() == 1);
  const auto requests = audited(ns, from);
  const auto first = std::ranges::find_if(requests, is_leaders_work);
  REQUIRE(first != requests.end());
  const auto old_leader = name_of(*first);
  const auto next = std::find_if(first, requests.end(), [&](const auto& request) {
    return is_leaders_work(request) && name_of(request) != old_leader;
  });
  REQUIRE(next != requests.end());
  for (const auto& request : requests) {
    if (!is_leaders_work(request) || name_of(request) != old_leader) continue;
    INFO(request.verb << " " << request.resource << " " << request.name);
    CHECK(request.received < next->received);
  }
  replicas.erase(replicas.begin());
  for (auto& replica : replicas) replica->stop();
}

}  // namespace
}  // namespace keelson::testing
