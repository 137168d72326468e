// Controllers adopt the objects that they select and that have no controller, and release those that they do not
// select.
#include "test/unit/sandbox/fleet.hpp"
#include "test/unit/sandbox/memory_journal.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::seconds;

const kube::Resource kReplicationControllers("", "v1", "ReplicationController", "replicationcontrollers");
const std::string kTemplate =
    R"("template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}})";
const std::string kSelector = R"("selector":{"matchLabels":{"app":"web"}},)";

std::string workload(const std::string& more = R"("replicas":2,)") {
  return R"({"metadata":{"name":"web"},"spec":{)" + more + kSelector + kTemplate + "}}";
}

struct Owners : Fleet {
  void add_pod(const std::string& name, const std::string& app = "web") {
    create(kube::pods(), R"({"metadata":{"name":")" + name + R"(","labels":{"app":")" + app +
                             R"("}},"spec":{"containers":[{"name":"c","image":"i:1"}]}})");
  }
  // "Kind/name" of the controller; "none" if the object has none.
  std::string owner(const kube::Resource& resource, const std::string& name) {
    for (const auto& object : server.objects(resource)) {
      const auto found = object.controller_owner();
      if (object.name() == name && found) return std::string(found->kind) + "/" + std::string(found->name);
    }
    return "none";
  }
  void remove_alone(const kube::Resource& resource, const std::string& name) {
    kube::DeleteOptions orphan;
    orphan.propagation = "Orphan";
    REQUIRE(ask(kube::remove(client(), resource, {"default", name}, orphan)));
    pass(seconds(1));
  }
};

TEST_CASE("a ReplicaSet adopts a pod that it selects, and releases it when its labels change") {
  Owners owners;
  owners.add_pod("lone");
  owners.create(kube::replica_sets(), workload());
  owners.pass(seconds(2));
  CHECK(owners.owner(kube::pods(), "lone") == "ReplicaSet/web");
  CHECK(owners.count(kube::pods()) == 2);

  owners.patch(kube::pods(), "lone", R"({"metadata":{"labels":{"app":"other"}}})");
  owners.pass(seconds(2));

  CHECK(owners.value(kube::pods(), "lone", {"metadata", "ownerReferences"}) == "null");
  CHECK(owners.count(kube::pods()) == 3);
}

TEST_CASE("a ReplicaSet adopts a pod that is labeled later, and deletes the surplus") {
  Owners owners;
  owners.create(kube::replica_sets(), workload());
  owners.add_pod("lone", "other");
  owners.pass(seconds(2));

  owners.patch(kube::pods(), "lone", R"({"metadata":{"labels":{"app":"web"}}})");
  owners.pass(seconds(5));

  CHECK(owners.count(kube::pods()) == 2);
}

TEST_CASE("a ReplicationController has pods and a status") {
  Owners owners;
  owners.create(kReplicationControllers,
                R"({"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"app":"web"},)" + kTemplate + "}}");
  owners.pass(seconds(2));

  CHECK(owners.count(kube::pods()) == 2);
  CHECK(owners.owner(kube::pods(), std::string(owners.server.objects(kube::pods())[0].name())) ==
        "ReplicationController/web");
  CHECK(owners.value(kReplicationControllers, "web", {"status"}) ==
        R"({"replicas":2,"observedGeneration":1,"fullyLabeledReplicas":2,"readyReplicas":2,"availableReplicas":2})");
  // By default, a ReplicationController leaves its pods.
  kube::DeleteOptions background;
  background.propagation = "Background";
  REQUIRE(owners.ask(kube::remove(owners.client(), kReplicationControllers, {"default", "web"}, background)));
  owners.pass(seconds(5));
  CHECK(owners.count(kube::pods()) == 0);
}

TEST_CASE("a Deployment adopts the ReplicaSet of its template") {
  Owners owners;
  owners.create(kube::deployments(), workload());
  owners.pass(seconds(2));
  const auto name = owners.names(kube::replica_sets());
  owners.remove_alone(kube::deployments(), "web");
  REQUIRE(owners.owner(kube::replica_sets(), name) == "none");

  owners.create(kube::deployments(), workload());
  owners.pass(seconds(2));

  CHECK(owners.names(kube::replica_sets()) == name);
  CHECK(owners.owner(kube::replica_sets(), name) == "Deployment/web");
  CHECK(owners.count(kube::pods()) == 2);
}

TEST_CASE("a Deployment creates a ReplicaSet of another name if it does not own that of its template") {
  Owners owners;
  owners.create(kube::deployments(), workload());
  owners.pass(seconds(2));
  const auto name = owners.names(kube::replica_sets());
  owners.patch(kube::replica_sets(), name, R"({"metadata":{"labels":{"app":"other"}}})");
  owners.pass(seconds(2));

  CHECK(owners.owner(kube::replica_sets(), name) == "none");
  CHECK(owners.count(kube::replica_sets()) == 2);
  CHECK(owners.value(kube::deployments(), "web", {"status", "collisionCount"}) == "1");
  CHECK(owners.value(kube::deployments(), "web", {"status", "readyReplicas"}) == "2");
}

TEST_CASE("a paused Deployment has the condition DeploymentPaused") {
  Owners owners;
  owners.create(kube::deployments(), workload(R"("paused":true,)"));
  owners.pass(seconds(1));
  const auto conditions = [&owners] { return owners.value(kube::deployments(), "web", {"status", "conditions"}); };
  CHECK(
      conditions().find(
          R"("type":"Progressing","status":"Unknown","reason":"DeploymentPaused","message":"Deployment is paused")") !=
      std::string::npos);
  CHECK(owners.value(kube::deployments(), "web", {"status", "unavailableReplicas"}) == "null");

  owners.patch(kube::deployments(), "web", R"({"spec":{"paused":null}})");
  owners.pass(seconds(2));

  CHECK(conditions().find("DeploymentPaused") == std::string::npos);
  CHECK(conditions().find(R"("type":"Progressing","status":"True","reason":"NewReplicaSetAvailable")") !=
        std::string::npos);
}

TEST_CASE("a StatefulSet adopts its pods and revisions after its predecessor was deleted without them") {
  Owners owners;
  owners.create(kube::stateful_sets(), workload());
  owners.pass(seconds(3));
  owners.remove_alone(kube::stateful_sets(), "web");
  REQUIRE(owners.owner(kube::pods(), "web-0") == "none");

  owners.create(kube::stateful_sets(), workload());
  owners.pass(seconds(3));

  CHECK(owners.owner(kube::pods(), "web-0") == "StatefulSet/web");
  CHECK(owners.owner(kube::pods(), "web-1") == "StatefulSet/web");
  CHECK(owners.count(kube::controller_revisions()) == 1);
  CHECK(owners.owner(kube::controller_revisions(), owners.names(kube::controller_revisions())) == "StatefulSet/web");
  CHECK(owners.value(kube::stateful_sets(), "web", {"status", "readyReplicas"}) == "2");
}

TEST_CASE("a StatefulSet waits until a pod that it does not own releases its name") {
  Owners owners;
  owners.add_pod("web-0", "other");
  owners.create(kube::stateful_sets(), workload());
  owners.pass(seconds(2));
  CHECK(owners.owner(kube::pods(), "web-0") == "none");

  owners.remove(kube::pods(), "web-0");
  owners.pass(seconds(5));

  CHECK(owners.owner(kube::pods(), "web-0") == "StatefulSet/web");
}

TEST_CASE("a DaemonSet adopts its pods and revisions, and its pods are not replaced") {
  Owners owners;
  owners.create(kube::nodes(), R"({"metadata":{"name":"a"}})");
  owners.create(kube::daemon_sets(), workload(""));
  owners.pass(seconds(2));
  const auto pod = owners.names(kube::pods());
  owners.remove_alone(kube::daemon_sets(), "web");
  REQUIRE(owners.owner(kube::pods(), pod) == "none");

  owners.create(kube::daemon_sets(), workload(""));
  owners.pass(seconds(2));

  CHECK(owners.names(kube::pods()) == pod);
  CHECK(owners.owner(kube::pods(), pod) == "DaemonSet/web");
  CHECK(owners.count(kube::controller_revisions()) == 1);
}

TEST_CASE("the data of a revision has its members by name, and its DaemonSet counts the changes of its template") {
  Owners owners;
  const auto generation = [&owners] {
    return owners.value(kube::daemon_sets(), "web",
                        {"metadata", "annotations", "deprecated.daemonset.template.generation"});
  };
  owners.create(
      kube::daemon_sets(),
      R"({"metadata":{"name":"web"},"spec":{)" + kSelector +
          R"("template":{"spec":{"containers":[{"name":"c","image":"i"}]},"metadata":{"labels":{"app":"web"}}}}})");
  CHECK(generation() == "1");
  owners.pass(seconds(1));

  const auto revision = owners.names(kube::controller_revisions());
  const auto data = owners.value(kube::controller_revisions(), revision, {"data"});
  CHECK(data.starts_with(
      R"({"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":)"));
  owners.patch(kube::daemon_sets(), "web", R"({"metadata":{"annotations":{"note":"n"}}})");
  CHECK(generation() == "1");
  owners.patch(kube::daemon_sets(), "web", R"({"spec":{"template":{"metadata":{"labels":{"more":"m"}}}}})");
  CHECK(generation() == "2");
}

ApiServerOptions with(fixtures::MemoryJournal& journal) {
  auto options = fixtures::whole_cluster();
  options.journal = &journal;
  return options;
}

TEST_CASE("rejected pods are a condition and an Event of their workload until one is accepted") {
  fixtures::MemoryJournal journal;
  Fleet fleet(with(journal));
  REQUIRE(fleet.server.resume());
  const auto conditions = [&fleet](const kube::Resource& resource, const std::string& name) {
    return fleet.value(resource, name, {"status", "conditions"});
  };
  const auto events = [&fleet](std::string_view text) {
    return std::ranges::count_if(fleet.server.objects(kube::core_events()), [text](const kube::Object& event) {
      return event.json().find(text) != std::string_view::npos;
    });
  };
  const std::string failure =
      R"("type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"database space exceeded")";
  journal.full_of = "pods";
  fleet.create(kube::deployments(), workload());
  fleet.create(kube::stateful_sets(), R"({"metadata":{"name":"set"},"spec":{)" + kSelector + kTemplate + "}}");
  fleet.pass(seconds(2));
  const auto name = fleet.names(kube::replica_sets());
  CHECK(conditions(kube::replica_sets(), name).find(failure) != std::string::npos);
  CHECK(conditions(kube::deployments(), "web").find(failure) != std::string::npos);
  CHECK(events(R"("reason":"FailedCreate","message":"Error creating: database space exceeded")") == 1);
  CHECK(events(R"("message":"Create Pod set-0 in StatefulSet set failed error: database space exceeded")") == 1);
  CHECK(events("SuccessfulCreate\",\"message\":\"Created pod") == 0);

  journal.full_of.clear();
  fleet.pass(seconds(10));

  CHECK(fleet.count(kube::pods()) == 3);
  CHECK(conditions(kube::replica_sets(), name) == "null");
  CHECK(conditions(kube::deployments(), "web").find("ReplicaFailure") == std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
