// The status of ResourceQuotas, and the finalizers of storage in use. The expected amounts are those of a real cluster.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using fixtures::whole_cluster;
using std::chrono::seconds;

const kube::Resource kQuotas("", "v1", "ResourceQuota", "resourcequotas");
const kube::Resource kVolumes("", "v1", "PersistentVolume", "persistentvolumes", false);

std::string pod(const std::string& name, const std::string& spec, const std::string& metadata = "") {
  return R"({"metadata":{"name":")" + name + "\"" + metadata + R"(},"spec":{)" + spec + "}}";
}

const std::string kSmallPod =
    R"("containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"500m","memory":"1Gi"}}}])";
const std::string kStartingPod =
    R"("containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"250m","memory":"1000M"}}}],)"
    R"("initContainers":[{"name":"i","image":"i","resources":{"limits":{"cpu":"1","memory":"1M"}}}])";

TEST_CASE("the status of a ResourceQuota has the amounts in use") {
  Fleet fleet;
  fleet.create(kube::pods(), pod("a", kSmallPod));
  fleet.create(kube::pods(), pod("b", kStartingPod));
  fleet.create(
      kube::services(),
      R"({"metadata":{"name":"s"},"spec":{"type":"NodePort","ports":[{"port":1,"name":"a"},{"port":2,"name":"b"}]}})");
  fleet.create(kube::persistent_volume_claims(),
               R"({"metadata":{"name":"v"},"spec":{"storageClassName":"fast","accessModes":["ReadWriteOnce"],)"
               R"("resources":{"requests":{"storage":"500Mi"}}}})");
  fleet.create(kube::config_maps(), R"({"metadata":{"name":"m"}})");
  // Last, because a pod must have a value for each amount that a quota limits.
  fleet.create(kQuotas,
               R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"5","requests.cpu":"2","limits.memory":"5Gi",)"
               R"("memory":"5Gi","services.nodeports":"2","requests.storage":"10Gi","count/deployments.apps":"2",)"
               R"("count/widgets.example.com":"3","configmaps":"10","requests.example.com/gpu":"1",)"
               R"("fast.storageclass.storage.k8s.io/persistentvolumeclaims":"3"}}})");
  fleet.pass(seconds(1));

  CHECK(fleet.value(kQuotas, "q", {"status", "used"}) ==
        R"({"configmaps":"1","count/deployments.apps":"0",)"
        R"("fast.storageclass.storage.k8s.io/persistentvolumeclaims":"1","limits.memory":"1G",)"
        R"("memory":"2073741824","pods":"2","requests.cpu":"1500m","requests.example.com/gpu":"0",)"
        R"("requests.storage":"500Mi","services.nodeports":"2"})");
  CHECK(fleet.value(kQuotas, "q", {"status", "hard", "pods"}) == "5");
  fleet.remove(kube::pods(), "b");
  fleet.pass(seconds(60));
  CHECK(fleet.value(kQuotas, "q", {"status", "used", "pods"}) == "1");
  CHECK(fleet.value(kQuotas, "q", {"status", "used", "memory"}) == "1Gi");
}

TEST_CASE("the scopes of a ResourceQuota select the pods that it counts") {
  Fleet fleet;
  const auto create = [&](const std::string& name, const std::string& scope) {
    fleet.create(kQuotas, R"({"metadata":{"name":")" + name + R"("},"spec":{"hard":{"pods":"5"},)" + scope + "}}");
  };
  create("best", R"("scopes":["BestEffort"])");
  create("not-best", R"("scopes":["NotBestEffort"])");
  create("ends", R"("scopes":["Terminating"])");
  create("both", R"("scopes":["NotTerminating"],"scopeSelector":{"matchExpressions":[)"
                 R"({"scopeName":"NotBestEffort","operator":"Exists"}]})");
  create("across", R"("scopes":["CrossNamespacePodAffinity"])");
  fleet.create(kube::pods(), pod("a", kSmallPod));
  fleet.create(kube::pods(), pod("b", R"("activeDeadlineSeconds":100,)" + kSmallPod));
  fleet.create(kube::pods(),
               pod("c", R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
      {"topologyKey":"a","labelSelector":{},"namespaceSelector":{}}]}},"containers":[{"name":"c","image":"i"}])"));
  fleet.pass(seconds(1));

  const auto used = [&](const std::string& name) { return fleet.value(kQuotas, name, {"status", "used", "pods"}); };
  CHECK(used("best") == "1");
  CHECK(used("not-best") == "2");
  CHECK(used("ends") == "1");
  CHECK(used("both") == "1");
  CHECK(used("across") == "1");
}

TEST_CASE("a PersistentVolumeClaim remains until no scheduled pod mounts it") {
  Fleet fleet(whole_cluster());
  fleet.create(kube::persistent_volume_claims(), R"({"metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],)"
                                                 R"("resources":{"requests":{"storage":"1Gi"}}}})");
  CHECK(fleet.value(kube::persistent_volume_claims(), "v", {"metadata", "finalizers"}) ==
        R"(["kubernetes.io/pvc-protection"])");
  fleet.create(kube::pods(),
               pod("p", R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"v"}}],)" + kSmallPod));
  fleet.pass(seconds(2));
  fleet.remove(kube::persistent_volume_claims(), "v");
  fleet.pass(seconds(10));
  CHECK(fleet.count(kube::persistent_volume_claims()) == 1);

  fleet.remove(kube::pods(), "p");
  fleet.pass(seconds(60));

  CHECK(fleet.count(kube::persistent_volume_claims()) == 0);
}

TEST_CASE("a PersistentVolume remains while it is bound") {
  Fleet fleet(whole_cluster());
  fleet.create(kVolumes, R"({"metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},)"
                         R"("accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}})");
  CHECK(fleet.value(kVolumes, "v", {"metadata", "finalizers"}) == R"(["kubernetes.io/pv-protection"])");
  const auto set_phase = [&](const std::string& phase) {
    kube::ApiRequest request;
    request.verb = kube::Verb::kPatch;
    request.patch_type = kube::PatchType::kMerge;
    request.resource = kVolumes;
    request.key = kube::Key("", "v");
    request.subresource = "status";
    request.body = R"({"status":{"phase":")" + phase + "\"}}";
    REQUIRE(fleet.ask(fleet.client().send(request)));
  };
  set_phase("Bound");
  fleet.remove(kVolumes, "v");
  fleet.pass(seconds(1));
  CHECK(fleet.count(kVolumes) == 1);

  set_phase("Released");
  fleet.pass(seconds(1));

  CHECK(fleet.count(kVolumes) == 0);
}

TEST_CASE("a VolumeAttributesClass remains until no claim names it") {
  Fleet fleet(whole_cluster());
  const kube::Resource classes("storage.k8s.io", "v1", "VolumeAttributesClass", "volumeattributesclasses", false);
  fleet.create(classes, R"({"metadata":{"name":"gold"},"driverName":"example.com","parameters":{"a":"b"}})");
  fleet.create(kube::persistent_volume_claims(),
               R"({"metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],"volumeAttributesClassName":"gold",)"
               R"("resources":{"requests":{"storage":"1Gi"}}}})");
  fleet.remove(classes, "gold");
  fleet.pass(seconds(10));
  CHECK(fleet.count(classes) == 1);

  fleet.remove(kube::persistent_volume_claims(), "v");
  fleet.pass(seconds(10));

  CHECK(fleet.count(classes) == 0);
}

}  // namespace
}  // namespace keelson::sandbox
