// Memcached on a real control plane: actions of a user with kubectl, and their results.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <utility>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

std::string memcached(const std::string& name, int size, const std::string& more = "") {
  return "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: " + name +
         "\nspec:\n  size: " + std::to_string(size) + "\n" + more;
}

// A ready manager, and a namespace for its objects.
struct Running {
  Running() {
    install_crds();
    manager = std::make_unique<Manager>();
    manager->wait_until_ready();
  }
  void apply(const std::string& yaml) { kubectl({"apply", "-n", ns(), "-f", "-"}, yaml); }
  [[nodiscard]] const std::string& ns() const { return space.name(); }
  [[nodiscard]] std::size_t nodes(const std::string& name) {
    return get("memcached", name, ns()).root().at({"status", "nodes"}).size();
  }
  [[nodiscard]] std::string condition(const std::string& name, std::string_view type) {
    auto document = get("memcached", name, ns());
    for (auto condition : document.root().at({"status", "conditions"}).items()) {
      if (condition.find("type").string() == type) return std::string(condition.find("status").string().value_or(""));
    }
    return "";
  }
  void wait_until_ready(const std::string& name, std::size_t size) {
    eventually(name + " has " + std::to_string(size) + " nodes and is ready",
               [&] { return nodes(name) == size && condition(name, "Ready") == "True"; });
  }

  Namespace space;
  std::unique_ptr<Manager> manager;
};

// The time from the reply that created the Deployment to the last reply to a write of the status, in the audit log
// since `from`. Waits until the log has both: kube-apiserver writes a line after its reply.
std::chrono::microseconds time_to_status(const std::string& ns, std::size_t from) {
  std::optional<std::chrono::microseconds> created;
  std::optional<std::chrono::microseconds> last;
  eventually("the audit log has the writes", [&] {
    for (const auto& request : audited(ns, from)) {
      if (request.verb != "patch" || !request.is_done_write()) continue;
      if (request.resource == "deployments" && !created) created = request.answered;
      if (request.resource == "memcacheds/status") last = request.answered;
    }
    return created && last;
  });
  return *last - *created;
}

TEST_CASE("M3, M7, M9: a Memcached becomes a Deployment and a Service, and its pods are its nodes, with three writes") {
  Running running;

  // The status writer coalesces the progress of one second (src/controller/status_writer.cpp). On a busy machine
  // the pods of an attempt may take longer; such an attempt does not show the number of writes.
  std::string name;
  for (int attempt = 1; attempt <= 5; ++attempt) {
    name = "web-" + std::to_string(attempt);
    const auto from = audit_end();
    running.manager->mark();
    running.apply(memcached(name, 3));
    running.wait_until_ready(name, 3);
    if (time_to_status(running.ns(), from) <= 1s) break;
  }

  auto document = get("memcached", name, running.ns());
  auto status = document.root().find("status");
  auto pods = kubectl(
      {"get", "pods", "-n", running.ns(), "-l", "memcached_cr=" + name, "-o", "name", "--sort-by=.metadata.name"});
  std::string names;
  for (auto node : status.find("nodes").items()) names += "pod/" + std::string(*node.string()) + "\n";
  CHECK(names == pods);
  CHECK(status.find("readyNodes").integer() == 3);
  CHECK(status.find("observedGeneration").integer() == 1);
  CHECK(status.find("selector").string() == "app=memcached,memcached_cr=" + name);
  CHECK(kubectl({"get", "service", name, "-n", running.ns(), "-o", "jsonpath={.spec.ports[0].port}"}) == "11211");
  auto requests = running.manager->requests(running.ns());
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == 1);
  CHECK(requests.of("patch services 201") == 1);
  CHECK(requests.of("patch deployments 200") == 0);
  CHECK(requests.of("patch services 200") == 0);
  CHECK(requests.of("patch memcacheds/status 200") == 1);
  CHECK(requests.all_but_watches() == 3);
}

TEST_CASE("M12: a converged Memcached causes no requests except watches") {
  Running running;
  running.apply(memcached("quiet", 1));
  running.wait_until_ready("quiet", 1);

  running.manager->mark();
  kubectl({"annotate", "memcached", "quiet", "-n", running.ns(), "note=unrelated"});
  throughout("the Memcached stays ready", 3s, [&] { return running.nodes("quiet") == 1; });

  auto requests = running.manager->requests(running.ns());
  INFO(requests.text());
  CHECK(requests.all_but_watches() == 0);
}

TEST_CASE("kubectl scale and the scale subresource that a HorizontalPodAutoscaler reads work") {
  Running running;
  running.apply(memcached("scaled", 1));
  running.wait_until_ready("scaled", 1);

  kubectl({"scale", "memcached/scaled", "--replicas=4", "-n", running.ns()});
  running.wait_until_ready("scaled", 4);
  kubectl({"scale", "memcached/scaled", "--replicas=0", "-n", running.ns()});
  running.wait_until_ready("scaled", 0);

  auto scale = kubectl(
      {"get", "--raw", "/apis/memcached.cache.example.com/v1/namespaces/" + running.ns() + "/memcacheds/scaled/scale"});
  CHECK(scale.find(R"("selector":"app=memcached,memcached_cr=scaled")") != std::string::npos);
  CHECK(value_of("memcached", "scaled", running.ns(), ".status.nodes") == "[]");
}

TEST_CASE("the controller of HorizontalPodAutoscalers reads and writes the size", "[autoscaler]") {
  Running running;
  const auto& ns = running.ns();
  running.apply(memcached("auto", 1));
  running.wait_until_ready("auto", 1);

  running.apply(
      "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: auto}\nspec:\n  minReplicas: 3\n"
      "  maxReplicas: 5\n  scaleTargetRef: {apiVersion: memcached.cache.example.com/v1, kind: Memcached, name: auto}\n"
      "  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]\n");

  running.wait_until_ready("auto", 3);
  CHECK(get("memcached", "auto", ns).root().at({"spec", "size"}).integer() == 3);
}

TEST_CASE(
    "M10, M13, M15, M22: drift of a field that the controller sets is corrected, and other fields are left alone") {
  Running running;
  running.apply(memcached("drift", 2));
  running.wait_until_ready("drift", 2);
  const auto& ns = running.ns();

  kubectl({"set", "image", "deployment/drift", "memcached=evil:1", "-n", ns});
  kubectl({"scale", "deployment/drift", "--replicas=7", "-n", ns});
  kubectl({"patch", "service", "drift", "-n", ns, "--type=merge", "-p", R"({"spec":{"selector":{"app":"other"}}})"});
  kubectl({"annotate", "deployment", "drift", "-n", ns, "mine=stays"});
  kubectl({"rollout", "restart", "deployment/drift", "-n", ns});
  eventually("the image, the replicas and the selector are corrected", [&] {
    auto deployment = get("deployment", "drift", ns);
    auto service = get("service", "drift", ns);
    auto container = deployment.root().at({"spec", "template", "spec", "containers"}).item(0);
    return container.find("image").string() == "memcached:1.6-alpine" &&
           deployment.root().at({"spec", "replicas"}).integer() == 2 &&
           service.root().at({"spec", "selector", "app"}).string() == "memcached";
  });
  kubectl({"delete", "service", "drift", "-n", ns});
  eventually("the Service is back", [&] { return get("service", "drift", ns).root().is_object(); });

  auto deployment = get("deployment", "drift", ns);
  CHECK(deployment.root().at({"metadata", "annotations", "mine"}).string() == "stays");
  CHECK(deployment.root()
            .at({"spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"})
            .is_string());
  running.wait_until_ready("drift", 2);
}

// An object that is not owned does not change, byte for byte.
void check_is_left_alone(Running& running, const std::string& kind, const std::string& name) {
  auto version = [&] { return get(kind, name, running.ns()).root().at({"metadata", "resourceVersion"}).text(); };
  // Its own controller may still change it.
  std::string before;
  eventually(kind + " has converged", [&] { return std::exchange(before, version()) == before; });

  running.apply(memcached(name, 3));
  eventually("Degraded", [&] { return running.condition(name, "Degraded") == "True"; });

  throughout("it is left alone", 2s, [&] { return version() == before; });
  eventually("an Event reports it", [&] {
    return kubectl({"get", "events", "-n", running.ns()}).find("not controlled by this Memcached") != std::string::npos;
  });
}

TEST_CASE("M21: a Deployment of that name that is not owned is left alone, and the status reports it") {
  Running running;
  const auto& ns = running.ns();
  kubectl({"create", "deployment", "taken", "--image=nginx:1", "--replicas=1", "-n", ns});
  kubectl({"rollout", "status", "deployment/taken", "-n", ns, "--timeout=180s"});

  check_is_left_alone(running, "deployment", "taken");

  kubectl({"delete", "deployment", "taken", "-n", ns});
  running.wait_until_ready("taken", 3);
  CHECK(running.condition("taken", "Degraded") == "False");
}

TEST_CASE("M21: a Deployment that another object controls is left alone, even if it has the desired state") {
  Running running;
  const auto& ns = running.ns();
  running.apply(memcached("ours", 3));
  running.wait_until_ready("ours", 3);
  kubectl({"create", "configmap", "boss", "-n", ns});
  auto uid = kubectl({"get", "configmap", "boss", "-n", ns, "-o", "jsonpath={.metadata.uid}"});
  auto references = R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"boss","uid":")" + uid +
                    R"(","controller":true}],)";
  auto document = get("deployment", "ours", ns);
  auto like_ours = [&](const std::string& name, const std::string& more) {
    return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{)" + more + R"("name":")" + name +
           R"("},"spec":)" + std::string(document.root().find("spec").text()) + "}";
  };
  running.apply(like_ours("bossed", references));
  running.apply(like_ours("alike", ""));

  for (const auto* name : {"bossed", "alike"}) {
    kubectl({"rollout", "status", std::string("deployment/") + name, "-n", ns, "--timeout=180s"});
    check_is_left_alone(running, "deployment", name);
  }
}

TEST_CASE("M21: a Service of that name that is not owned is left alone, and the status reports it") {
  Running running;
  const auto& ns = running.ns();
  kubectl({"create", "service", "clusterip", "served", "--tcp=80:80", "-n", ns});

  check_is_left_alone(running, "service", "served");

  kubectl({"delete", "service", "served", "-n", ns});
  running.wait_until_ready("served", 3);
  CHECK(running.condition("served", "Degraded") == "False");
}

TEST_CASE("the status reports a rejection by the API server, and recovers when its cause is gone") {
  Running running;
  const auto& ns = running.ns();
  kubectl({"create", "quota", "few", "--hard=count/services=0", "-n", ns});
  eventually("the quota counts", [&] { return get("quota", "few", ns).root().at({"status", "hard"}).is_object(); });

  running.apply(memcached("refused", 1));
  eventually("Degraded", [&] { return running.condition("refused", "Degraded") == "True"; });

  auto conditions = get("memcached", "refused", ns).root().at({"status", "conditions"}).text();
  INFO(conditions);
  CHECK(conditions.find("CreateFailed") != std::string::npos);
  CHECK(conditions.find("exceeded quota: few") != std::string::npos);
  CHECK(get("deployment", "refused", ns).root().is_object());
  kubectl({"delete", "quota", "few", "-n", ns});
  running.wait_until_ready("refused", 1);
  CHECK(running.condition("refused", "Degraded") == "False");
}

TEST_CASE("drift of the command, the ports and the security context is corrected") {
  Running running;
  running.apply(memcached("steady", 1));
  running.wait_until_ready("steady", 1);
  const auto& ns = running.ns();
  auto pod_spec = [&] {
    return kubectl({"get", "deployment", "steady", "-n", ns, "-o", "jsonpath={.spec.template.spec}"});
  };
  auto wanted = pod_spec();
  const std::vector<std::string> table{
      R"([{"op":"replace","path":"/spec/template/spec/containers/0/command","value":["sleep","9"]}])",
      R"([{"op":"replace","path":"/spec/template/spec/containers/0/ports/0/name","value":"other"}])",
      R"([{"op":"remove","path":"/spec/template/spec/containers/0/ports"}])",
      R"([{"op":"replace","path":"/spec/template/spec/containers/0/securityContext/allowPrivilegeEscalation","value":true}])",
      R"([{"op":"remove","path":"/spec/template/spec/securityContext/runAsNonRoot"}])",
  };

  for (const auto& patch : table) {
    INFO(patch);
    auto drifted = kubectl({"patch", "deployment", "steady", "-n", ns, "--type=json", "-p", patch, "-o",
                            "jsonpath={.spec.template.spec}"});
    CHECK(drifted != wanted);
    eventually("it is as it was", [&] { return pod_spec() == wanted; });
  }
}

TEST_CASE("M18: a pod that has only the labels of the Memcached is not a node") {
  Running running;
  const auto& ns = running.ns();
  running.apply(memcached("own", 1));
  running.wait_until_ready("own", 1);

  kubectl({"run", "not-owned", "--image=nginx:1", "-n", ns, "--labels=app=memcached,memcached_cr=own"});
  kubectl({"wait", "--for=condition=Ready", "pod/not-owned", "-n", ns, "--timeout=180s"});

  throughout("one node", 2s, [&] { return running.nodes("own") == 1; });
}

TEST_CASE("a deleted Memcached's children are deleted with it") {
  Running running;
  const auto& ns = running.ns();
  running.apply(memcached("gone", 2));
  running.wait_until_ready("gone", 2);

  kubectl({"delete", "memcached", "gone", "-n", ns});

  eventually("nothing is left", [&] {
    return kubectl({"get", "deployments,services,pods", "-n", ns, "-o", "name"}).find("gone") == std::string::npos;
  });
  CHECK(running.manager->errors(ns) == std::vector<std::string>());
}

TEST_CASE("M1, M19, M20: a Memcached that can never work is rejected with a clear message") {
  Running running;
  struct Row {
    std::string yaml;
    std::string message;
  };
  const std::vector<Row> table{
      {memcached("bad", -1), "spec.size"},
      {"apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: bad\nspec: {}\n",
       "spec.size: Required value"},
      {memcached("1cache", 1), "must name a Service"},
      {memcached("a.b", 1), "must name a Service"},
      {memcached(std::string(64, 'a'), 1), "must name a Service"},
      {memcached("bad", 1, "  image: \"\"\n"), "spec.image"},
  };

  for (const auto& row : table) {
    auto rejected = try_kubectl({"apply", "-n", running.ns(), "-f", "-"}, row.yaml);

    INFO(rejected.text);
    CHECK(rejected.exit_code != 0);
    CHECK(rejected.text.find(row.message) != std::string::npos);
  }
}

TEST_CASE("a restarted manager changes nothing") {
  Running running;
  running.apply(memcached("kept", 2));
  running.wait_until_ready("kept", 2);

  running.manager->stop();
  running.manager = std::make_unique<Manager>();
  running.manager->wait_until_ready();
  throughout("it stays ready", 2s, [&] { return running.nodes("kept") == 2; });

  auto requests = running.manager->requests(running.ns());
  INFO(requests.text());
  CHECK(requests.all_but_watches() == 0);
}

TEST_CASE("a change made while no manager ran is handled by the next one") {
  Running running;
  running.apply(memcached("later", 1));
  running.wait_until_ready("later", 1);
  running.manager->process().signal(9);
  (void)running.manager->process().wait();

  kubectl({"scale", "memcached/later", "--replicas=3", "-n", running.ns()});
  kubectl({"delete", "service", "later", "-n", running.ns()});
  running.manager = std::make_unique<Manager>();

  running.wait_until_ready("later", 3);
  CHECK(get("service", "later", running.ns()).root().is_object());
}

}  // namespace
}  // namespace keelson::testing
