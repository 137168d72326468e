// An on-call engineer with `manager explain`: a test for each kind of answer that the built-in controllers can have.
//
// Exceptions, timeouts and terminal errors need a faulty controller: explain_operator_test.cpp has them.

#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/explained.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

// A server that accepts connections and never answers, for a webhook that holds a write.
class SilentServer {
 public:
  SilentServer() : port_(free_port()), process_({"sh", "-c", command()}, "/dev/null") {}
  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/"; }

 private:
  [[nodiscard]] std::string command() const {
    return "exec python3 -c 'import socket,time; s=socket.create_server((\"127.0.0.1\", " + std::to_string(port_) +
           ")); c=[]\nwhile True: c.append(s.accept())'";
  }
  int port_;
  Process process_;
};

// Holds the creation of Services in a namespace while it exists.
class HeldServices {
 public:
  explicit HeldServices(const std::string& ns) : name_("hold-" + ns) {
    kubectl(
        {"apply", "-f", "-"},
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: " + name_ +
            "}\nwebhooks:\n- name: hold.example.com\n  admissionReviewVersions: [v1]\n  sideEffects: None\n"
            "  timeoutSeconds: 20\n  failurePolicy: Ignore\n  clientConfig: {url: \"" +
            server_.url() + "\"}\n  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + ns +
            "}}\n  rules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [services]}]\n");
    eventually("creations are held", [&] {
      const auto tried = try_kubectl({"create", "service", "clusterip", "probe", "--tcp=80", "-n", ns,
                                      "--dry-run=server", "--request-timeout=1s"});
      return tried.exit_code != 0;
    });
  }
  HeldServices(const HeldServices&) = delete;
  HeldServices& operator=(const HeldServices&) = delete;
  ~HeldServices() { static_cast<void>(try_kubectl({"delete", "validatingwebhookconfiguration", name_})); }

 private:
  SilentServer server_;
  std::string name_;
};

// Rejects the deletion of Memcacheds in a namespace while it exists, so that they remain when their namespace ends.
class UndeletableMemcacheds {
 public:
  explicit UndeletableMemcacheds(const std::string& ns) : name_("keep-" + ns) {
    kubectl(
        {"apply", "-f", "-"},
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: " + name_ +
            "}\nspec:\n  matchConstraints:\n    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + ns +
            "}}\n    resourceRules: [{apiGroups: [memcached.cache.example.com], apiVersions: [v1], operations: "
            "[DELETE], "
            "resources: [memcacheds]}]\n  validations: [{expression: \"false\", message: kept}]\n---\n"
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: "
            "{name: " +
            name_ + "}\nspec: {policyName: " + name_ + ", validationActions: [Deny]}\n");
    eventually("deletions are rejected", [&] {
      return try_kubectl({"delete", "memcached", "web", "-n", ns, "--dry-run=server"}).exit_code != 0;
    });
  }
  UndeletableMemcacheds(const UndeletableMemcacheds&) = delete;
  UndeletableMemcacheds& operator=(const UndeletableMemcacheds&) = delete;
  ~UndeletableMemcacheds() {
    static_cast<void>(try_kubectl({"delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", name_}));
  }

 private:
  std::string name_;
};

std::string cronjob(const std::string& schedule) {
  return "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: web}\nspec:\n  schedule: \"" +
         schedule +
         "\"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "
         "busybox}]}}}}\n";
}

}  // namespace

TEST_CASE("explain: nothing to do, with the last reconciles, what they read and wrote, and why they began") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();
  eventually("the last reconcile wrote nothing or a status",
             [&] { return on.text().find("Nothing to do: the last reconcile") != std::string::npos; });

  kubectl({"annotate", "memcached", "web", "-n", on.ns, "keelson.dev/reconcile-at=now"});

  on.expect("nothing", "Nothing to do: the last reconcile wrote nothing.");
  const auto text = on.text();
  INFO(text);
  CHECK(text.find("Memcached " + on.ns + "/web, controller memcached\n") == 0);
  CHECK(text.find("observed 1") != std::string::npos);
  CHECK(text.find("Ready=True AllNodesReady") != std::string::npos);
  CHECK(text.find("because  reconcile-at changed") != std::string::npos);
  CHECK(text.find("Deployment " + on.ns + "/web updated") != std::string::npos);
  CHECK(text.find("changed  Memcached/status " + on.ns + "/web: status.") != std::string::npos);
}

TEST_CASE("explain: the last reconcile wrote a field, which is named without its value") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();

  // A Service has no pods, whose events would displace the record.
  kubectl({"patch", "service", "web", "-n", on.ns, "--type=json", "-p",
           R"([{"op":"replace","path":"/spec/ports/0/targetPort","value":9999}])"});

  eventually("the write is recorded",
             [&] { return on.text().find("changed  Service " + on.ns + "/web: spec.ports[") != std::string::npos; });
}

TEST_CASE("explain: the object does not exist") {
  Explained on;
  on.expect("missing", "Not reconciled: the manager does not observe an object of that name.");
}

TEST_CASE("explain: the object is paused, and then a child") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();

  kubectl({"annotate", "memcached", "web", "-n", on.ns, "keelson.dev/paused=true"});
  on.expect("paused", "Paused: The annotation keelson.dev/paused is true. Remove it to resume.");
  kubectl({"annotate", "memcached", "web", "-n", on.ns, "keelson.dev/paused-"});
  kubectl({"annotate", "deployment", "web", "-n", on.ns, "keelson.dev/paused=true"});
  on.expect("child-paused", "A child is paused: Deployment " + on.ns + "/web is not changed.");
}

TEST_CASE("explain: the whole controller is paused at run time, and reconciles again after the end") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();
  const auto path = on.manager->health_url() + "/debug/controllers/memcached/pause";

  const auto paused = run({"curl", "--silent", "--request", "PUT", "--data", "reason=bad rollout", path}).text;
  CHECK(paused.find("memcached: paused since ") == 0);
  on.expect("controller-paused", "by loopback: bad rollout");
  CHECK(on.manager->health("/statusz").find("Controller memcached is paused") != std::string::npos);
  kubectl({"patch", "memcached", "web", "-n", on.ns, "--type=merge", "-p", R"({"spec":{"size":2}})"});
  // There may be more keys: those of the namespace that the test before this one has deleted.
  eventually("the key is in the queue", [&] {
    const auto page = run({"curl", "--silent", on.manager->health_url() + "/debug/controllers"}).text;
    const auto begin = page.find("memcached: ");
    const auto line = begin == std::string::npos ? "" : page.substr(begin, page.find('\n', begin) - begin);
    return line.find(" ready, ") != std::string::npos && line.find("; 0 keys ready, ") == std::string::npos;
  });
  CHECK(kubectl({"get", "deployment", "web", "-n", on.ns, "-o", "jsonpath={.spec.replicas}"}) == "1");

  CHECK(run({"curl", "--silent", "--request", "DELETE", path}).text == "memcached is resumed\n");
  eventually("the change is applied", [&] {
    return kubectl({"get", "deployment", "web", "-n", on.ns, "-o", "jsonpath={.spec.replicas}"}) == "2";
  });
}

TEST_CASE("explain: the last reconcile failed, and the next one follows after the backoff") {
  Explained on;
  kubectl({"create", "deployment", "web", "--image=busybox", "-n", on.ns});

  on.apply(kMemcached);

  on.expect("failed", "The last reconcile failed: ");
  const auto text = on.text();
  INFO(text);
  CHECK(text.find("Deployment " + on.ns + "/web exists and is not controlled by this Memcached.") != std::string::npos);
  CHECK(text.find("Stalled=True NotOwned") != std::string::npos);
  CHECK(text.find(" in a row") != std::string::npos);
}

TEST_CASE("explain: a user must act") {
  Explained on({"--controllers=cronjob"});
  on.apply(cronjob("61 * * * *"));

  on.expect("stalled", "Stalled, a user or administrator must act: InvalidSchedule", "cronjob");
}

TEST_CASE("explain: a pod is not ready, and then it crashes") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();
  const auto pod = "pod/" + values_of("pods", on.ns, ".metadata.name").front();
  const auto patch_pod = [&](const std::string& status) {
    kubectl({"patch", pod, "-n", on.ns, "--subresource=status", "--type=merge", "-p", R"({"status":)" + status + "}"});
  };

  patch_pod(R"({"conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady"}]})");
  on.expect("not-ready", "Reconciled, but not ready: RollingOut: ");

  patch_pod(R"({"containerStatuses":[{"name":"memcached","image":"i","imageID":"","ready":false,"restartCount":3,)"
            R"("state":{"waiting":{"reason":"CrashLoopBackOff"}},"lastState":{"terminated":{"exitCode":139}}}]})");
  on.expect("degraded", "Degraded: CrashLoopBackOff: Pod ");
  const auto text = on.text();
  INFO(text);
  CHECK(text.find("container memcached crashes, exit code 139, 3 restarts.") != std::string::npos);
  CHECK(text.find("Ready=False CrashLoopBackOff") != std::string::npos);
}

TEST_CASE("explain: the pods of a color without traffic are not ready, and then crash") {
  Explained on({"--controllers=bluegreen"});
  on.apply(
      "apiVersion: app.demo.kakao.com/v1\nkind: BlueGreen\nmetadata: {name: web}\nspec:\n  routeTo: Blue\n"
      "  blueSpec: {containers: [{name: a, image: i}]}\n  greenSpec: {containers: [{name: a, image: i}]}\n");
  kubectl({"wait", "bluegreen", "web", "-n", on.ns, "--for=condition=Ready", "--timeout=180s"});
  kubectl({"wait", "bluegreen", "web", "-n", on.ns, "--for=condition=Progressing=False", "--timeout=180s"});
  const auto pod =
      "pod/" + values_of("pods", on.ns, ".metadata.name", {.labels = "app.kubernetes.io/phase=Green"}).front();
  const auto patch_pod = [&](const std::string& status) {
    kubectl({"patch", pod, "-n", on.ns, "--subresource=status", "--type=merge", "-p", R"({"status":)" + status + "}"});
  };

  patch_pod(R"({"conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady"}]})");
  on.expect("progressing", "Reconciled, and not complete yet: RollingOut: Blue: ", "bluegreen");

  patch_pod(R"({"containerStatuses":[{"name":"a","image":"i","imageID":"","ready":false,"restartCount":3,)"
            R"("state":{"waiting":{"reason":"CrashLoopBackOff"}},"lastState":{"terminated":{"exitCode":1}}}]})");
  on.expect("degraded", "Degraded: CrashLoopBackOff: Green: Pod ", "bluegreen");
  CHECK(value_of("bluegreen", "web", on.ns, R"(.status.conditions[?(@.type=="Ready")].status)") == "True");
}

TEST_CASE("explain: the next reconcile is at the next scheduled time, also if the last one is not recorded") {
  Explained on({"--controllers=cronjob"});
  on.apply(cronjob("0 0 1 1 *"));
  on.expect("waiting", "the last reconcile succeeded and requested the next one for then.",
            "cronjobs.batch.tutorial.kubebuilder.io");

  on.start({"--controllers=cronjob", "--reconcile-history=0"});
  on.expect("requeued", "The next reconcile begins in ", "cronjobs.batch.tutorial.kubebuilder.io");
}

TEST_CASE("explain: a child cannot be created, because the namespace is being deleted", "[namespace-policy]") {
  Explained on({"--controllers=memcached"});
  on.apply(kMemcached);
  on.wait_until_ready();
  const UndeletableMemcacheds policy(on.ns);

  kubectl({"delete", "namespace", on.ns, "--wait=false"});

  on.expect("not-retried", "It is not retried, because its namespace is being deleted.");
}

TEST_CASE("explain: the object is being deleted and another controller's finalizer remains") {
  Explained on;
  on.apply(
      "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\n"
      "metadata: {name: web, finalizers: [example.com/hold]}\nspec: {size: 1}\n");
  on.wait_until_ready();

  kubectl({"delete", "memcached", "web", "-n", on.ns, "--wait=false"});

  on.expect("deleting", "The object is being deleted, and waits until its finalizers are removed.");
  kubectl({"patch", "memcached", "web", "-n", on.ns, "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"});
}

TEST_CASE("explain: one object is in progress, and another one waits for the worker") {
  Explained on({"--max-concurrent-reconciles=1"});
  const HeldServices held(on.ns);

  on.apply(kMemcached);
  on.expect("in-progress", "In progress: a worker has been reconciling it for ");
  on.apply("apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: other}\nspec: {size: 1}\n");
  on.expect("queued", "all workers are busy with other objects.", "memcached", "other");
}

TEST_CASE("explain: two writers change one field", "[slow]") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();

  for (int change = 0; change < 12 && on.text().find("Conflict=True") == std::string::npos; ++change) {
    static_cast<void>(try_kubectl({"scale", "deployment/web", "--replicas=4", "-n", on.ns}));
    pause(200ms);
  }

  on.expect("conflict", "Two writers change one field: Deployment " + on.ns + "/web: spec.replicas is changed by");
}

TEST_CASE("explain: a dry run") {
  Explained on({"--dry-run"});
  on.apply(kMemcached);
  on.expect("dry-run", "Nothing is stored, because the manager runs with --dry-run; its log has the differences.");
}

TEST_CASE("explain: the controller is disabled") {
  Explained on({"--controllers=cronjob,bluegreen"});
  const auto answer = on.ask("memcached", "web");

  CHECK(answer.exit_code == 0);
  CHECK(answer.text.find("is disabled by --controllers, or unknown. This manager reconciles "
                         "cronjobs.batch.tutorial.kubebuilder.io") != std::string::npos);
}

TEST_CASE("explain: the history is off, or was used for other objects") {
  Explained on({"--reconcile-history=0"});
  on.apply(kMemcached);
  on.wait_until_ready();
  on.expect("history-off", "--reconcile-history is 0.");

  on.start({"--reconcile-history=1", "--controllers=memcached"});
  on.apply("apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: other}\nspec: {size: 1}\n");
  kubectl({"wait", "memcached", "other", "-n", on.ns, "--for=condition=Ready", "--timeout=180s"});
  on.expect("unrecorded", "No reconcile is recorded");
}

TEST_CASE("explain: a watch is forbidden") {
  install_crds();
  Namespace space;
  // A service account without permissions.
  kubectl({"create", "serviceaccount", "unbound", "-n", space.name()});
  TemporaryFolder folder;
  const auto kubeconfig = folder.write("kubeconfig", kubectl({"config", "view", "--raw", "--minify"}));
  const auto user = kubectl({"config", "view", "--minify", "-o", "jsonpath={.users[0].name}"});
  kubectl({"--kubeconfig=" + kubeconfig, "config", "set", "users." + user + ".act-as",
           "system:serviceaccount:" + space.name() + ":unbound"});
  Manager manager({"--kubeconfig=" + kubeconfig});

  std::string text;
  eventually("the answer names the watch", [&] {
    text = explain_with({"memcached", space.name() + "/web", "--address", manager.health_address()}).text;
    return text.find("is forbidden") != std::string::npos;
  });
  CHECK(text.find("Not reconciled: a watch that the controller needs has not listed its objects yet: ") !=
        std::string::npos);
}

TEST_CASE("explain: a watch fails after its list, because its version is no longer served") {
  Explained on;
  on.apply(kMemcached);
  on.wait_until_ready();
  const auto patch_crd = [](const std::string& patch) {
    kubectl({"patch", "crd", "memcacheds.memcached.cache.example.com", "--type=json", "-p", patch});
  };

  patch_crd(R"([{"op":"copy","from":"/spec/versions/0","path":"/spec/versions/1"},)"
            R"({"op":"replace","path":"/spec/versions/1/name","value":"v2"},)"
            R"({"op":"replace","path":"/spec/versions/1/storage","value":false},)"
            R"({"op":"replace","path":"/spec/versions/0/served","value":false}])");
  // It ends all watches.
  cluster("restart-apiserver");

  on.expect("stale", "Changes are not observed, because a watch fails: memcacheds.memcached.cache.example.com for ");
  on.expect("stale", "By the cache of that time: Not reconciled: ", "memcached", "other");
  patch_crd(R"([{"op":"replace","path":"/spec/versions/0/served","value":true},)"
            R"({"op":"remove","path":"/spec/versions/1"}])");
  eventually("the cache is current", [&] { return on.text().find("Changes are not observed") == std::string::npos; });
}

TEST_CASE("explain: a standby") {
  install_crds();
  Namespace space;
  const std::vector<std::string> arguments = {"--leader-elect", "--leader-election-namespace=" + space.name()};
  Manager leader(arguments);
  eventually("it leads",
             [&] { return leader.metrics().find(R"(master_status{name="keelson-manager"} 1)") != std::string::npos; });
  Manager standby(arguments);
  standby.wait_until_ready();

  const auto answer = explain_with({"memcached", space.name() + "/web", "--address", standby.health_address()});

  CHECK(answer.text.find("Not reconciled by this replica: another replica is the leader.") != std::string::npos);
}

TEST_CASE("explain: no manager, a port without a manager, and a mistyped kind") {
  Namespace space;
  const auto none = explain_with({"memcached", "default/web", "--namespace", space.name()});
  CHECK(none.exit_code == 1);
  CHECK(none.text.find("Not reconciled: no pod of the manager is running in the namespace " + space.name() + ".") == 0);

  const auto refused =
      explain_with({"memcached", "default/web", "--address", "127.0.0.1:" + std::to_string(free_port())});
  CHECK(refused.exit_code == 1);
  CHECK(refused.text.find("connection refused") != std::string::npos);

  const auto mistyped = explain_with({"memcachd", "default/web"});
  CHECK(mistyped.exit_code == 2);
  CHECK(mistyped.text.find("did you mean memcached?") != std::string::npos);
}

}  // namespace keelson::testing
