// BlueGreen on a real control plane: actions of a user with kubectl, and their results.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kSample = std::string(KEELSON_SOURCE_DIR) + "/config/samples/app_v1_bluegreen.yaml";
const std::string kPods = R"({"containers":[{"name":"main","image":"app:2"}]})";

std::string bluegreen(const std::string& name, const std::string& spec) {
  return "apiVersion: app.demo.kakao.com/v1\nkind: BlueGreen\nmetadata: {name: " + name + "}\nspec: " + spec + "\n";
}

// A ready manager, and the BlueGreen of the sample, demo, when it has converged.
struct Demo {
  explicit Demo(const std::string& policy = "Immediate") {
    install_crds();
    manager = std::make_unique<Manager>();
    manager->wait_until_ready();
    kubectl({"apply", "-n", ns(), "-f", kSample});
    patch(R"({"switchPolicy":")" + policy + "\"}");
    wait_until_at_rest("Blue");
  }
  void patch(const std::string& spec) {
    kubectl({"patch", "bluegreen", "demo", "-n", ns(), "--type=merge", "-p", R"({"spec":)" + spec + "}"});
  }
  // `kubectl COMMAND… -n NAMESPACE`
  std::string run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-n", ns()});
    return kubectl(arguments);
  }
  [[nodiscard]] const std::string& ns() const { return space.name(); }
  [[nodiscard]] std::string of(const std::string& kind, const std::string& name, const std::string& path) {
    return value_of(kind, name, ns(), path);
  }
  [[nodiscard]] std::string served() { return of("service", "demo", R"(.spec.selector.app\.kubernetes\.io/phase)"); }
  [[nodiscard]] bool exists(const std::string& kind, const std::string& name) {
    return !of(kind, name, ".metadata.uid").empty();
  }
  [[nodiscard]] std::string condition(const std::string& type) {
    auto path = R"(.status.conditions[?(@.type==")" + type + R"(")])";
    return of("bluegreen", "demo", path + ".status") + " " + of("bluegreen", "demo", path + ".reason");
  }
  void wait_until_at_rest(const std::string& color) {
    eventually("demo serves " + color + " and is at rest", [&] {
      auto document = get("bluegreen", "demo", ns());
      auto generation = document.root().at({"metadata", "generation"}).integer();
      return document.root().at({"status", "observedGeneration"}).integer() == generation && served() == color &&
             condition("Ready") == "True Serving" && condition("Progressing") == "False Complete";
    });
  }

  Namespace space;
  std::unique_ptr<Manager> manager;
};

TEST_CASE("B2 to B4, B9: the sample becomes a Service and two Deployments, and routeTo moves its traffic immediately") {
  Demo demo;

  CHECK(demo.of("service", "demo", ".spec.ports[0].name") == "http");
  CHECK(demo.of("service", "demo", ".spec.ports[0].protocol") == "TCP");
  CHECK(demo.of("service", "demo", ".spec.ports[0].port") == "80");
  CHECK(demo.of("service", "demo", ".spec.ports[0].targetPort") == "80");
  CHECK(demo.of("service", "demo", ".spec.selector") ==
        R"({"app.kubernetes.io/managed-by":"app.demo.kakao.com","app.kubernetes.io/name":"demo",)"
        R"("app.kubernetes.io/phase":"Blue"})");
  CHECK(demo.of("deployment", "demoblue-deployment", ".spec.template.spec.containers[0].image") == "ealen/echo-server");
  CHECK(demo.of("deployment", "demogreen-deployment", ".spec.template.spec.containers[0].image") == "busybox");
  auto table = demo.run({"get", "bluegreen", "demo"});
  INFO(table);
  CHECK(table.starts_with("NAME   ROUTE   BLUE   GREEN   AGE\ndemo   Blue    1      1"));
  demo.manager->mark();
  demo.patch(R"({"routeTo":"Green"})");
  demo.wait_until_at_rest("Green");
  throughout("it stays", 2s, [&] { return demo.served() == "Green"; });

  auto requests = demo.manager->requests(demo.ns());
  INFO(requests.text());
  CHECK(requests.of("patch services 200") == 1);
  CHECK(requests.of("patch bluegreens/status 200") == 1);
  // The consistent read of a manager that has just started, before traffic moves.
  CHECK(requests.all_but_watches() == 2 + requests.of("list "));
}

TEST_CASE("a new BlueGreen causes three creates and one status write, and then no more requests") {
  Demo demo;
  demo.manager->mark();

  kubectl({"apply", "-n", demo.ns(), "-f", "-"},
          bluegreen("other", "{routeTo: Green, blueSpec: " + kPods + ", greenSpec: " + kPods + "}"));
  demo.run({"wait", "--for=condition=Ready", "bluegreen/other", "--timeout=180s"});
  eventually("both are ready", [&] {
    return demo.of("bluegreen", "other", ".status.blue.readyReplicas") == "1" &&
           demo.of("bluegreen", "other", ".status.green.readyReplicas") == "1";
  });

  auto requests = demo.manager->requests(demo.ns());
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == 2);
  CHECK(requests.of("patch services 201") == 1);
  CHECK(requests.of("patch deployments 200") == 0);
  CHECK(requests.of("patch services 200") == 0);
  // The first status reports the rollout, the next ones the ready pods: both colors at once, or one after the other.
  CHECK(requests.of("patch bluegreens/status 200") <= 3);
  demo.manager->mark();
  throughout("no requests are sent", 2s, [&] { return demo.manager->requests(demo.ns()).all_but_watches() == 0; });
}

TEST_CASE("B10, B13: drift is corrected, and fields of other managers are retained through a switch") {
  Demo demo;
  const std::string blue = "demoblue-deployment";

  demo.run({"scale", "deployment", blue, "--replicas=3"});
  demo.run({"rollout", "restart", "deployment/" + blue});
  demo.run({"annotate", "service/demo", "deployment/" + blue, "mine=stays"});
  demo.run({"patch", "service", "demo", "-p", R"({"spec":{"type":"NodePort"}})"});
  auto node_port = demo.of("service", "demo", ".spec.ports[0].nodePort");
  demo.run({"set", "image", "deployment/" + blue, "blue=evil:1"});
  demo.run({"patch", "service", "demo", "--type=merge", "-p", R"({"spec":{"selector":{"app":"other"}}})"});
  demo.run({"delete", "deployment", "demogreen-deployment"});
  eventually("the image is corrected", [&] {
    return demo.of("deployment", blue, ".spec.template.spec.containers[0].image") == "ealen/echo-server";
  });
  eventually("Green is back", [&] { return demo.exists("deployment", "demogreen-deployment"); });
  demo.wait_until_at_rest("Blue");
  demo.manager->mark();
  demo.patch(R"({"routeTo":"Green"})");
  demo.wait_until_at_rest("Green");

  CHECK(demo.of("service", "demo", ".spec.selector.app").empty());
  CHECK(node_port.size() == 5);
  CHECK(demo.of("service", "demo", ".spec.ports[0].nodePort") == node_port);
  CHECK(demo.of("deployment", blue, ".spec.replicas") == "3");
  CHECK_FALSE(demo.of("deployment", blue, R"(.spec.template.metadata.annotations.kubectl\.kubernetes\.io/restartedAt)")
                  .empty());
  CHECK(demo.of("service", "demo", ".metadata.annotations.mine") == "stays");
  CHECK(demo.of("deployment", blue, ".metadata.annotations.mine") == "stays");
  CHECK(demo.manager->requests(demo.ns()).of("patch deployments") == 0);
}

TEST_CASE(
    "fields that are removed from a PodSpec are removed from the pods, and those of other managers are retained") {
  Demo demo;
  demo.patch(R"({"blueSpec":{"containers":[{"name":"blue","image":"app:1","env":[{"name":"A","value":"1"}]},)"
             R"({"name":"side","image":"side:1"}]}})");
  auto containers = [&] {
    return demo.of("deployment", "demoblue-deployment", ".spec.template.spec.containers[*].name");
  };
  eventually("the second container is there", [&] { return containers() == "blue side"; });
  demo.run({"set", "env", "deployment/demoblue-deployment", "-c", "blue", "B=2"});

  demo.patch(R"({"blueSpec":{"containers":[{"name":"blue","image":"app:1"}]}})");
  eventually("it is gone", [&] { return containers() == "blue"; });

  CHECK(demo.of("deployment", "demoblue-deployment", ".spec.template.spec.containers[0].env[*].name") == "B");
  demo.wait_until_at_rest("Blue");
}

TEST_CASE("B13: a PodSpec with fields that the API server defaults or rewrites is applied once") {
  Demo demo;
  kubectl({"apply", "-n", demo.ns(), "-f", "-"},
          bluegreen("rich", R"({routeTo: Blue, blueSpec: {schedulerName: "", hostNetwork: false, priority: 0,
    terminationGracePeriodSeconds: 0, securityContext: {runAsUser: 0}, tolerations: [{key: a, operator: Exists}],
    volumes: [{name: tmp, emptyDir: {sizeLimit: 1024Mi}}, {name: cm, configMap: {name: cm, optional: true}}],
    initContainers: [{name: init, image: busybox, env: [{name: EMPTY, value: ""}]}],
    containers: [{name: main, image: app:1, args: [], tty: false, terminationMessagePath: "",
      ports: [{containerPort: 80, name: http, hostPort: 0}], volumeMounts: [{name: tmp, mountPath: /tmp, subPath: ""}],
      env: [{name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}],
      resources: {limits: {cpu: 1000m, memory: 1073741824}, requests: {cpu: "0.5", memory: 1024Mi}},
      livenessProbe: {httpGet: {path: "", port: http}, periodSeconds: 0, initialDelaySeconds: 0}}]}})"));
  demo.run({"wait", "--for=condition=Ready", "bluegreen/rich", "--timeout=180s"});

  demo.run({"annotate", "bluegreen", "rich", "look=again"});
  demo.run({"annotate", "deployment", "richblue-deployment", "look=again"});
  throughout("nothing is written", 2s,
             [&] { return demo.manager->requests(demo.ns()).of("patch deployments 200") == 0; });
}

TEST_CASE("WhenReady: traffic waits for the rollout, and a condition and a single Event report it") {
  Demo demo("WhenReady");

  // No node matches, so the pods stay pending.
  demo.patch(R"({"routeTo":"Green","greenSpec":{"nodeSelector":{"no":"such"}}})");
  eventually("it waits", [&] { return demo.condition("TrafficSwitched") == "False WaitingForRollout"; });
  throughout("traffic stays", 3s, [&] { return demo.served() == "Blue"; });
  CHECK(demo.condition("Available") == "True PodsReady");
  CHECK(demo.of("bluegreen", "demo", ".status.routeTo") == "Blue");
  auto rejected = try_kubectl(
      {"patch", "bluegreen", "demo", "-n", demo.ns(), "--type=merge", "-p", R"({"spec":{"blueSpec":null}})"});
  CHECK(rejected.text.find("cannot be removed while traffic goes to Blue") != std::string::npos);
  demo.patch(R"({"greenSpec":{"nodeSelector":null}})");
  demo.wait_until_at_rest("Green");

  CHECK(demo.condition("TrafficSwitched") == "True Switched");
  eventually("the Events are there", [&] {
    return demo.run({"get", "events", "--field-selector=reason=TrafficSwitched", "-o", "name"}).size() > 1;
  });
  auto waits =
      demo.run({"get", "events", "--field-selector=reason=WaitingForRollout", "-o", "jsonpath={.items[*].message}"});
  CHECK(waits == "Traffic stays with Blue until the rollout of Green is complete and its pods are available.");
}

TEST_CASE("B12: the Deployment of a removed color is deleted, and the color that receives traffic cannot be removed") {
  Demo demo;

  demo.patch(R"({"greenSpec":null})");
  eventually("Green is gone", [&] { return !demo.exists("deployment", "demogreen-deployment"); });
  eventually("its pods go too", [&] {
    return demo.run({"get", "pods", "-l", "app.kubernetes.io/phase=Green", "-o", "name"}).empty();
  });
  auto rejected = try_kubectl(
      {"patch", "bluegreen", "demo", "-n", demo.ns(), "--type=merge", "-p", R"({"spec":{"blueSpec":null}})"});

  CHECK(rejected.exit_code != 0);
  CHECK(rejected.text.find("blueSpec is required while routeTo is Blue") != std::string::npos);
  demo.wait_until_at_rest("Blue");
  CHECK(demo.of("bluegreen", "demo", ".status.green").empty());
}

TEST_CASE("B1, B11, B14: a BlueGreen that can never work is rejected with a clear message") {
  Demo demo;
  struct Row {
    std::string yaml, message;
  };
  const auto pods = "blueSpec: " + kPods + ", greenSpec: " + kPods;
  const std::vector<Row> table{
      {bluegreen("bad", "{routeTo: Purple, " + pods + "}"), "supported values: \"Blue\", \"Green\""},
      {bluegreen("bad", "{routeTo: \"\", " + pods + "}"), "supported values: \"Blue\", \"Green\""},
      {bluegreen("bad", "{" + pods + "}"), "spec.routeTo: Required value"},
      {bluegreen("bad", "{routeTo: Green, blueSpec: " + kPods + "}"), "greenSpec is required while routeTo is Green"},
      {bluegreen("bad", "{routeTo: Blue, switchPolicy: Later, " + pods + "}"), "spec.switchPolicy: Unsupported value"},
      {bluegreen("bad", "{routeTo: Blue, blueSpec: {containers: [{image: x}]}}"), "spec.blueSpec.containers[0].name"},
      {bluegreen("bad", "{routeTo: Blue, blueSpec: {}}"), "spec.blueSpec.containers: Required value"},
      {bluegreen("bad", "{routeTo: Blue, blueSpec: {bogus: 1, containers: [{name: x}]}}"), "blueSpec.bogus"},
      {bluegreen("1bad", "{routeTo: Blue, " + pods + "}"), "must name a Service"},
      {bluegreen("b.ad", "{routeTo: Blue, " + pods + "}"), "must name a Service"},
      {bluegreen(std::string(64, 'a'), "{routeTo: Blue, " + pods + "}"), "must name a Service"},
  };

  for (const auto& row : table) {
    auto rejected = try_kubectl({"apply", "-n", demo.ns(), "-f", "-"}, row.yaml);

    INFO(row.yaml << rejected.text);
    CHECK(rejected.exit_code != 0);
    CHECK(rejected.text.find(row.message) != std::string::npos);
  }
}

TEST_CASE("B14: a Service and a Deployment that are not owned are left alone, and the status reports it") {
  Demo demo;
  kubectl({"create", "service", "clusterip", "taken", "--tcp=80:80", "-n", demo.ns()});
  kubectl({"create", "deployment", "busyblue-deployment", "--image=nginx:1", "--replicas=0", "-n", demo.ns()});
  for (const auto* name : {"taken", "busy"}) {
    kubectl({"apply", "-n", demo.ns(), "-f", "-"}, bluegreen(name, "{routeTo: Blue, blueSpec: " + kPods + "}"));
    kubectl({"wait", "--for=condition=Stalled", std::string("bluegreen/") + name, "-n", demo.ns(), "--timeout=180s"});
  }
  auto versions = [&] {
    return demo.of("service", "taken", ".metadata.resourceVersion") + " " +
           demo.of("deployment", "busyblue-deployment", ".spec");
  };
  auto before = versions();

  demo.manager->mark();
  throughout("they are left alone", 2s, [&] { return versions() == before; });
  CHECK(demo.manager->requests(demo.ns()).of("patch services") == 0);
  demo.run({"delete", "service/taken", "deployment/busyblue-deployment"});

  for (const auto* name : {"taken", "busy"}) {
    kubectl({"wait", "--for=condition=Ready", std::string("bluegreen/") + name, "-n", demo.ns(), "--timeout=180s"});
  }
}

TEST_CASE("B8, B15: kubectl explains the PodSpecs, and the CRD can be applied again with client-side apply") {
  install_crds();
  auto crd = std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases/app.demo.kakao.com_bluegreens.yaml";

  // The first apply adds kubectl's annotation, because install_crds() used server-side apply.
  kubectl({"apply", "-f", crd});
  auto again = kubectl({"apply", "-f", crd});

  CHECK(again.find("unchanged") != std::string::npos);
  eventually("kubectl explains", [] {
    auto explained = try_kubectl({"explain", "bluegreen.spec.blueSpec.containers"});
    return explained.text.find("imagePullPolicy") != std::string::npos;
  });
}

TEST_CASE("a deleted BlueGreen's children are deleted with it") {
  Demo demo;

  demo.run({"delete", "bluegreen", "demo"});

  eventually("nothing is left", [&] {
    return demo.run({"get", "deployments,services,pods", "-o", "name"}).find("demo") == std::string::npos;
  });
  CHECK(demo.manager->errors(demo.ns()) == std::vector<std::string>());
}

}  // namespace
}  // namespace keelson::testing
