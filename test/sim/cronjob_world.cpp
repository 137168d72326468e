#include "test/sim/cronjob_world.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/client.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {

namespace {

const kube::Resource kCronJobs("batch.tutorial.kubebuilder.io", "v1", "CronJob", "cronjobs");

// The fields of a spec that the ledger needs.
SimulatedCronJob simulated(const kube::Object& created, const std::string& spec) {
  auto document = json::Document::parse("{" + spec + "}");
  REQUIRE(document.has_value());
  auto root = document->root();
  SimulatedCronJob cronjob;
  cronjob.name = created.name();
  cronjob.schedule = root.find("schedule").string().value_or("");
  cronjob.zone = root.find("timeZone").string().value_or("UTC");
  cronjob.policy = root.find("concurrencyPolicy").string().value_or("Allow");
  cronjob.deadline = root.find("startingDeadlineSeconds").integer();
  cronjob.suspended = root.find("suspend").boolean().value_or(false);
  // The server's time: the reply may come in the next second.
  auto object = json::Document::parse(created.json());
  REQUIRE(object.has_value());
  auto time = kube::parse_time(object->root().at({"metadata", "creationTimestamp"}).string().value_or(""));
  REQUIRE(time.has_value());
  cronjob.created = std::chrono::floor<std::chrono::seconds>(*time);
  return cronjob;
}

}  // namespace

CronJobWorld::CronJobWorld(std::uint64_t seed, const sandbox::ApiServerOptions& options)
    : ClusterWithUser(seed, kinds::cronjob(), options), ledger(loop.clock()) {
  server.after_write(
      [this](const auto& resource, const auto& before, const auto& after) { ledger.hear(resource, before, after); });
}

void CronJobWorld::create_cronjob(const std::string& name, const std::string& spec, const std::string& metadata) {
  auto created = create(kCronJobs, "default",
                        R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":")" +
                            name + R"(","namespace":"default")" + metadata + R"(},"spec":{)" + spec +
                            R"(,"jobTemplate":{"metadata":{"labels":{"app":"web"}},"spec":{"template":{"spec":{)"
                            R"("restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}}}})");
  ledger.add(simulated(created, spec));
}

void CronJobWorld::remove_cronjob(const std::string& name, kube::DeleteOptions options) {
  CHECK(result_of(loop, kube::remove(server.client("user"), kCronJobs, kube::Key("default", name), options)));
}

void CronJobWorld::start_manager() {
  ClusterWithUser::start_manager();
  ledger.manager_is(true);
}

void CronJobWorld::crash_manager() {
  ClusterWithUser::crash_manager();
  ledger.manager_is(false);
}

}  // namespace keelson::testing
