// A user who may write in one namespace only, against the objects of another: what it claims there counts only there.
#include <catch2/catch_test_macros.hpp>

#include "src/controllers/cronjob/cronjob_types.hpp"
#include "test/sim/cronjob_world.hpp"
#include "test/sim/hikawa_stage.hpp"

namespace keelson::test {
namespace {

using namespace std::chrono_literals;

// One member of metadata: an owner reference to an object of any namespace, and a finalizer against the garbage
// collector, which deletes what claims an owner in another namespace.
std::string claims(std::string_view api_version, std::string_view kind, std::string_view name, std::string_view uid) {
  std::string text = R"("finalizers":["test/held"],"ownerReferences":[{"apiVersion":")";
  text.append(api_version).append(R"(","kind":")").append(kind).append(R"(","name":")").append(name);
  return text.append(R"(","uid":")").append(uid).append(R"(","controller":true}])");
}

std::string uid_of(World& world, const kube::Resource& resource, const kube::Key& key) {
  return std::string(world.get(resource, key).root().at({"metadata", "uid"}).string().value_or(""));
}

std::string foreign_job(const std::string& name, const std::string& metadata) {
  return R"({"metadata":{"name":")" + name + R"(",)" + metadata +
         R"(},"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})";
}

void add_attackers_namespace(World& world) {
  world.create({"", "v1", "Namespace", "namespaces", false}, "",
               R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"attacker"}})");
}

struct CronJobs : CronJobWorld {
  CronJobs() : CronJobWorld(1, {}) { add_attackers_namespace(*this); }
  std::size_t made() { return writes(kube::jobs(), "", 201); }
};

TEST_CASE("a Job in another namespace with the CronJob's uid neither stops it nor is touched by it") {
  CronJobs cluster;
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");
  cluster.pass(70s);
  REQUIRE(cluster.made() == 1);
  auto uid = uid_of(cluster, controllers::cronjob_resource(), {"default", "web"});
  auto claim = claims("batch.tutorial.kubebuilder.io/v1", "CronJob", "web", uid);
  cluster.create(
      kube::jobs(), "attacker",
      foreign_job("a",
                  R"("annotations":{"batch.tutorial.kubebuilder.io/scheduled-at":"2099-01-01T00:00:00Z"},)" + claim));
  for (int i = 0; i < 10; ++i) cluster.create(kube::jobs(), "attacker", foreign_job("b" + std::to_string(i), claim));

  cluster.pass(3min);

  CHECK(cluster.made() == 4);
  auto cronjob = cluster.get(controllers::cronjob_resource(), {"default", "web"});
  CHECK(cronjob.root().at({"status", "lastScheduleTime"}).string() == "2026-01-01T00:04:00Z");
  CHECK(cronjob.root().at({"status", "activeJobs"}).integer() == 0);
}

TEST_CASE("a Zundoko in another namespace with the Hikawa's uid is no word of its song") {
  HikawaStage stage;
  add_attackers_namespace(stage);
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":3,"sayKiyoshi":true)");
  stage.pass(100ms);
  auto uid = uid_of(stage, controllers::hikawa_resource(), {"default", "h"});
  auto claim = claims("zundokokiyoshi.kaitoy.github.com/v1beta1", "Hikawa", "h", uid);
  for (int i = 1; i <= 5; ++i) {
    stage.create(
        controllers::zundoko_resource(), "attacker",
        R"({"metadata":{"name":"h-zundoko-00)" + std::to_string(i) + R"(",)" + claim + R"(},"spec":{"say":"Zun"}})");
  }

  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  CHECK(stage.field("h", {"status", "numZundokosSaid"}) == 3);
  auto first = stage.get(controllers::zundoko_resource(), {"default", "h-zundoko-001"});
  CHECK_FALSE(first.root().is_null());
}

}  // namespace
}  // namespace keelson::test
