// CronJobs on a real control plane: runs, policies, history, deadlines and Events, in real minutes.
#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

// `lasts`: the time for which the pods of its Jobs run, on the fake nodes.
std::string cronjob(const std::string& name, const std::string& schedule, const std::string& more,
                    const std::string& lasts = "0s") {
  return "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: " + name +
         "}\nspec:\n  schedule: \"" + schedule + "\"\n" + more +
         "  jobTemplate:\n"
         "    metadata: {labels: {cron: " +
         name +
         "}, annotations: {note: kept}}\n"
         "    spec:\n      template:\n"
         "        metadata: {annotations: {keelson.test/lasts: " +
         lasts +
         "}}\n"
         "        spec: {restartPolicy: OnFailure, containers: [{name: main, image: busybox}]}\n---\n";
}

// Seconds since 1970 at the end of a Job's name.
long slot_of(const std::string& job) { return std::atol(job.substr(job.rfind('-') + 1).c_str()); }

struct Running {
  Running() {
    install_crds();
    start();
  }
  void start() {
    manager = std::make_unique<Manager>();
    manager->wait_until_ready();
  }
  void apply(const std::string& yaml) { kubectl({"apply", "-n", ns(), "-f", "-"}, yaml); }
  [[nodiscard]] const std::string& ns() const { return space.name(); }
  [[nodiscard]] std::vector<std::string> jobs(const std::string& name) {
    auto found = values_of("jobs", ns(), ".metadata.name", {.labels = "cron=" + name});
    std::ranges::sort(found);
    return found;
  }
  // The texts of the Events of a CronJob with this reason.
  [[nodiscard]] std::vector<std::string> events(const std::string& name, const std::string& reason) {
    return values_of("events", ns(), ".message", {.fields = "involvedObject.name=" + name + ",reason=" + reason});
  }
  [[nodiscard]] std::string field(const std::string& name, const std::string& path) {
    return value_of("cronjobs.batch.tutorial.kubebuilder.io", name, ns(), path);
  }

  Namespace space;
  std::unique_ptr<Manager> manager;
};

TEST_CASE("a CronJob of every minute creates a Job a minute and applies its history limit", "[slow]") {
  Running running;
  running.apply(cronjob("minutely", "*/1 * * * *", "  successfulJobsHistoryLimit: 1\n"));

  eventually(
      "two minutes have made two Jobs", [&] { return running.events("minutely", "SuccessfulCreate").size() == 2; },
      150s);
  eventually("a single finished Job of the two is retained", [&] {
    return running.jobs("minutely").size() == 1 && running.field("minutely", ".status.activeJobs") == "0" &&
           running.events("minutely", "SawCompletedJob").size() == 2;
  });

  auto jobs = running.jobs("minutely");
  auto created = running.events("minutely", "SuccessfulCreate");
  REQUIRE_FALSE(jobs.empty());
  REQUIRE_FALSE(created.empty());
  auto job = jobs.front();
  INFO(job);
  CHECK(slot_of(job) % 60 == 0);
  CHECK(created.back() == "Created job " + job);
  CHECK(running.events("minutely", "SuccessfulDelete").size() == 1);
  auto said = kubectl({"describe", "cronjobs.batch.tutorial.kubebuilder.io", "minutely", "-n", running.ns()});
  CHECK(said.find("Created job " + job) != std::string::npos);
  auto annotations = kubectl({"get", "job", job, "-n", running.ns(), "-o", "jsonpath={.metadata.annotations}"});
  CHECK(annotations.find(R"("note":"kept")") != std::string::npos);
  CHECK(annotations.find(R"("batch.tutorial.kubebuilder.io/scheduled-at":")") != std::string::npos);
  CHECK(annotations.find(R"("batch.kubernetes.io/cronjob-scheduled-timestamp":")") != std::string::npos);
  CHECK(kubectl({"get", "job", job, "-n", running.ns(), "-o", "jsonpath={.metadata.ownerReferences[0].controller}"}) ==
        "true");
  CHECK_FALSE(running.field("minutely", ".status.lastSuccessfulTime").empty());
  CHECK(running.field("minutely", ".status.observedGeneration") == "1");
}

TEST_CASE("C19: Forbid waits, Replace replaces, Allow runs in parallel, and a suspended CronJob runs nothing") {
  Running running;
  running.apply(cronjob("forbid", "@every 10s", "  concurrencyPolicy: Forbid\n", "300s") +
                cronjob("replace", "@every 10s", "  concurrencyPolicy: Replace\n", "300s") +
                cronjob("allow", "@every 10s", "  concurrencyPolicy: Allow\n", "300s") +
                cronjob("suspended", "@every 10s", "  suspend: true\n"));

  eventually(
      "Allow has three at once", [&] { return running.jobs("allow").size() >= 3; }, 90s);
  eventually("Replace has replaced twice", [&] { return running.events("replace", "SuccessfulDelete").size() >= 2; });

  CHECK(running.jobs("forbid").size() == 1);
  CHECK_FALSE(running.events("forbid", "JobAlreadyActive").empty());
  eventually("one Job of Replace is left, and it is the newest", [&] {
    auto left = running.jobs("replace");
    auto created = running.events("replace", "SuccessfulCreate");
    return left.size() == 1 && running.field("replace", ".status.active[*].name") == left.front();
  });
  CHECK(running.jobs("suspended").empty());
  kubectl({"patch", "cronjobs.batch.tutorial.kubebuilder.io", "suspended", "-n", running.ns(), "--type=merge", "-p",
           R"({"spec":{"suspend":false}})"});
  eventually("it runs when it is not suspended any more", [&] { return !running.jobs("suspended").empty(); });
}

TEST_CASE("the latest slot that was missed while no manager ran starts afterward, unless its deadline has passed",
          "[slow]") {
  Running running;
  running.apply(cronjob("patient", "*/1 * * * *", "  suspend: true\n") +
                cronjob("hasty", "*/1 * * * *", "  suspend: true\n  startingDeadlineSeconds: 5\n"));
  running.manager->stop();
  for (const char* name : {"patient", "hasty"}) {
    kubectl({"patch", "cronjobs.batch.tutorial.kubebuilder.io", name, "-n", running.ns(), "--type=merge", "-p",
             R"({"spec":{"suspend":false}})"});
  }
  auto minute = std::time(nullptr) / 60;
  eventually(
      "a minute has begun, and more than 5 s of it have passed",
      [&] { return std::time(nullptr) / 60 > minute && std::time(nullptr) % 60 > 7; }, 90s);
  auto missed = std::time(nullptr) / 60 * 60;
  running.start();

  eventually(
      "the patient one has run", [&] { return !running.jobs("patient").empty(); }, 20s);
  eventually(
      "the hasty one says that it is too late", [&] { return !running.events("hasty", "MissSchedule").empty(); }, 20s);

  auto made_up = running.jobs("patient");
  REQUIRE_FALSE(made_up.empty());
  CHECK(slot_of(made_up.front()) == missed);
  for (const auto& job : running.jobs("hasty")) CHECK(slot_of(job) > missed);
}

TEST_CASE("a run starts exactly once although the manager is killed around its time") {
  Running running;
  running.apply(cronjob("steady", "@every 5s", "  successfulJobsHistoryLimit: 100\n"));

  for (int round = 0; round < 4; ++round) {
    auto before = running.jobs("steady").size();
    eventually(
        "a run has begun", [&] { return running.jobs("steady").size() > before; }, 30s);
    running.manager->process().signal(SIGKILL);
    running.manager->process().wait();
    running.start();
  }

  auto jobs = running.jobs("steady");
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    INFO(jobs[i - 1] + " and " + jobs[i]);
    // The names exclude a second run of a slot. The runs are in phase, and only missed slots lie between two of them,
    // of
    // which the latest runs.
    CHECK((slot_of(jobs[i]) - slot_of(jobs[i - 1])) % 5 == 0);
    CHECK(slot_of(jobs[i]) > slot_of(jobs[i - 1]));
  }
}

}  // namespace
}  // namespace keelson::testing
