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
  kubectl({"apply", "-k", kConfig + "crd"});
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
  eventually("a run was replaced", [&] { return manager.requests(ns).of("delete jobs 200") > 0; });
  kubectl({"wait", "--for=condition=Ready", "memcached/web", "-n", ns, "--timeout=60s"});
  eventually("an Event was written", [&] { return manager.requests(ns).of("create events 201") > 0; });

  auto requests = manager.requests();

  INFO(requests.text());
  CHECK(manager.log().find("forbidden") == std::string::npos);
  for (const auto& right : granted()) {
    INFO(right);
    CHECK((requests.of(right + " ") > 0 || kUnusedForAReason.contains(right)));
  }
  manager.stop();
  std::filesystem::remove(kubeconfig);
}

}  // namespace
}  // namespace keelson::test
