// `manager doctor` against an API server: no finding for config/default as deployed, and each finding about kinds,
// permissions and children in the situation that it describes.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/doctor.hpp"
#include "test/cluster/harness/installation.hpp"
#include "test/cluster/harness/scraper.hpp"

namespace keelson::testing {
namespace {

const std::string kSystem = Deployment::kNamespace;
const std::string kGuestbooks = "crd/guestbooks.webapp.my.domain";

void write_crd(const std::string& verb) {
  kubectl({verb, "-f", std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases/webapp.my.domain_guestbooks.yaml"});
  wait_for_crds();
  // kubectl stores which versions a server has. Later tests would request one that no longer exists.
  eventually("kubectl knows the versions of the definition", [] {
    const auto known = try_kubectl({"api-resources", "--api-group=webapp.my.domain", "--no-headers"}).text;
    return known.find("webapp.my.domain/v1 ") != std::string::npos && known.find("/v9 ") == std::string::npos &&
           try_kubectl({"get", "guestbooks", "-n", "default"}).exit_code == 0;
  });
}

void apply_crd() { write_crd("replace"); }
void create_crd() { write_crd("create"); }

void causes_of_kinds() {
  const std::string version = R"([{"op":"replace","path":"/spec/versions/0/)";
  expect_finding("crd-schema-differs", [&] {
    patch_in_system(kGuestbooks,
                    version + R"(schema/openAPIV3Schema/properties/spec/properties/alias/enum","value":["Phone"]}])");
  });
  apply_crd();
  expect_finding("crd-status-missing", [] {
    patch_in_system(kGuestbooks, R"([{"op":"remove","path":"/spec/versions/0/subresources/status"}])");
  });
  apply_crd();
  expect_finding("crd-version-not-served",
                 [&] { patch_in_system(kGuestbooks, version + R"(served","value":false}])"); });
  apply_crd();
  const std::string other =
      R"({"name":"v9","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}})";
  expect_finding("crd-other-storage-version", [&] {
    patch_in_system(kGuestbooks, R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                                 R"({"op":"add","path":"/spec/versions/-","value":)" +
                                     other + "}]");
  });
  CHECK(seen().contains("crd-stored-versions"));
  expect_finding("crd-conversion-webhook", [] {
    patch_in_system(kGuestbooks,
                    R"([{"op":"replace","path":"/spec/conversion","value":{"strategy":"Webhook","webhook":)"
                    R"({"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://localhost:1/convert"}}}}])");
  });
  // An object of the other version cannot be converted.
  kubectl({"create", "--validate=false", "-f", "-"},
          "apiVersion: webapp.my.domain/v9\nkind: Guestbook\nmetadata: {name: old, namespace: default}\n");
  expect_finding("check-failed", [] {});
  kubectl({"delete", kGuestbooks, "--wait=false"});
  eventually("the definition is gone", [] {
    (void)try_kubectl({"patch", "guestbooks.v9.webapp.my.domain", "old", "-n", "default", "--type=merge", "-p",
                       R"({"metadata":{"finalizers":null}})"});
    return try_kubectl({"get", kGuestbooks}).exit_code != 0;
  });
  expect_finding("crd-missing", [] {});
  create_crd();
}

void causes_of_permissions(const Deployment& deployment) {
  const std::string role = "clusterrole/keelson-manager-role";
  expect_finding(
      "permission-missing", [&] { patch_in_system(role, R"([{"op":"remove","path":"/rules/0"}])"); },
      [&] { (void)deployment.apply(); });
  expect_finding(
      "permission-unused",
      [&] {
        patch_in_system(role, R"([{"op":"add","path":"/rules/-","value":{"apiGroups":[""],"resources":["pods"],)"
                              R"("verbs":["delete"]}}])");
      },
      [&] { (void)deployment.apply(); });
  const Scraper user;
  CredentialFolder folder;
  expect_finding(
      "check-forbidden", [] {}, {},
      {"--namespace=" + kSystem, "--kubeconfig=" + folder.kubeconfig(R"({"token":")" + user.token() + "\"}")});
  // The role that the command prints is enough for the manager's own account.
  const auto as_manager = [&] {
    const auto token = kubectl({"create", "token", "keelson-controller-manager", "-n", kSystem});
    return doctor({"--kubeconfig=" + folder.kubeconfig(R"({"token":")" + token.substr(0, token.find('\n')) + "\"}")});
  };
  const auto before = as_manager();
  INFO(before.output);
  CHECK(before.problems == std::set<std::string>{"check-forbidden"});
  CHECK(before.output.find(R"("count":1,"cause":"the user that runs)") != std::string::npos);
  const auto printed = run({KEELSON_MANAGER, "doctor", "--role"}).text;
  kubectl({"apply", "-f", "-"}, printed);
  eventually("the manager's account has the permissions", [&] { return !as_manager().found("check-forbidden"); });
  CHECK(as_manager().problems.empty());
  kubectl({"delete", "-f", "-"}, printed);
  expect_finding("credentials-rejected", [] {}, {}, {"--kubeconfig=" + folder.kubeconfig(R"({"token":"invalid"})")});
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
  kubectl({"wait", "--for=condition=Ready", "memcached/web", "-n", ns, "--timeout=180s"});
  expect_finding("object-paused", [&] {
    kubectl({"annotate", "memcached", "web", "-n", ns, "keelson.dev/paused=true"});
  });
  kubectl({"apply", "--server-side", "--field-manager=other", "-n", ns, "-f", "-"},
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n");
  kubectl({"annotate", "deployment", "web", "-n", ns, "a=b", "--field-manager=keelson"});
  const auto writers = doctor();
  INFO(writers.output);
  CHECK(writers.found("fields-of-two-managers"));
  CHECK(writers.found("field-manager-twice"));
  CHECK(writers.exit_code == 1);
  kubectl({"create", "deployment", "taken", "-n", ns, "--image=other"});
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: taken}\nspec: {size: 1}\n");
  kubectl({"wait", "--for=condition=Stalled", "memcached/taken", "-n", ns, "--timeout=180s"});
  const auto taken = doctor();
  INFO(taken.output);
  CHECK(taken.found("object-child-not-owned"));
  CHECK(taken.output.find("It has no controller, and its fields are of kubectl-create") != std::string::npos);
  CHECK(installation.manager.terminate() == 0);
}

TEST_CASE("doctor: names of a kind that another definition has are found") {
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
  expect_finding("crd-names-not-accepted", [] {});
  kubectl({"delete", "crd/books.webapp.my.domain", kGuestbooks});
  create_crd();
}

TEST_CASE("doctor: a definition that waits for the finalizers of its objects is found") {
  install_crds();
  expect_finding(
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
            std::chrono::seconds(180));
        create_crd();
      });
}

TEST_CASE("doctor: a namespace that is being deleted is found") {
  install_crds();
  (void)try_kubectl({"create", "namespace", kSystem});
  expect_finding(
      "namespace-terminating",
      [] {
        kubectl({"create", "-n", kSystem, "-f", "-"},
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [test.example.com/held]}\n");
        kubectl({"delete", "namespace", kSystem, "--wait=false"});
      },
      [] { patch_in_system("configmap/held", R"({"metadata":{"finalizers":null}})", "merge"); },
      {"--namespace=" + kSystem});
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
