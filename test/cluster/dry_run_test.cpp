// --dry-run on an API server: a new version of the operator is tried next to the running one, and stores nothing.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kMemcacheds = 200;
constexpr const char* kImage = "MEMCACHED_IMAGE";

// The environment of programs that are started while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

// The versions of everything that the manager writes, except for Events, which other components send as well.
std::vector<std::string> versions(const std::string& ns) {
  std::vector<std::string> all;
  for (const auto* kind : {"memcached", "deployment", "service", "lease"}) {
    for (auto& version : values_of(kind, ns, ".metadata.resourceVersion")) all.push_back(kind + (" " + version));
  }
  return all;
}

std::size_t lines_with(const std::string& log, const std::vector<std::string>& texts) {
  std::size_t count = 0;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const auto has = [&line](const auto& text) { return line.find(text) != std::string::npos; };
    if (std::ranges::all_of(texts, has)) ++count;
  }
  return count;
}

TEST_CASE("a dry run with another default image over 200 Memcacheds sends only writes with dryRun=All", "[slow]") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Manager live({"--watch-namespaces=" + ns});
  live.wait_until_ready();
  kubectl({"create", "-n", ns, "-f", "-"}, memcacheds(kMemcacheds));
  kubectl({"wait", "-n", ns, "--for=condition=Ready", "--all", "memcacheds", "--timeout=180s"});
  live.stop();
  auto before = versions(ns);
  eventually("the cluster has come to rest", [&] {
    pause(2s);
    return std::exchange(before, versions(ns)) == before;
  });
  const auto from = audit_end();

  const Variable image(kImage, "memcached:1.6.40");
  Manager dry({"--dry-run", "--leader-elect", "--leader-election-namespace=" + ns, "--watch-namespaces=" + ns});
  dry.wait_until_ready();
  const auto has_counted = [&dry](const std::string& what) {
    return dry.metrics().find("keelson_dry_run_writes_total{" + what + "} " + std::to_string(kMemcacheds) + "\n") !=
           std::string::npos;
  };
  eventually("it has reported every Deployment",
             [&] { return has_counted(R"(group="apps",kind="Deployment",result="changed",verb="patch")"); });
  pause(3s);
  dry.stop();

  CHECK(versions(ns) == before);
  std::size_t writes = 0;
  for (const auto& request : audited_by(dry.user_agent(), from)) {
    if (!request.is_write()) continue;
    ++writes;
    INFO(request.verb << " " << request.resource << " " << request.name << " " << request.code);
    CHECK(request.is_dry_run);
    CHECK(request.resource != "leases");
    // Each replica asks by a dry run of this Event whether a namespace of --watch-namespaces exists.
    CHECK((request.resource != "events" || request.name == "watched-namespace"));
  }
  CHECK(writes >= kMemcacheds);
  const auto log = dry.log();
  CHECK(lines_with(log, {"Dry run: the object would change", R"("Deployment")",
                         R"(image: \"memcached:1.6-alpine\" -> \"memcached:1.6.40\")"}) == kMemcacheds);
  CHECK(lines_with(log, {"Dry run: --leader-elect has no effect"}) == 1);
  CHECK(lines_with(log, {"Reconciler error"}) == 0);
}

TEST_CASE("a dry run reports what it would create and delete, and nothing is created or deleted") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  kubectl({"apply", "-n", ns, "-k", std::string(KEELSON_SOURCE_DIR) + "/config/samples"});
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: old-NUMBER, ownerReferences: [{apiVersion: "
      "batch.tutorial.kubebuilder.io/v1, kind: CronJob, name: cronjob-sample, controller: true, uid: UID}]}\n"
      "spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}\n";
  auto uid = value_of("cronjobs.batch.tutorial.kubebuilder.io", "cronjob-sample", ns, ".metadata.uid");
  std::erase(uid, '"');
  for (int number = 1; number <= 5; ++number) {
    auto one = job;
    one.replace(one.find("NUMBER"), 6, std::to_string(number));
    one.replace(one.find("UID"), 3, uid);
    kubectl({"create", "-n", ns, "-f", "-"}, one);
  }
  eventually("the Jobs have ended", [&] {
    const auto ends = values_of("jobs", ns, ".status.completionTime");
    return std::ranges::count_if(ends, [](const auto& end) { return end.size() > 2; }) == 5;
  });
  const auto from = audit_end();

  Manager dry({"--dry-run", "--watch-namespaces=" + ns});
  dry.wait_until_ready();
  eventually("it has reported a Deployment, a change of the Hikawa and two Jobs beyond the history", [&] {
    const auto log = dry.log();
    return lines_with(log, {"INFO", "Dry run: the object would be created", R"("Deployment")"}) >= 1 &&
           lines_with(log, {"INFO", "Dry run: the object would change", "+ spec.numZundokos: 1"}) == 1 &&
           lines_with(log, {"INFO", "Dry run: the object would be deleted", R"("Job")"}) == 2;
  });
  dry.stop();

  CHECK(values_of("jobs", ns, ".metadata.name").size() == 5);
  CHECK(values_of("deployment", ns, ".metadata.name").empty());
  CHECK(values_of("zundokos", ns, ".metadata.name") == std::vector<std::string>{"zundoko-sample"});
  for (const auto& request : audited_by(dry.user_agent(), from)) {
    INFO(request.verb << " " << request.resource << " " << request.name << " " << request.code);
    CHECK((!request.is_write() || request.is_dry_run));
  }
}

}  // namespace
}  // namespace keelson::testing
