// The permissions of config/default on a real API server: sufficient for its containers, and no others.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "src/kinds/built_in.hpp"
#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"
#include "test/cluster/harness/scraper.hpp"
#include "test/support/json_texts.hpp"
#include "test/support/sample_object.hpp"

namespace keelson::testing {
namespace {

// "patch memcached.cache.example.com memcacheds/status", "list core pods"
using Right = std::string;

// Permissions that a run like this one does not use, each with its reason.
const std::map<Right, std::string> kUnusedForAReason{
    {"get batch jobs", "asked for when a slot's name is taken, or when the cache lacks a Job that the status names"},
    {"list zundokokiyoshi.kaitoy.github.com kiyoshis", "sent when the name of a Kiyoshi is taken"},
    {"patch core events", "on servers without events.k8s.io a second equal Event becomes a series"},
    {"patch events.k8s.io events", "a second equal Event becomes a series"},
};

Right right(const std::string& verb, const std::string& group, const std::string& resource) {
  return verb + " " + (group.empty() ? "core" : group) + " " + resource;
}

json::Document list(const std::string& kinds) {
  auto document = json::Document::parse(kubectl({"get", kinds, "--all-namespaces", "-o", "json"}));
  REQUIRE(document.has_value());
  return std::move(*document);
}

bool is_about(json::View binding, const Pod& pod) {
  auto subjects = binding.find("subjects").items();
  return std::ranges::any_of(subjects, [&pod](json::View subject) {
    return subject.find("kind").string() == "ServiceAccount" &&
           "system:serviceaccount:" + string_or_empty(subject.find("namespace")) + ":" +
                   string_or_empty(subject.find("name")) ==
               pod.user();
  });
}

void add_rules(json::View rules, std::set<Right>& rights) {
  for (auto rule : rules.items()) {
    for (auto verb : rule.find("verbs").items()) {
      for (auto group : rule.find("apiGroups").items()) {
        for (auto resource : rule.find("resources").items()) {
          rights.insert(right(string_or_empty(verb), string_or_empty(group), string_or_empty(resource)));
        }
      }
    }
  }
}

// The permissions that are bound to the service account of the pod.
std::set<Right> granted(const Pod& pod) {
  std::set<Right> rights;
  auto bindings = list("clusterrolebindings,rolebindings");
  for (auto binding : bindings.root().find("items").items()) {
    if (!is_about(binding, pod)) continue;
    auto role = get(string_or_empty(binding.at({"roleRef", "kind"})), string_or_empty(binding.at({"roleRef", "name"})),
                    pod.ns());
    add_rules(role.root().find("rules"), rights);
  }
  return rights;
}

// The requests of a pod's account since the construction.
class RequestsOfAccount {
 public:
  explicit RequestsOfAccount(const Pod& pod) : user_(pod.user()), from_(audit_end()) {}

  [[nodiscard]] std::vector<AuditedRequest> all() const { return audited_of(user_, from_); }
  // "patch jobs 201"
  [[nodiscard]] bool contain(const std::string& what) const {
    auto requests = all();
    return std::ranges::any_of(requests, [&](const auto& request) {
      return request.verb + " " + request.resource + " " + std::to_string(request.code) == what;
    });
  }
  [[nodiscard]] std::set<Right> used_rights() const {
    std::set<Right> rights;
    for (const auto& request : all()) {
      if (request.code >= 400 && request.code != 404) continue;
      auto use = [&](const std::string& verb) { rights.insert(right(verb, request.group, request.resource)); };
      use(request.verb);
      // An apply that creates an object needs both, and the audit log calls it a patch.
      if (request.verb == "patch" && request.code == 201) use("create");
      // Servers before 1.32 do not stream lists.
      if (request.verb == "watch") use("list");
    }
    return rights;
  }

 private:
  std::string user_;
  std::size_t from_;
};

bool is_wanted_by_others(const Right& given) {
  // OwnerReferencesPermissionEnforcement requires it for blockOwnerDeletion, for each of our kinds, because it may own
  // objects.
  return given.starts_with("update ") && given.ends_with("/finalizers");
}

// The sample of every kind. A kind whose sample does not need all of its permissions has more work below.
void work_of_samples(const RequestsOfAccount& requests, const std::string& ns) {
  for (const auto& definition : kinds::built_in()) {
    const auto& resource = definition.resource();
    eventually("the webhooks answer", [&] {
      return try_kubectl({"apply", "-n", ns, "-f", "-"}, sample_yaml(definition)).exit_code == 0;
    });
    eventually("the sample of " + resource.kind + " is observed",
               [&] { return requests.contain("patch " + resource.plural + "/status 200"); });
  }
}

// The name of one child is taken, which is recorded as an Event.
void work_of_memcached(const std::string& ns) {
  kubectl({"create", "deployment", "taken", "--image=nginx:1", "-n", ns});
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: taken}\nspec: {size: 1}\n");
  kubectl({"wait", "--for=condition=Ready", "memcached/memcached-sample", "-n", ns, "--timeout=180s"});
}

void work_of_cronjob(const RequestsOfAccount& requests, const std::string& ns) {
  auto often =
      "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: often}\n"
      "spec:\n  schedule: \"@every 1s\"\n  concurrencyPolicy: Replace\n  jobTemplate: {spec: {suspend: true, template: "
      "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n";
  kubectl({"apply", "-n", ns, "-f", "-"}, often);
  eventually("a run was replaced", [&] { return requests.contain("delete jobs 200"); });
}

void work_of_hikawa(const RequestsOfAccount& requests, const std::string& ns) {
  for (const auto* spec : {"intervalMillis: 100", "intervalMillis: 100, sayKiyoshi: true"}) {
    kubectl({"create", "-n", ns, "-f", "-"},
            std::string("apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1\nkind: Hikawa\n") +
                "metadata: {generateName: h-}\nspec: {" + spec + "}\n");
  }
  eventually("a Kiyoshi exists",
             [&] { return requests.contain("patch kiyoshis 201") && requests.contain("patch zundokos 201"); });
}

// A switch, and the removal of the color that received the traffic before.
void work_of_bluegreen(const RequestsOfAccount& requests, const std::string& ns) {
  auto patch = [&ns](const std::string& spec) {
    kubectl({"patch", "bluegreen", "shop", "-n", ns, "--type=merge", "-p", R"({"spec":)" + spec + "}"});
  };
  const std::string pods = "{containers: [{name: main, image: busybox}]}";
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: app.demo.kakao.com/v1\nkind: BlueGreen\nmetadata: {name: shop}\n"
          "spec: {routeTo: Blue, switchPolicy: WhenReady, blueSpec: " +
              pods + ", greenSpec: " + pods + "}\n");
  kubectl({"wait", "--for=condition=Ready", "bluegreen/shop", "-n", ns, "--timeout=180s"});
  patch(R"({"routeTo":"Green"})");
  kubectl({"wait", "--for=jsonpath={.status.routeTo}=Green", "bluegreen/shop", "-n", ns, "--timeout=180s"});
  patch(R"({"blueSpec":null})");
  eventually("Blue is gone", [&] { return requests.contain("delete deployments 200"); });
}

// A second replica, which only stands by.
void work_of_a_standby(const RequestsOfAccount& requests, const Pod& pod) {
  CredentialFolder folder;
  auto files = pod.files("manager");
  auto token = std::ranges::find_if(files, [](const auto& file) { return file.first.ends_with("/token"); });
  REQUIRE(token != files.end());
  Manager standby({"--kubeconfig=" + folder.kubeconfig(R"({"token":")" + token->second + "\"}"), "--leader-elect",
                   "--leader-election-namespace=" + pod.ns()});
  eventually("the standby watches the lease", [&] { return requests.contain("watch leases 200"); });
}

TEST_CASE("M25, B7, H9: the generated roles are sufficient for the deployed manager, and each of their rules is used",
          "[deployed]") {
  Deployment deployment;
  deployment.lead_webhooks_here();
  auto pod = deployment.pod();
  RequestsOfAccount requests(pod);
  Container manager(pod, "manager", manager_image());
  Container proxy(pod, "kube-rbac-proxy", kube_rbac_proxy_image());
  manager.wait_until_ready();
  Namespace space;
  work_of_samples(requests, space.name());
  work_of_memcached(space.name());
  work_of_cronjob(requests, space.name());
  work_of_hikawa(requests, space.name());
  work_of_bluegreen(requests, space.name());
  work_of_a_standby(requests, pod);
  Scraper scraper;
  const auto metrics = "https://127.0.0.1:" + std::to_string(pod.port("kube-rbac-proxy", "https")) + "/metrics";
  eventually("the proxy has sent its reviews", [&] { return ask(metrics, scraper.token()).code == 403; });
  eventually("Events were written", [&] { return requests.contain("create events 201"); });

  // Not the words for a namespace of an earlier test that is being deleted.
  CHECK(manager.log().find("forbidden: User") == std::string::npos);
  auto used = requests.used_rights();
  const auto rights = granted(pod);
  for (const auto& given : rights) {
    INFO(given);
    CHECK((used.contains(given) || is_wanted_by_others(given) || kUnusedForAReason.contains(given)));
  }
  for (const auto& [exempt, reason] : kUnusedForAReason) {
    INFO(exempt << " is not granted, and needs no reason");
    CHECK(rights.contains(exempt));
  }
  CHECK(manager.terminate() == 0);
}

}  // namespace
}  // namespace keelson::testing
