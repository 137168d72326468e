// `manager doctor` against an API server: no finding for config/default as deployed, and each finding in the situation
// that it describes.
#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <set>

#include "keelson/base/base64.hpp"
#include "keelson/doctor/findings.hpp"
#include "keelson/schema/time.hpp"
#include "keelson/tls/certificate_authority.hpp"
#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/client.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"
#include "test/cluster/harness/doctor.hpp"
#include "test/cluster/harness/scraper.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

const std::string kSystem = Deployment::kNamespace;
const std::string kManagerDeployment = "deployment/keelson-controller-manager";
const std::string kGuestbooks = "crd/guestbooks.webapp.my.domain";
const std::string kMutating = "mutatingwebhookconfiguration/keelson-mutating-webhook-configuration";
const std::string kLeaseName = "keelson-manager";

// Causes a situation, expects its finding and at least its exit code, and ends the situation.
void expect(const std::string& id, const std::function<void()>& cause, const std::function<void()>& end = {},
            const Words& arguments = {}) {
  INFO(id);
  cause();
  const auto result = doctor(arguments);
  INFO(result.output);
  CHECK(result.found(id));
  CHECK(result.exit_code >= exit_code_of(id));
  if (end) end();
}

void patch(const std::string& object, const std::string& body, const std::string& type = "json",
           const std::string& subresource = "") {
  Words command{"patch", object, "-n", kSystem, "--type=" + type, "-p", body};
  if (!subresource.empty()) command.push_back("--subresource=" + subresource);
  kubectl(command);
}

void apply_crd() {
  kubectl({"replace", "-f", std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases/webapp.my.domain_guestbooks.yaml"});
  wait_for_crds();
}

void create_crd() {
  kubectl({"create", "-f", std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases/webapp.my.domain_guestbooks.yaml"});
  wait_for_crds();
}

std::string now_plus(std::chrono::seconds offset) {
  const auto second = run({"date", "+%s"}).text;
  return kube::format_micro_time(kube::Time(std::chrono::seconds(std::stoll(second)) + offset));
}

void write_lease(const std::string& ns, const std::string& holder, std::chrono::seconds renewed) {
  kubectl({"apply", "--server-side", "--force-conflicts", "--field-manager=test", "-n", ns, "-f", "-"},
          "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: " + kLeaseName +
              "}\nspec: {holderIdentity: \"" + holder + "\", leaseDurationSeconds: 15, renewTime: \"" +
              now_plus(renewed) + "\"}\n");
}

// The Deployment with its manager, leading and serving its webhooks on this machine.
struct Installation {
  Installation() {
    deployment.lead_webhooks_here();
    manager.wait_until_ready();
    eventually("the manager leads and has published its CA", [] {
      return !value_of("lease", kLeaseName, kSystem, ".spec.holderIdentity").empty() &&
             !value_of("mutatingwebhookconfiguration", "keelson-mutating-webhook-configuration", "",
                       ".webhooks[0].clientConfig.caBundle")
                  .empty();
    });
  }
  Deployment deployment;
  Pod pod = deployment.pod();
  Container manager{pod, "manager", manager_image()};
};

void causes_of_kinds() {
  const std::string version = R"([{"op":"replace","path":"/spec/versions/0/)";
  expect("crd-schema-differs", [&] {
    patch(kGuestbooks,
          version + R"(schema/openAPIV3Schema/properties/spec/properties/alias/enum","value":["Phone"]}])");
  });
  apply_crd();
  expect("crd-status-missing",
         [] { patch(kGuestbooks, R"([{"op":"remove","path":"/spec/versions/0/subresources/status"}])"); });
  apply_crd();
  expect("crd-version-not-served", [&] { patch(kGuestbooks, version + R"(served","value":false}])"); });
  apply_crd();
  const std::string other =
      R"({"name":"v9","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}})";
  expect("crd-other-storage-version", [&] {
    patch(kGuestbooks, R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                       R"({"op":"add","path":"/spec/versions/-","value":)" +
                           other + "}]");
  });
  CHECK(seen().contains("crd-stored-versions"));
  expect("crd-conversion-webhook", [] {
    patch(kGuestbooks,
          R"([{"op":"replace","path":"/spec/conversion","value":{"strategy":"Webhook","webhook":)"
          R"({"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://localhost:1/convert"}}}}])");
  });
  // An object of the other version cannot be converted.
  kubectl({"create", "--validate=false", "-f", "-"},
          "apiVersion: webapp.my.domain/v9\nkind: Guestbook\nmetadata: {name: old, namespace: default}\n");
  expect("check-failed", [] {});
  kubectl({"delete", kGuestbooks, "--wait=false"});
  eventually("the definition is gone", [] {
    (void)try_kubectl({"patch", "guestbooks.v9.webapp.my.domain", "old", "-n", "default", "--type=merge", "-p",
                       R"({"metadata":{"finalizers":null}})"});
    return try_kubectl({"get", kGuestbooks}).exit_code != 0;
  });
  expect("crd-missing", [] {});
  create_crd();
}

void causes_of_permissions(const Deployment& deployment) {
  const std::string role = "clusterrole/keelson-manager-role";
  expect(
      "permission-missing", [&] { patch(role, R"([{"op":"remove","path":"/rules/0"}])"); },
      [&] { (void)deployment.apply(); });
  expect(
      "permission-unused",
      [&] {
        patch(role, R"([{"op":"add","path":"/rules/-","value":{"apiGroups":[""],"resources":["pods"],)"
                    R"("verbs":["delete"]}}])");
      },
      [&] { (void)deployment.apply(); });
  const Scraper user;
  CredentialFolder folder;
  expect("check-forbidden", [] {}, {},
         {"--namespace=" + kSystem, "--kubeconfig=" + folder.kubeconfig(R"({"token":")" + user.token() + "\"}")});
  expect("credentials-rejected", [] {}, {}, {"--kubeconfig=" + folder.kubeconfig(R"({"token":"invalid"})")});
}

TEST_CASE("doctor: the deployed manager has no finding, and problems of kinds, permissions and children are found",
          "[deployed]") {
  Installation installation;
  const auto healthy = doctor();
  INFO(healthy.output);
  CHECK(healthy.problems.empty());
  CHECK(healthy.exit_code == 0);

  causes_of_kinds();
  causes_of_permissions(installation.deployment);

  Namespace space;
  const auto& ns = space.name();
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n");
  kubectl({"wait", "--for=condition=Ready", "memcached/web", "-n", ns, "--timeout=60s"});
  expect("object-paused", [&] { kubectl({"annotate", "memcached", "web", "-n", ns, "keelson.dev/paused=true"}); });
  kubectl({"apply", "--server-side", "--field-manager=other", "-n", ns, "-f", "-"},
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n");
  kubectl({"annotate", "deployment", "web", "-n", ns, "a=b", "--field-manager=keelson"});
  const auto writers = doctor();
  INFO(writers.output);
  CHECK(writers.found("fields-of-two-managers"));
  CHECK(writers.found("field-manager-twice"));
  CHECK(writers.exit_code == 1);
  CHECK(installation.manager.terminate() == 0);
}

// A Secret and a CA bundle with this certificate.
void write_certificate(const std::string& name, std::chrono::hours from, std::chrono::hours until) {
  const auto today = kube::parse_time(now_plus(0s));
  REQUIRE(today);
  const auto made = tls::make_serving_certificate(
      {.authority_name = "test", .names = {name}, .from = *today + from, .until = *today + until});
  REQUIRE(made);
  patch("secret/keelson-webhook-server-cert",
        R"({"data":{"tls.crt":")" + base::base64_encode(made->certificate_pem) + R"(","tls.key":")" +
            base::base64_encode(made->key_pem) + R"(","ca.crt":")" + base::base64_encode(made->authority_pem) + "\"}}",
        "merge");
  patch(kMutating, R"([{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":")" +
                       base::base64_encode(made->authority_pem) + "\"}]");
}

void causes_of_leases() {
  expect("lease-released", [] {});
  expect("lease-expired", [] { write_lease(kSystem, "keelson-controller-manager-gone_x", -60s); });
  expect("lease-holder-elsewhere", [] { write_lease(kSystem, "laptop_x", 0s); });
  expect("manager-clock-skew", [] { write_lease(kSystem, "laptop_x", 3600s); });
  expect(
      "lease-in-two-namespaces", [] { write_lease("default", "laptop_x", 0s); },
      [] {
        kubectl({"delete", "lease", kLeaseName, "-n", "default"});
      });
  Process writer({"sh", "-c",
                  "i=0; while :; do i=$((i+1)); kubectl patch lease " + kLeaseName + " -n " + kSystem +
                      " --type=merge -p '{\"spec\":{\"holderIdentity\":\"holder-'$i'\"}}'; sleep 0.3; done"},
                 "/dev/null");
  eventually("another holder writes the lease",
             [] { return value_of("lease", kLeaseName, kSystem, ".spec.holderIdentity").starts_with("holder-"); });
  expect("lease-contended", [] {});
  writer.signal(SIGKILL);
  (void)writer.wait();
  expect("lease-missing", [] { kubectl({"delete", "lease", kLeaseName, "-n", kSystem}); });
}

void causes_of_webhooks(const Deployment& deployment) {
  expect("webhook-call-failed", [] {});
  const std::string config = R"([{"op":")";
  expect("webhook-rules-differ",
         [] { patch(kMutating, R"([{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}])"); });
  expect("webhook-ca-missing",
         [] { patch(kMutating, R"([{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}])"); });
  const std::string name = "keelson-webhook-service." + kSystem + ".svc";
  expect("webhook-certificate-expired", [&] { write_certificate(name, -48h, -24h); });
  expect("webhook-certificate-expires", [&] { write_certificate(name, -48h, 24h); });
  expect("webhook-certificate-name", [] { write_certificate("elsewhere.svc", -48h, 24h * 30); });
  expect("webhook-ca-mismatch", [&] {
    const auto bundle = value_of("mutatingwebhookconfiguration", "keelson-mutating-webhook-configuration", "",
                                 ".webhooks[0].clientConfig.caBundle");
    write_certificate(name, -48h, 24h * 30);
    patch(kMutating, R"([{"op":"replace","path":"/webhooks/0/clientConfig/caBundle","value":")" + bundle + "\"}]");
  });
  expect("webhook-certificate-invalid",
         [] { patch("secret/keelson-webhook-server-cert", R"({"data":{"tls.key":""}})", "merge"); });
  expect("webhook-secret-missing", [] { kubectl({"delete", "secret", "keelson-webhook-server-cert", "-n", kSystem}); });
  expect("webhook-no-endpoints", [] {
    patch("service/keelson-webhook-service",
          R"({"spec":{"type":"ClusterIP","externalName":null,"selector":{"app":"none"}}})", "merge");
  });
  expect("webhook-service-missing", [] { kubectl({"delete", "service", "keelson-webhook-service", "-n", kSystem}); });
  expect("webhook-configuration-missing", [] { kubectl({"delete", kMutating}); });
  (void)deployment.apply();
}

// Replaces an argument of the manager; the pods stay as they are while the rollout is paused.
void causes_of_arguments(const Deployment& deployment) {
  kubectl({"rollout", "pause", kManagerDeployment, "-n", kSystem});
  const auto arguments = [](const std::string& list) {
    patch(kManagerDeployment,
          R"([{"op":"replace","path":"/spec/template/spec/containers/0/args","value":[)" + list + "]}]");
  };
  const auto expect_with = [&](const std::string& id, const std::string& list) {
    expect(id, [&] { arguments(list); });
  };
  expect_with("flag-unknown", R"("--leader-elekt")");
  expect_with("flags-in-file", R"("--config=/config.yaml")");
  expect_with("flag-without-effect", R"("--enable-http2")");
  expect_with("manager-dry-run", R"("--dry-run")");
  expect_with("metrics-off", R"("--metrics-bind-address=0")");
  expect_with("metrics-unprotected", R"("--metrics-bind-address=:8080")");
  expect_with("webhooks-off", R"("--leader-elect")");
  CHECK(seen().contains("rollout-in-progress"));
  expect("metrics-proxy-missing", [&] {
    arguments(R"("--metrics-bind-address=127.0.0.1:8080")");
    patch(kManagerDeployment, R"([{"op":"remove","path":"/spec/template/spec/containers/1"}])");
  });
  expect("image-other-version", [] {
    kubectl({"set", "image", kManagerDeployment, "-n", kSystem, "manager=controller:v9.9.9"});
  });
  CHECK(seen().contains("pod-image-differs"));
  expect("replicas-without-lease", [] { kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=2"}); });
  kubectl({"rollout", "resume", kManagerDeployment, "-n", kSystem});
  (void)deployment.apply();
  kubectl({"rollout", "status", kManagerDeployment, "-n", kSystem, "--timeout=60s"});
}

// The fake node does not report these states.
void causes_of_pods() {
  const auto pod =
      "pod/" + values_of("pods", kSystem, ".metadata.name", {.labels = "control-plane=controller-manager"}).front();
  const auto container = [&](const std::string& state) {
    patch(
        pod,
        R"({"status":{"containerStatuses":[{"name":"manager","image":"controller:latest","imageID":"","ready":false,)" +
            state + "}]}}",
        "merge", "status");
  };
  expect("pod-crashing", [&] { container(R"("restartCount":9,"state":{"waiting":{"reason":"CrashLoopBackOff"}})"); });
  expect("pod-image-unavailable",
         [&] { container(R"("restartCount":0,"state":{"waiting":{"reason":"ImagePullBackOff"}})"); });
  expect("pod-oom-killed",
         [&] { container(R"("restartCount":1,"lastState":{"terminated":{"reason":"OOMKilled","exitCode":137}})"); });
  expect("pod-restarts", [&] { container(R"("restartCount":5,"lastState":{"terminated":{"exitCode":1}})"); });
  expect("manager-not-ready",
         [&] { patch(pod, R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})", "merge", "status"); });
}

void causes_of_objects(const std::string& ns) {
  const auto condition = [&](const std::string& type) {
    kubectl({"patch", "memcached", "web", "-n", ns, "--subresource=status", "--type=merge", "-p",
             R"({"status":{"conditions":[{"type":")" + type +
                 R"(","status":"True","reason":"Test","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})"});
  };
  expect("object-conflict", [&] { condition("Conflict"); });
  expect("object-stalled", [&] { condition("Stalled"); });
}

TEST_CASE("doctor: problems of a manager that has stopped are found", "[deployed][slow]") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  // Old enough at the end.
  kubectl({"create", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n---\n"
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: held, finalizers: "
          "[test.example.com/held]}\nspec: {size: 1}\n");
  kubectl({"delete", "memcached", "held", "-n", ns, "--wait=false"});
  Installation installation;
  CHECK(installation.manager.terminate() == 0);
  const auto& deployment = installation.deployment;

  causes_of_leases();
  causes_of_webhooks(deployment);
  causes_of_arguments(deployment);
  causes_of_pods();
  causes_of_objects(ns);
  expect(
      "metrics-service-missing",
      [] {
        kubectl({"delete", "service", "keelson-controller-manager-metrics-service", "-n", kSystem});
      },
      [&] { (void)deployment.apply(); });
  expect("manager-scaled-down", [] {
    kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=0"});
    eventually("the Service has no endpoints", [] {
      return values_of("endpointslices", kSystem, ".endpoints[0].addresses",
                       {.labels = "kubernetes.io/service-name=keelson-controller-manager-metrics-service"})
          .empty();
    });
  });
  CHECK(seen().contains("metrics-no-endpoints"));
  expect(
      "several-deployments",
      [] {
        kubectl({"create", "-n", "default", "-f", "-"},
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: keelson-second, labels: {control-plane: "
                "controller-manager}}\nspec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: "
                "{labels: {a: b}}, spec: {containers: [{name: manager, image: controller}]}}}\n");
      },
      [] {
        kubectl({"delete", "deployment", "keelson-second", "-n", "default"});
      });
  expect("manager-not-deployed", [] { kubectl({"delete", kManagerDeployment, "-n", kSystem}); });
  kubectl({"patch", "memcached", "web", "-n", ns, "--subresource=status", "--type=merge", "-p",
           R"({"status":{"observedGeneration":-1}})"});
  eventually(
      "the objects of the beginning are old", [] { return doctor().ids.contains("object-deletion-stuck"); }, 90s);
  CHECK(seen().contains("object-not-reconciled"));
  kubectl({"patch", "memcached", "held", "-n", ns, "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"});
}

TEST_CASE("doctor: names of a kind that another definition has are found", "[names]") {
  install_crds();
  kubectl({"delete", kGuestbooks});
  // Another kind of the group has the names.
  kubectl({"create", "-f", "-"},
          "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
          "metadata: {name: books.webapp.my.domain}\nspec: {group: webapp.my.domain, scope: Namespaced, names: "
          "{kind: Guestbook, listKind: GuestbookList, plural: books, singular: book}, versions: [{name: v1, served: "
          "true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n");
  wait_for_crds();
  kubectl({"create", "-f", std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases/webapp.my.domain_guestbooks.yaml"});
  eventually("the names are not accepted", [] {
    return value_of("crd", "guestbooks.webapp.my.domain", "",
                    R"(.status.conditions[?(@.type=="NamesAccepted")].status)") == "False";
  });
  expect("crd-names-not-accepted", [] {});
  kubectl({"delete", "crd/books.webapp.my.domain", kGuestbooks});
  create_crd();
}

TEST_CASE("doctor: a definition that waits for the finalizers of its objects is found", "[deletion]") {
  install_crds();
  expect(
      "crd-terminating",
      [] {
        kubectl({"create", "-f", "-"},
                "apiVersion: webapp.my.domain/v1\nkind: Guestbook\nmetadata: {name: held, namespace: default, "
                "finalizers: [test.example.com/held]}\nspec: {size: 1, configMapName: c}\n");
        kubectl({"delete", kGuestbooks, "--wait=false"});
      },
      [] {
        // A patch may fail while the API server stops serving the kind.
        eventually(
            "the definition is gone",
            [] {
              static_cast<void>(try_kubectl({"patch", "guestbooks.v1.webapp.my.domain", "held", "-n", "default",
                                             "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"}));
              return try_kubectl({"get", kGuestbooks}).exit_code != 0;
            },
            180s);
        create_crd();
      });
}

TEST_CASE("doctor: a namespace that is being deleted is found", "[deletion]") {
  install_crds();
  (void)try_kubectl({"create", "namespace", kSystem});
  expect(
      "namespace-terminating",
      [] {
        kubectl({"create", "-n", kSystem, "-f", "-"},
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [test.example.com/held]}\n");
        kubectl({"delete", "namespace", kSystem, "--wait=false"});
      },
      [] { patch("configmap/held", R"({"metadata":{"finalizers":null}})", "merge"); }, {"--namespace=" + kSystem});
  eventually("the namespace is gone", [] { return try_kubectl({"get", "namespace", kSystem}).exit_code != 0; });
}

TEST_CASE("doctor: an API server that does not answer is found within seconds") {
  CredentialFolder folder;
  const auto file =
      folder.write("closed", R"({"current-context":"c","clusters":[{"name":"c","cluster":{"server":)"
                             R"("https://127.0.0.1:1"}}],"contexts":[{"name":"c","context":{"cluster":"c",)"
                             R"("user":"u"}}],"users":[{"name":"u","user":{}}]})");

  const auto result = doctor({"--kubeconfig=" + file});

  INFO(result.output);
  CHECK(result.ids == std::set<std::string>{"api-server-unreachable"});
  CHECK(result.exit_code == 2);
}

}  // namespace
}  // namespace keelson::testing
