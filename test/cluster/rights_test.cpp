// The generated role on a real API server: enough for all that the manager does, and nothing beside it.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::test {
namespace {

const std::string kConfig = std::string(KEELSON_SOURCE_DIR) + "/config/";

// What is granted although a run like this one never uses it.
const std::map<std::string, std::string> kUnusedForAReason{
    {"update memcacheds/finalizers", "OwnerReferencesPermissionEnforcement wants it for blockOwnerDeletion"},
    {"list deployments", "servers before 1.32 do not stream lists"},
    {"list services", "servers before 1.32 do not stream lists"},
    {"list pods", "servers before 1.32 do not stream lists"},
    {"list replicasets", "servers before 1.32 do not stream lists"},
    {"list memcacheds", "servers before 1.32 do not stream lists"},
    // An apply to a name that is free asks for both, and the audit log calls it a patch.
    {"create deployments", "an apply that creates needs it; the audit log calls it a patch"},
    {"create services", "an apply that creates needs it; the audit log calls it a patch"},
    {"update cronjobs/finalizers", "OwnerReferencesPermissionEnforcement wants it for blockOwnerDeletion"},
    {"list cronjobs", "servers before 1.32 do not stream lists"},
    {"list jobs", "servers before 1.32 do not stream lists"},
    {"create jobs", "an apply that creates needs it; the audit log calls it a patch"},
    {"get jobs", "asked for when a slot's name is taken, or when the cache lacks a Job that the status names"},
    {"update bluegreens/finalizers", "OwnerReferencesPermissionEnforcement wants it for blockOwnerDeletion"},
    {"list bluegreens", "servers before 1.32 do not stream lists"},
    {"update hikawas/finalizers", "OwnerReferencesPermissionEnforcement wants it for blockOwnerDeletion"},
    {"update guestbooks/finalizers", "granted for each kind of ours, which may come to own something"},
    {"list hikawas", "servers before 1.32 do not stream lists"},
    {"list zundokos", "servers before 1.32 do not stream lists"},
    {"list guestbooks", "servers before 1.32 do not stream lists"},
    {"create zundokos", "an apply that creates needs it; the audit log calls it a patch"},
    {"create kiyoshis", "an apply that creates needs it; the audit log calls it a patch"},
    {"get zundokos", "asked for when a word's name is taken"},
    {"get kiyoshis", "asked for when a word's name is taken"},
    {"patch events", "a second equal Event becomes a series"},
};

// The service account's own kubeconfig, with the server and CA of the admin's.
std::string kubeconfig_with_token(const std::string& token) {
  auto text = kubectl({"config", "view", "--raw", "--minify", "-o", "json"});
  auto document = json::Document::parse(text);
  REQUIRE(document.has_value());
  auto cluster = document->root().find("clusters").item(0).find("cluster").text();
  auto path = std::filesystem::temp_directory_path() / ("keelson-rights-" + std::to_string(free_port()));
  std::ofstream(path)
      << R"({"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":)" << cluster
      << R"(}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],)"
      << R"("users":[{"name":"u","user":{"token":")" << token << "\"}}]}";
  return path.string();
}

std::string install_role() {
  (void)try_kubectl({"create", "namespace", "system"});
  install_crds();
  kubectl({"apply", "-k", kConfig + "rbac"});
  auto token = kubectl({"create", "token", "controller-manager", "-n", "system"});
  return token.substr(0, token.find('\n'));
}

// "patch memcacheds/status" for each verb and resource of the role.
std::vector<std::string> granted() {
  auto document = json::Document::parse(kubectl({"get", "clusterrole", "manager-role", "-o", "json"}));
  REQUIRE(document.has_value());
  std::vector<std::string> all;
  for (auto rule : document->root().find("rules").items()) {
    for (auto resource : rule.find("resources").items()) {
      for (auto verb : rule.find("verbs").items()) {
        all.push_back(std::string(*verb.string()) + " " + std::string(*resource.string()));
      }
    }
  }
  return all;
}

// A switch, and the end of the colour that traffic has left.
void release_green(const Manager& manager, const std::string& ns) {
  auto patch = [&ns](const std::string& spec) {
    kubectl({"patch", "bluegreen", "shop", "-n", ns, "--type=merge", "-p", R"({"spec":)" + spec + "}"});
  };
  const std::string pods = "{containers: [{name: main, image: busybox}]}";
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: app.demo.kakao.com/v1\nkind: BlueGreen\nmetadata: {name: shop}\n"
          "spec: {routeTo: Blue, switchPolicy: WhenReady, blueSpec: " +
              pods + ", greenSpec: " + pods + "}\n");
  kubectl({"wait", "--for=condition=Ready", "bluegreen/shop", "-n", ns, "--timeout=60s"});
  patch(R"({"routeTo":"Green"})");
  kubectl({"wait", "--for=jsonpath={.status.routeTo}=Green", "bluegreen/shop", "-n", ns, "--timeout=60s"});
  patch(R"({"blueSpec":null})");
  eventually("Blue is gone", [&] { return manager.requests(ns).of("delete deployments 200") > 0; });
}

TEST_CASE("M25: the generated role is enough, and everything in it is used") {
  auto kubeconfig = kubeconfig_with_token(install_role());
  Manager manager({"--kubeconfig=" + kubeconfig});
  manager.wait_until_ready();
  Namespace space;
  const auto& ns = space.name();
  kubectl({"create", "deployment", "taken", "--image=nginx:1", "-n", ns});
  for (const auto* name : {"web", "taken"}) {
    kubectl({"apply", "-n", ns, "-f", "-"},
            std::string("apiVersion: memcached.cache.example.com/v1\nkind: Memcached\n") +
                "metadata:\n  name: " + name + "\nspec:\n  size: 1\n");
  }
  kubectl(
      {"apply", "-n", ns, "-f", "-"},
      "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: often}\n"
      "spec:\n  schedule: \"@every 1s\"\n  concurrencyPolicy: Replace\n  jobTemplate: {spec: {suspend: true, template: "
      "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n");
  for (const auto* spec : {"intervalMillis: 100", "intervalMillis: 100, sayKiyoshi: true"}) {
    kubectl({"create", "-n", ns, "-f", "-"},
            std::string("apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1\nkind: Hikawa\n") +
                "metadata: {generateName: h-}\nspec: {" + spec + "}\n");
  }
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: webapp.my.domain/v1\nkind: Guestbook\nmetadata: {name: g}\n"
          "spec: {size: 1, configMapName: m}\n");
  eventually("a Kiyoshi was said, and a Guestbook seen", [&] {
    auto requests = manager.requests(ns);
    return requests.of("patch kiyoshis 201") > 0 && requests.of("patch zundokos 201") > 0 &&
           requests.of("patch guestbooks/status 200") > 0;
  });
  eventually("a run was replaced", [&] { return manager.requests(ns).of("delete jobs 200") > 0; });
  release_green(manager, ns);
  kubectl({"wait", "--for=condition=Ready", "memcached/web", "-n", ns, "--timeout=60s"});
  eventually("an Event was written", [&] { return manager.requests(ns).of("create events 201") > 0; });

  auto requests = manager.requests();

  INFO(requests.text());
  // Not the words for a namespace of an earlier test that is on its way out.
  CHECK(manager.log().find("forbidden: User") == std::string::npos);
  for (const auto& right : granted()) {
    INFO(right);
    CHECK((requests.of(right + " ") > 0 || kUnusedForAReason.contains(right)));
  }
  manager.stop();
  std::filesystem::remove(kubeconfig);
}

}  // namespace
}  // namespace keelson::test
