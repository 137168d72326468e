// Objects as a real API server (Kubernetes 1.36) stores them: what it adds, and copies of them that are applied again.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/support/parsed.hpp"
#include "test/unit/sandbox/memory_journal.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::MemoryJournal;
using fixtures::Talk;
using testing::parsed;

const kube::Resource kSets("apps", "v1", "StatefulSet", "statefulsets");
const kube::Resource kRanges("", "v1", "LimitRange", "limitranges");

// As an operator applies it.
const std::string kSet =
    R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},"spec":{"serviceName":"db","replicas":0,)"
    R"("selector":{"matchLabels":{"app":"db"}},"template":{"metadata":{"labels":{"app":"db"}},"spec":{"containers":[)"
    R"({"name":"c","image":"i:1","resources":{"limits":{"cpu":"1000m","memory":"1024Mi"}},"env":[{"name":"CPU",)"
    R"("valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}],"volumeMounts":[{"name":"data","mountPath":)"
    R"("/data"}]}],"volumes":[{"name":"scratch","ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":)"
    R"(["ReadWriteOnce"],"resources":{"requests":{"storage":"1024Mi"}}}}}},{"name":"info","downwardAPI":{"items":[)"
    R"({"path":"a","resourceFieldRef":{"containerName":"c","resource":"limits.cpu"}}]}}]}},"volumeClaimTemplates":[)"
    R"({"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":)"
    R"("1024Mi"}}}}]}})";

// The spec that the API server stores for it.
const std::string kStoredSpec =
    R"({"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},)"
    R"("podManagementPolicy":"OrderedReady","replicas":0,"revisionHistoryLimit":10,"selector":{)"
    R"("matchLabels":{"app":"db"}},"serviceName":"db","template":{"metadata":{"labels":{"app":"db"}},)"
    R"("spec":{"containers":[{"env":[{"name":"CPU","valueFrom":{"resourceFieldRef":{"divisor":"0",)"
    R"("resource":"limits.cpu"}}}],"image":"i:1","imagePullPolicy":"IfNotPresent","name":"c","resources":{)"
    R"("limits":{"cpu":"1","memory":"1Gi"}},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","volumeMounts":[{"mountPath":"/data","name":"data"}]}],)"
    R"("dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler",)"
    R"("securityContext":{},"terminationGracePeriodSeconds":30,"volumes":[{"ephemeral":{)"
    R"("volumeClaimTemplate":{"metadata":{},"spec":{"accessModes":["ReadWriteOnce"],"resources":{)"
    R"("requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"}}},"name":"scratch"},{"downwardAPI":{)"
    R"("defaultMode":420,"items":[{"path":"a","resourceFieldRef":{"containerName":"c","divisor":"0",)"
    R"("resource":"limits.cpu"}}]},"name":"info"}]}},"updateStrategy":{"rollingUpdate":{"partition":0},)"
    R"("type":"RollingUpdate"},"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim",)"
    R"("metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{)"
    R"("storage":"1Gi"}},"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}]})";

const std::string kJob =
    R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"suspend":true,"podFailurePolicy":)"
    R"({"rules":[{"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]}]},"template":{"spec":)"
    R"({"restartPolicy":"Never","containers":[{"name":"c","image":"i:1","resources":{"requests":{"cpu":"0.5"}}}]}}}})";

Result<kube::Object> apply_set(Talk& talk) {
  auto applied = talk.ask(kube::apply(talk.client(), kSets, {"default", "db"}, kube::ApplyForm::kForce, kSet));
  if (!applied) return applied.error();
  return applied->object;
}

void fill(MemoryJournal& journal, const std::string& spec) {
  const kube::Resource spaces("", "v1", "Namespace", "namespaces", false);
  const auto space =
      R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default","uid":"n","resourceVersion":"1"}})";
  REQUIRE(journal.put({spaces, {"", "default"}, 1, space}));
  const auto set = R"({"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"db","namespace":"default",)"
                   R"("uid":"u","generation":1,"resourceVersion":"2"},"spec":)" +
                   spec + "}";
  REQUIRE(journal.put({kSets, {"default", "db"}, 2, set}));
}

ApiServerOptions from(MemoryJournal& journal, const std::string& spec) {
  fill(journal, spec);
  ApiServerOptions options;
  options.journal = &journal;
  return options;
}

// A server that has a copy of the StatefulSet, with this spec.
struct Copied : Talk {
  Copied(MemoryJournal& journal, const std::string& spec) : Talk(from(journal, spec)) {
    const auto resumed = server.resume();
    INFO((resumed ? "" : resumed.error().message()));
    REQUIRE(resumed);
  }
};

TEST_CASE("a StatefulSet is stored with the values that a real API server adds") {
  Talk talk;
  const auto stored = apply_set(talk);
  INFO((stored ? std::string(stored->json()) : stored.error().message()));
  REQUIRE(stored);
  const auto object = parsed(stored->json());

  CHECK(json::equal(object.root().find("spec"), parsed(kStoredSpec).root()));
}

TEST_CASE("an apply that agrees with a copied StatefulSet changes nothing in it") {
  MemoryJournal journal;
  Copied talk(journal, kStoredSpec);
  const auto stored = apply_set(talk);
  INFO((stored ? std::string(stored->json()) : stored.error().message()));
  REQUIRE(stored);

  CHECK(stored->generation() == 1);
  CHECK(json::equal(parsed(stored->json()).root().find("spec"), parsed(kStoredSpec).root()));
}

TEST_CASE("a StatefulSet that an older API server has stored may be applied, and its claims may not change") {
  auto spec = kStoredSpec;
  const std::string name = R"("metadata":{"name":"data"})";
  spec.replace(spec.find(name), name.size(), R"("metadata":{"name":"data","creationTimestamp":null})");
  MemoryJournal journal;
  Copied talk(journal, spec);
  CHECK(apply_set(talk));

  auto larger = kSet;
  const auto size = larger.rfind("1024Mi");
  larger.replace(size, 6, "2048Mi");
  const auto rejected = talk.ask(kube::apply(talk.client(), kSets, {"default", "db"}, kube::ApplyForm::kForce, larger));
  REQUIRE_FALSE(rejected);
  INFO(rejected.error().message());
  CHECK(rejected.error().message().find("updates to statefulset spec for fields other than") != std::string::npos);
}

TEST_CASE("the failure policy of a Job and the limits of a LimitRange are completed as by a real API server") {
  Talk talk;
  const auto job = talk.ask(kube::create(talk.client(), kube::jobs(), "default", kJob));
  REQUIRE(job);
  const auto spec = parsed(job->json());
  CHECK(spec.root().at({"spec", "podFailurePolicy"}).text() ==
        R"({"rules":[{"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]}]})");
  CHECK(spec.root().at({"spec", "template", "spec", "containers"}).item(0).find("resources").text() ==
        R"({"requests":{"cpu":"500m"}})");

  const auto range = talk.ask(kube::create(
      talk.client(), kRanges, "default",
      R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2000m"},"min":{"memory":"1Ki"}},)"
      R"({"type":"Pod","max":{"cpu":"4"}}]}})"));
  REQUIRE(range);
  CHECK(parsed(range->json()).root().at({"spec", "limits"}).text() ==
        R"([{"type":"Container","max":{"cpu":"2"},"min":{"memory":"1Ki"},"default":{"cpu":"2"},)"
        R"("defaultRequest":{"cpu":"2","memory":"1Ki"}},{"type":"Pod","max":{"cpu":"4"}}])");
}

}  // namespace
}  // namespace keelson::sandbox
