// StatefulSets in the server in this process: ordinals, order, revisions and claims.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string set_of(int replicas, const std::string& more = "", const std::string& name = "web") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"replicas":)" + std::to_string(replicas) + more +
         R"(,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":)"
         R"({"app":"web"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}}}})";
}

const std::string kImage2 = R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"}]}}}})";

std::string image(Fleet& fleet, const std::string& pod) {
  for (const auto& object : fleet.server.objects(kube::pods())) {
    if (object.name() != pod) continue;
    auto document = json::Document::parse(object.json());
    return std::string(*document->root().at({"spec", "containers"}).item(0).find("image").string());
  }
  return "none";
}

TEST_CASE("a StatefulSet creates each pod when the previous one is ready, and deletes the last one first") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(3));

  fleet.pass(milliseconds(200));
  CHECK(fleet.names(kube::pods()) == "web-0");
  fleet.pass(milliseconds(400));
  CHECK(fleet.names(kube::pods()) == "web-0 web-1");
  fleet.pass(seconds(2));
  CHECK(fleet.names(kube::pods()) == "web-0 web-1 web-2");
  fleet.patch(kube::stateful_sets(), "web", R"({"spec":{"replicas":1}})");
  fleet.pass(milliseconds(25));
  CHECK(fleet.names(kube::pods()) == "web-0 web-1");
  fleet.pass(seconds(2));
  CHECK(fleet.names(kube::pods()) == "web-0");
}

TEST_CASE("podManagementPolicy Parallel creates and deletes all pods at once") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(3, R"(,"podManagementPolicy":"Parallel")"));

  fleet.pass(milliseconds(100));

  CHECK(fleet.names(kube::pods()) == "web-0 web-1 web-2");
  fleet.patch(kube::stateful_sets(), "web", R"({"spec":{"replicas":0}})");
  fleet.pass(milliseconds(25));
  CHECK(fleet.names(kube::pods()).empty());
}

TEST_CASE("podManagementPolicy Parallel creates at most 500 pods at a time") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(1200, R"(,"podManagementPolicy":"Parallel")"));

  std::size_t most_at_a_time = 0;
  std::size_t pods = 0;
  while (pods < 1200) {
    auto before = std::exchange(pods, fleet.server.objects(kube::pods()).size());
    most_at_a_time = std::max(most_at_a_time, pods - before);
    fleet.pass(std::chrono::microseconds(100));
  }

  CHECK(most_at_a_time == 500);
}

TEST_CASE("the pods of a StatefulSet have its labels, host names and revision") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(1));
  fleet.pass(seconds(2));

  auto revision = fleet.value(kube::stateful_sets(), "web", {"status", "updateRevision"});
  CHECK(fleet.names(kube::controller_revisions()) == revision);
  CHECK(fleet.value(kube::controller_revisions(), revision, {"revision"}) == "1");
  auto label = [&fleet](std::string_view name) {
    return fleet.value(kube::pods(), "web-0", {"metadata", "labels", name});
  };
  CHECK(label("app") == "web");
  CHECK(label("apps.kubernetes.io/pod-index") == "0");
  CHECK(label("statefulset.kubernetes.io/pod-name") == "web-0");
  CHECK(label("controller-revision-hash") == revision);
  CHECK(fleet.value(kube::pods(), "web-0", {"spec", "hostname"}) == "web-0");
  CHECK(fleet.value(kube::pods(), "web-0", {"spec", "subdomain"}) == "web");
}

TEST_CASE("the status of a StatefulSet counts its pods") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2));
  fleet.pass(seconds(2));

  for (const char* field : {"replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"}) {
    INFO(field);
    CHECK(fleet.value(kube::stateful_sets(), "web", {"status", field}) == "2");
  }
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "collisionCount"}) == "0");
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "observedGeneration"}) == "1");
  auto version = fleet.server.resource_version();
  fleet.pass(std::chrono::hours(1));
  CHECK(fleet.server.resource_version() == version);
}

TEST_CASE("a rolling update replaces the last pod first, and the status changes to the new revision") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2));
  fleet.pass(seconds(2));
  auto first = fleet.value(kube::stateful_sets(), "web", {"status", "currentRevision"});

  fleet.patch(kube::stateful_sets(), "web", kImage2);
  fleet.pass(milliseconds(200));
  CHECK(image(fleet, "web-0") == "i:1");
  CHECK(image(fleet, "web-1") == "i:2");
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "currentRevision"}) == first);
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "updatedReplicas"}) == "1");
  fleet.pass(seconds(2));

  CHECK(image(fleet, "web-0") == "i:2");
  auto second = fleet.value(kube::stateful_sets(), "web", {"status", "updateRevision"});
  CHECK(second != first);
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "currentRevision"}) == second);
  CHECK(fleet.value(kube::controller_revisions(), second, {"revision"}) == "2");
}

TEST_CASE("a rollback to an earlier template raises the number of its revision") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(1));
  fleet.pass(seconds(1));
  auto first = fleet.value(kube::stateful_sets(), "web", {"status", "updateRevision"});
  fleet.patch(kube::stateful_sets(), "web", kImage2);
  fleet.pass(seconds(2));

  fleet.patch(kube::stateful_sets(), "web",
              R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}}})");
  fleet.pass(seconds(2));

  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "updateRevision"}) == first);
  CHECK(fleet.value(kube::controller_revisions(), first, {"revision"}) == "3");
  CHECK(fleet.count(kube::controller_revisions()) == 2);
}

TEST_CASE("pods below the partition retain the old template, also when they are deleted") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(3, R"(,"updateStrategy":{"rollingUpdate":{"partition":2}})"));
  fleet.pass(seconds(3));

  fleet.patch(kube::stateful_sets(), "web", kImage2);
  fleet.pass(seconds(3));
  fleet.remove(kube::pods(), "web-1");
  fleet.pass(seconds(3));

  CHECK(image(fleet, "web-0") == "i:1");
  CHECK(image(fleet, "web-1") == "i:1");
  CHECK(image(fleet, "web-2") == "i:2");
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "currentReplicas"}) == "2");
}

TEST_CASE("with OnDelete a pod gets the new template when it is deleted") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2, R"(,"updateStrategy":{"type":"OnDelete"})"));
  fleet.pass(seconds(2));

  fleet.patch(kube::stateful_sets(), "web", kImage2);
  fleet.pass(seconds(2));
  CHECK(image(fleet, "web-1") == "i:1");
  fleet.remove(kube::pods(), "web-1");
  fleet.pass(seconds(2));

  CHECK(image(fleet, "web-0") == "i:1");
  CHECK(image(fleet, "web-1") == "i:2");
}

TEST_CASE("spec.ordinals.start is the first ordinal") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2, R"(,"ordinals":{"start":5})"));
  fleet.pass(seconds(2));
  CHECK(fleet.names(kube::pods()) == "web-5 web-6");

  fleet.patch(kube::stateful_sets(), "web", R"({"spec":{"ordinals":{"start":6}}})");
  fleet.pass(seconds(3));

  CHECK(fleet.names(kube::pods()) == "web-6 web-7");
}

TEST_CASE("the next pod waits until the previous one has been ready for minReadySeconds") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2, R"(,"minReadySeconds":10)"));

  fleet.pass(seconds(5));
  CHECK(fleet.names(kube::pods()) == "web-0");
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "readyReplicas"}) == "1");
  CHECK(fleet.value(kube::stateful_sets(), "web", {"status", "availableReplicas"}) == "0");
  fleet.pass(seconds(7));
  CHECK(fleet.names(kube::pods()) == "web-0 web-1");
}

const char* const kClaims =
    R"(,"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],)"
    R"("resources":{"requests":{"storage":"1Gi"}}}}])";

TEST_CASE("each pod has its own claim, which stays after a scale-down") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(2, kClaims));
  fleet.pass(seconds(2));

  CHECK(fleet.names(kube::persistent_volume_claims()) == "data-web-0 data-web-1");
  CHECK(fleet.value(kube::persistent_volume_claims(), "data-web-0", {"metadata", "labels", "app"}) == "web");
  CHECK(fleet.value(kube::persistent_volume_claims(), "data-web-0", {"metadata", "ownerReferences"}) == "null");
  CHECK(fleet.value(kube::pods(), "web-1", {"spec", "volumes"}) ==
        R"([{"name":"data","persistentVolumeClaim":{"claimName":"data-web-1"}}])");
  fleet.patch(kube::stateful_sets(), "web", R"({"spec":{"replicas":1}})");
  fleet.pass(seconds(2));
  CHECK(fleet.names(kube::persistent_volume_claims()) == "data-web-0 data-web-1");
}

TEST_CASE("persistentVolumeClaimRetentionPolicy Delete deletes claims with their pod and with the set") {
  Fleet fleet;
  auto policy = R"(,"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Delete"})";
  fleet.create(kube::stateful_sets(), set_of(2, std::string(kClaims) + policy));
  fleet.pass(seconds(2));

  fleet.patch(kube::stateful_sets(), "web", R"({"spec":{"replicas":1}})");
  fleet.pass(seconds(2));
  CHECK(fleet.names(kube::persistent_volume_claims()) == "data-web-0");
  fleet.remove(kube::stateful_sets(), "web");
  fleet.pass(seconds(2));

  CHECK(fleet.names(kube::persistent_volume_claims()).empty());
  CHECK(fleet.names(kube::pods()).empty());
  CHECK(fleet.count(kube::controller_revisions()) == 0);
}

TEST_CASE("at most revisionHistoryLimit revisions that no pod uses are retained") {
  Fleet fleet;
  fleet.create(kube::stateful_sets(), set_of(1, R"(,"revisionHistoryLimit":1)"));
  for (int release = 2; release < 6; ++release) {
    fleet.pass(seconds(2));
    fleet.patch(
        kube::stateful_sets(), "web",
        R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:)" + std::to_string(release) + "\"}]}}}}");
  }
  fleet.pass(seconds(2));

  CHECK(fleet.count(kube::controller_revisions()) == 2);
}

}  // namespace
}  // namespace keelson::sandbox
