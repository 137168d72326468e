// A lease, and replicas of two implementations: ours and client-go's own elector.
//
// KEELSON_HANDOVERS: the number each way, graceful and by kill -9 (default 3). From 50 on, the times of the takeovers
// are compared with the documented limits, which requires an idle machine.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

// With a retry period below a second client-go acquires a lease too early, because it compares times in seconds.
constexpr auto kLease = 3s;
constexpr auto kRetry = 1s;
const std::string kName = "shared";
const std::string kTheirs = "client-go-";

int handovers() {
  const char* wanted = std::getenv("KEELSON_HANDOVERS");
  return wanted == nullptr ? 3 : std::atoi(wanted);
}

std::string build_elector() {
  auto binary = (std::filesystem::temp_directory_path() / "keelson-client-go-elector").string();
  auto source = std::string(KEELSON_SOURCE_DIR) + "/test/oracle/elector";
  auto built = run({"env", "-u", "GOGC", "-u", "GOMEMLIMIT", "CGO_ENABLED=0", "GOWORK=off", "go", "build", "-C", source,
                    "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", binary, "."});
  INFO(built.text);
  REQUIRE(built.exit_code == 0);
  return binary;
}

std::string holder(const std::string& ns) {
  return std::string(get("lease", kName, ns).root().at({"spec", "holderIdentity"}).string().value_or(""));
}

bool is_theirs(const std::string& who) { return who.starts_with(kTheirs); }

struct Stage {
  Stage() { apply_object("memcached", "load", space.name(), memcached(1)); }

  static std::string memcached(int size) {
    return "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: load\nspec:\n  size: " +
           std::to_string(size) + "\n";
  }
  std::unique_ptr<Manager> start_ours() {
    auto manager = std::make_unique<Manager>(std::vector<std::string>{
        "--leader-elect", "--leader-election-id=" + kName, "--leader-election-namespace=" + space.name(),
        "--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=1s",
        "--watch-namespaces=" + space.name()});
    manager->wait_until_ready();
    return manager;
  }
  std::unique_ptr<Process> start_theirs() {
    static int number = 0;
    auto log = (std::filesystem::temp_directory_path() / "keelson-elector.log").string();
    return std::make_unique<Process>(std::vector<std::string>{"env",
                                                              "-u",
                                                              "GOGC",
                                                              "-u",
                                                              "GOMEMLIMIT",
                                                              elector,
                                                              "--kubeconfig",
                                                              std::getenv("KUBECONFIG"),
                                                              "--namespace",
                                                              space.name(),
                                                              "--name",
                                                              kName,
                                                              "--identity",
                                                              kTheirs + std::to_string(++number),
                                                              "--lease-duration",
                                                              "3s",
                                                              "--renew-deadline",
                                                              "2s",
                                                              "--retry-period",
                                                              "1s"},
                                     log);
  }
  // Gives the leader work until the holder is the expected one.
  void wait_for_holder(bool theirs) {
    eventually(theirs ? "client-go's replica leads" : "our replica leads", [&] {
      work();
      auto who = holder(space.name());
      return !who.empty() && is_theirs(who) == theirs;
    });
  }
  void work_for_a_while() {
    for (int round = 0; round < 10; ++round) work();
  }
  void work() {
    apply_object("memcached", "load", space.name(), memcached(1 + (++size % 3)));
    pause(100ms);  // Ten rounds then take a second, the retry period of both electors.
  }

  Namespace space;
  std::string elector = build_elector();
  int size = 0;
};

// A change of the holder.
struct Takeover {
  bool to_theirs = false;
  bool after_release = false;
  std::chrono::microseconds time{};  // from the last write of the former holder to the first one of the new holder
};

std::vector<Takeover> takeovers(const std::vector<AuditedRequest>& requests) {
  std::vector<Takeover> found;
  std::string last_holder;
  const AuditedRequest* last = nullptr;
  for (const auto& request : requests) {
    if (request.resource != "leases" || !request.is_done_write()) continue;
    const bool is_new = !request.holder.empty() && request.holder != last_holder;
    if (is_new && last != nullptr) {
      found.push_back({is_theirs(request.holder), last->holder.empty(), request.received - last->answered});
    }
    if (!request.holder.empty()) last_holder = request.holder;
    last = &request;
  }
  return found;
}

// Our replica wrote as a leader only while the lease named it.
void check_that_only_leaders_work(const std::vector<AuditedRequest>& requests) {
  for (const auto& work : requests) {
    const bool is_ours = work.agent.starts_with("manager-") && work.agent.find("leader-election") == std::string::npos;
    if (!is_ours || !work.is_done_write() || work.resource == "leases" || work.resource == "events") continue;
    std::string who;
    for (const auto& lease : requests) {
      if (lease.resource != "leases" || !lease.is_done_write() || lease.answered > work.received) continue;
      who = lease.holder;
    }
    INFO(work.verb << " " << work.resource << " " << work.name << " by " << work.agent << " while '" << who << "' led");
    CHECK((!who.empty() && !is_theirs(who)));
  }
}

void tell(const std::vector<Takeover>& all) {
  for (const bool theirs : {false, true}) {
    for (const bool released : {true, false}) {
      int count = 0;
      std::chrono::microseconds longest{};
      for (const auto& one : all) {
        if (one.to_theirs != theirs || one.after_release != released) continue;
        ++count;
        longest = std::max(longest, one.time);
      }
      std::cout << (theirs ? "client-go" : "ours") << " took over " << (released ? "a released lease" : "after a crash")
                << " " << count << " times, within " << static_cast<double>(longest.count()) / 1e6 << " s\n";
    }
  }
}

TEST_CASE("our replicas and client-go's hand a lease to each other, and never lead at the same time", "[slow]") {
  install_crds();
  Stage stage;
  const auto from = audit_end();
  auto ours = stage.start_ours();
  stage.wait_for_holder(false);
  for (int round = 0; round < handovers(); ++round) {
    for (const int end : {SIGTERM, SIGKILL}) {
      auto theirs = stage.start_theirs();
      stage.work_for_a_while();
      ours->process().signal(end);
      stage.wait_for_holder(true);
      CHECK(ours->process().wait() == (end == SIGTERM ? 0 : 128 + SIGKILL));
      ours = stage.start_ours();
      stage.work_for_a_while();
      theirs->signal(end);
      stage.wait_for_holder(false);
    }
  }
  ours->stop();

  const auto requests = audited(stage.space.name(), from);
  const auto all = takeovers(requests);
  tell(all);
  CHECK(all.size() == static_cast<std::size_t>(handovers()) * 4);
  check_that_only_leaders_work(requests);
  for (const auto& takeover : all) {
    // No replica acquires a lease that has not expired.
    if (!takeover.after_release) CHECK(takeover.time > kLease - kRetry);
    if (takeover.to_theirs || handovers() < 50) continue;
    CHECK(takeover.time < (takeover.after_release ? 1s : kLease + kRetry));
  }
}

}  // namespace
}  // namespace keelson::testing
