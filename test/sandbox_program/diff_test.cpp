// `keelson-sandbox diff-against`: another keelson-sandbox is the cluster.
#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/identity.hpp"
#include "test/sandbox_program/connected.hpp"
#include "test/sandbox_program/started.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

constexpr const char* kConfigMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: c}\n";

constexpr const char* kDefinition = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
  "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,"schema":
  {"openAPIV3Schema":{"type":"object","properties":{"size":{"type":"integer","default":3,"maximum":5}}}}}]}})";

TEST_CASE("equal answers print nothing, also about kinds that only the cluster defines") {
  Started cluster({"--no-controllers"});
  const auto kubeconfig = cluster.kubeconfig();
  Connected connected(kubeconfig);
  REQUIRE(connected.ask(kube::create(*connected.client, kube::custom_resource_definitions(), "", kDefinition)));
  TemporaryFolder folder;
  folder.write("objects.yaml", std::string(kConfigMap) +
                                   "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n"
                                   "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: b}\nsize: 9\n");

  Started diff({"diff-against", kubeconfig, "-f", folder.file("objects.yaml")});

  CHECK(diff.wait() == 0);
  CHECK(diff.output().empty());
  CHECK(diff.errors().empty());
}

TEST_CASE("answers that differ are printed with the file and the name of the object, and exit with 1") {
  Started cluster({"--no-controllers"});
  const auto kubeconfig = cluster.kubeconfig();
  Connected connected(kubeconfig);
  // A webhook of the cluster is not copied.
  REQUIRE(connected.ask(kube::create(
      *connected.client,
      kube::Resource("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration",
                     "validatingwebhookconfigurations", false),
      "",
      R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"w"},
          "webhooks":[{"name":"w.example.com","admissionReviewVersions":["v1"],"sideEffects":"None","timeoutSeconds":1,
          "clientConfig":{"url":"https://127.0.0.1:1/"},"rules":[{"apiGroups":[""],"apiVersions":["v1"],
          "operations":["CREATE"],"resources":["configmaps"]}]}]})")));
  TemporaryFolder folder;
  folder.write("a.yaml", kConfigMap);

  Started diff({"diff-against", kubeconfig, "-f", folder.file("a.yaml")});

  CHECK(diff.wait() == 1);
  const auto output = diff.output();
  CHECK(output.find("a.yaml: configmaps default/a\n  there: 500 ") != std::string::npos);
  CHECK(output.ends_with("  here:  201\n"));
}

TEST_CASE("an object that cannot be compared is an error that names it, and exits with 2") {
  Started cluster({"--no-controllers"});
  const auto kubeconfig = cluster.kubeconfig();
  TemporaryFolder folder;
  folder.write("a.yaml", "apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n");
  folder.write("b.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
  const std::string a = folder.file("a.yaml");
  const std::string b = folder.file("b.yaml");

  Started diff({"diff-against", kubeconfig, "-f", a, "-f", b});

  CHECK(diff.wait() == 2);
  CHECK(diff.errors() == "keelson-sandbox: " + a + ": discover v1 Nothing: no kind Nothing in v1\nkeelson-sandbox: " +
                             b + ": namespaces default exists in the cluster; rename it to compare\n");
}

}  // namespace
}  // namespace keelson::testing
