// `manager doctor` after the manager has stopped: each finding about leases, webhooks, arguments, pods and objects, in
// the situation that it describes.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/schema/time.hpp"
#include "test/cluster/harness/doctor.hpp"
#include "test/cluster/harness/installation.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kSystem = Deployment::kNamespace;
const std::string kManagerDeployment = "deployment/keelson-controller-manager";
const std::string kMutating = "mutatingwebhookconfiguration/keelson-mutating-webhook-configuration";
const std::string kLeaseName = "keelson-manager";

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

// A Secret and a CA bundle with this certificate.
void write_certificate(const std::string& name, std::chrono::hours from, std::chrono::hours until) {
  const auto today = kube::parse_time(now_plus(0s));
  REQUIRE(today);
  const auto made = tls::make_serving_certificate(
      {.authority_name = "test", .names = {name}, .from = *today + from, .until = *today + until});
  REQUIRE(made);
  patch_in_system("secret/keelson-webhook-server-cert",
                  R"({"data":{"tls.crt":")" + base::base64_encode(made->certificate_pem) + R"(","tls.key":")" +
                      base::base64_encode(made->key_pem) + R"(","ca.crt":")" +
                      base::base64_encode(made->authority_pem) + "\"}}",
                  "merge");
  patch_in_system(kMutating, R"([{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":")" +
                                 base::base64_encode(made->authority_pem) + "\"}]");
}

void causes_of_leases() {
  expect_finding("lease-released", [] {});
  expect_finding("lease-expired", [] { write_lease(kSystem, "keelson-controller-manager-gone_x", -60s); });
  expect_finding("lease-holder-elsewhere", [] { write_lease(kSystem, "laptop_x", 0s); });
  expect_finding("manager-clock-skew", [] { write_lease(kSystem, "laptop_x", 3600s); });
  expect_finding(
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
  expect_finding("lease-contended", [] {});
  writer.signal(SIGKILL);
  (void)writer.wait();
  expect_finding("lease-missing", [] { kubectl({"delete", "lease", kLeaseName, "-n", kSystem}); });
}

void causes_of_webhooks(const Deployment& deployment) {
  expect_finding("webhook-call-failed", [] {});
  CHECK(doctor().output.find("no process listens at the port to which the Service leads") != std::string::npos);
  const std::string config = R"([{"op":")";
  expect_finding("webhook-rules-differ", [] {
    patch_in_system(kMutating, R"([{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}])");
  });
  expect_finding("webhook-ca-missing",
                 [] { patch_in_system(kMutating, R"([{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}])"); });
  const std::string name = "keelson-webhook-service." + kSystem + ".svc";
  expect_finding("webhook-certificate-expired", [&] { write_certificate(name, -48h, -24h); });
  expect_finding("webhook-certificate-expires", [&] { write_certificate(name, -48h, 24h); });
  expect_finding("webhook-certificate-name", [] { write_certificate("elsewhere.svc", -48h, 24h * 30); });
  expect_finding("webhook-ca-mismatch", [&] {
    const auto bundle = value_of("mutatingwebhookconfiguration", "keelson-mutating-webhook-configuration", "",
                                 ".webhooks[0].clientConfig.caBundle");
    write_certificate(name, -48h, 24h * 30);
    patch_in_system(kMutating,
                    R"([{"op":"replace","path":"/webhooks/0/clientConfig/caBundle","value":")" + bundle + "\"}]");
  });
  expect_finding("webhook-certificate-invalid",
                 [] { patch_in_system("secret/keelson-webhook-server-cert", R"({"data":{"tls.key":""}})", "merge"); });
  expect_finding("webhook-secret-missing", [] {
    kubectl({"delete", "secret", "keelson-webhook-server-cert", "-n", kSystem});
  });
  expect_finding("webhook-no-endpoints", [] {
    patch_in_system("service/keelson-webhook-service",
                    R"({"spec":{"type":"ClusterIP","externalName":null,"selector":{"app":"none"}}})", "merge");
  });
  expect_finding("webhook-service-missing", [] {
    kubectl({"delete", "service", "keelson-webhook-service", "-n", kSystem});
  });
  expect_finding("webhook-configuration-missing", [] { kubectl({"delete", kMutating}); });
  (void)deployment.apply();
}

// Replaces an argument of the manager; the pods stay as they are while the rollout is paused.
void causes_of_arguments(const Deployment& deployment) {
  kubectl({"rollout", "pause", kManagerDeployment, "-n", kSystem});
  const auto arguments = [](const std::string& list) {
    patch_in_system(kManagerDeployment,
                    R"([{"op":"replace","path":"/spec/template/spec/containers/0/args","value":[)" + list + "]}]");
  };
  const auto expect_with = [&](const std::string& id, const std::string& list) {
    expect_finding(id, [&] { arguments(list); });
  };
  expect_with("flag-unknown", R"("--leader-elekt")");
  expect_with("flags-in-file", R"("--config=/config.yaml")");
  expect_with("flag-without-effect", R"("--enable-http2")");
  expect_with("manager-dry-run", R"("--dry-run")");
  expect_with("watch-namespace-missing", R"("--watch-namespaces=defualt")");
  expect_with("metrics-off", R"("--metrics-bind-address=0")");
  expect_with("metrics-unprotected", R"("--metrics-bind-address=:8080")");
  expect_with("webhooks-off", R"("--leader-elect")");
  CHECK(seen().contains("rollout-in-progress"));
  expect_finding("metrics-proxy-missing", [&] {
    arguments(R"("--metrics-bind-address=127.0.0.1:8080")");
    patch_in_system(kManagerDeployment, R"([{"op":"remove","path":"/spec/template/spec/containers/1"}])");
  });
  expect_finding("image-other-version", [] {
    kubectl({"set", "image", kManagerDeployment, "-n", kSystem, "manager=controller:v9.9.9"});
  });
  CHECK(seen().contains("pod-image-differs"));
  expect_finding("replicas-without-lease", [] {
    kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=2"});
  });
  kubectl({"rollout", "resume", kManagerDeployment, "-n", kSystem});
  (void)deployment.apply();
  kubectl({"rollout", "status", kManagerDeployment, "-n", kSystem, "--timeout=180s"});
}

// The fake node does not report these states.
void causes_of_pods() {
  const auto pod =
      "pod/" + values_of("pods", kSystem, ".metadata.name", {.labels = "control-plane=controller-manager"}).front();
  const auto container = [&](const std::string& state) {
    patch_in_system(
        pod,
        R"({"status":{"containerStatuses":[{"name":"manager","image":"controller:latest","imageID":"","ready":false,)" +
            state + "}]}}",
        "merge", "status");
  };
  expect_finding("pod-crashing",
                 [&] { container(R"("restartCount":9,"state":{"waiting":{"reason":"CrashLoopBackOff"}})"); });
  expect_finding("pod-image-unavailable",
                 [&] { container(R"("restartCount":0,"state":{"waiting":{"reason":"ImagePullBackOff"}})"); });
  expect_finding("pod-oom-killed", [&] {
    container(R"("restartCount":1,"lastState":{"terminated":{"reason":"OOMKilled","exitCode":137}})");
  });
  expect_finding("pod-restarts", [&] { container(R"("restartCount":5,"lastState":{"terminated":{"exitCode":1}})"); });
  expect_finding(
      "manager-pods-not-ready",
      [&] {
        kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=2"});
        kubectl({"rollout", "status", kManagerDeployment, "-n", kSystem, "--timeout=180s"});
        for (const auto& name :
             values_of("pods", kSystem, ".metadata.name", {.labels = "control-plane=controller-manager"})) {
          if ("pod/" + name == pod) continue;
          patch_in_system("pod/" + name, R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})", "merge",
                          "status");
        }
      },
      [&] {
        kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=1"});
        eventually("one pod is left", [&] {
          return values_of("pods", kSystem, ".metadata.name", {.labels = "control-plane=controller-manager"}).size() ==
                 1;
        });
      });
  expect_finding("manager-not-ready", [&] {
    patch_in_system(pod, R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})", "merge", "status");
  });
}

void causes_of_objects(const std::string& ns) {
  const auto condition = [&](const std::string& type, const std::string& status = "True",
                             const std::string& since = "2026-01-01T00:00:00Z") {
    kubectl({"patch", "memcached", "web", "-n", ns, "--subresource=status", "--type=merge", "-p",
             R"({"status":{"conditions":[{"type":")" + type + R"(","status":")" + status +
                 R"(","reason":"Test","message":"m","lastTransitionTime":")" + since + R"("}]}})"});
  };
  expect_finding("object-conflict", [&] { condition("Conflict"); });
  expect_finding("object-stalled", [&] { condition("Stalled"); });
  expect_finding("object-degraded", [&] { condition("Degraded"); });
  expect_finding("object-not-ready", [&] { condition("Ready", "False"); });
  expect_finding("object-not-ready-yet", [&] { condition("Ready", "False", now_plus(-60s)); });
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
  expect_finding(
      "metrics-service-missing",
      [] {
        kubectl({"delete", "service", "keelson-controller-manager-metrics-service", "-n", kSystem});
      },
      [&] { (void)deployment.apply(); });
  expect_finding("manager-scaled-down", [] {
    kubectl({"scale", kManagerDeployment, "-n", kSystem, "--replicas=0"});
    eventually("the Service has no endpoints", [] {
      return values_of("endpointslices", kSystem, ".endpoints[0].addresses",
                       {.labels = "kubernetes.io/service-name=keelson-controller-manager-metrics-service"})
          .empty();
    });
  });
  CHECK(seen().contains("metrics-no-endpoints"));
  expect_finding(
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
  expect_finding("manager-not-deployed", [] { kubectl({"delete", kManagerDeployment, "-n", kSystem}); });
  kubectl({"patch", "memcached", "web", "-n", ns, "--subresource=status", "--type=merge", "-p",
           R"({"status":{"observedGeneration":-1}})"});
  eventually(
      "the objects of the beginning are old", [] { return doctor().ids.contains("object-deletion-stuck"); }, 180s);
  CHECK(seen().contains("object-not-reconciled"));
  kubectl({"patch", "memcached", "held", "-n", ns, "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"});
  // Later tests of doctor expect no findings about objects.
  kubectl({"delete", "memcached", "--all", "-n", ns});
}

}  // namespace
}  // namespace keelson::testing
