#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::rbac_options;
using fixtures::RoleTalk;

constexpr const char* kConfigMaps = "/api/v1/namespaces/default/configmaps";

TEST_CASE("a user without permissions gets 403 with the API server's message") {
  RoleTalk talk;

  struct Row {
    const char* method;
    const char* target;
    const char* message;
  };
  const Row rows[] = {
      {"GET", "/api/v1/namespaces/default/pods",
       R"(pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "default")"},
      {"GET", "/api/v1/pods?watch=true",
       R"(pods is forbidden: User "ann" cannot watch resource "pods" in API group "" at the cluster scope)"},
      {"GET", "/apis/apps/v1/namespaces/default/deployments/web/scale",
       R"(deployments.apps "web" is forbidden: User "ann" cannot get resource "deployments/scale" in API group "apps" )"
       R"(in the namespace "default")"},
      {"GET", "/api/v1/namespaces/kube-system",
       R"(namespaces "kube-system" is forbidden: User "ann" cannot get resource "namespaces" in API group "" in the )"
       R"(namespace "kube-system")"},
      {"DELETE", "/api/v1/namespaces/default/pods",
       R"(pods is forbidden: User "ann" cannot deletecollection resource "pods" in API group "" in the namespace )"
       R"("default")"},
      {"GET", "/apis/nowhere.dev/v1/things",
       R"(things.nowhere.dev is forbidden: User "ann" cannot list resource "things" in API group "nowhere.dev" at the )"
       R"(cluster scope)"},
      {"GET", "/metrics", R"(forbidden: User "ann" cannot get path "/metrics")"},
      {"POST", "/version", R"(forbidden: User "ann" cannot post path "/version")"},
      {"GET", "/<x>", R"(forbidden: User "ann" cannot get path "/&lt;x&gt;")"},
  };
  for (const auto& row : rows) {
    INFO(row.method << " " << row.target);
    auto reply = talk.as("ann", row.method, row.target);
    CHECK(reply.status == 403);
    CHECK(message_of(reply) == row.message);
  }
}

TEST_CASE("paths for all users and for the public are allowed") {
  RoleTalk talk;

  CHECK(talk.as("ann", "GET", "/apis").status == 200);
  CHECK(talk.as("ann", "GET", "/apis/apps/v1").status == 200);
  CHECK(talk.as("ann", "GET", "/openapi/v3").status == 200);
  CHECK(talk.as("system:anonymous", "GET", "/apis").status == 403);
  CHECK(talk.as("system:anonymous", "GET", "/version").status == 200);
  CHECK(talk.as(kAdministrator, "GET", "/api/v1/pods").status == 200);
}

TEST_CASE("a RoleBinding allows the rules of its role only in its namespace") {
  RoleTalk talk;
  talk.bind("RoleBinding", "default", "r", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":[""],"resources":["pods","pods/log"],"verbs":["get","list"]}])");

  CHECK(talk.as("ann", "GET", "/api/v1/namespaces/default/pods").status == 200);
  CHECK(talk.as("ann", "GET", "/api/v1/namespaces/kube-system/pods").status == 403);
  CHECK(talk.as("ann", "GET", "/api/v1/pods").status == 403);
  CHECK(talk.as("ann", "GET", "/api/v1/namespaces/default/pods/x/status").status == 403);
  CHECK(talk.as("bob", "GET", "/api/v1/namespaces/default/pods").status == 403);
}

TEST_CASE("rules match verbs, groups, subresources, objects and paths") {
  RoleTalk talk;
  talk.bind("ClusterRoleBinding", "", "r", R"({"kind":"Group","name":"system:authenticated"})",
            R"([{"apiGroups":["*"],"resources":["*/scale"],"verbs":["get"]},)"
            R"({"apiGroups":[""],"resources":["configmaps"],"resourceNames":["one"],"verbs":["*"]},)"
            R"({"nonResourceURLs":["/logs/*"],"verbs":["get"]}])");

  auto may = [&talk](const char* verb, const char* resource, const char* name = "", const char* subresource = "") {
    return talk.can("ann", verb, "apps", resource, name, subresource) ||
           talk.can("ann", verb, "", resource, name, subresource);
  };
  CHECK(may("get", "deployments", "web", "scale"));
  CHECK_FALSE(may("update", "deployments", "web", "scale"));
  CHECK_FALSE(may("get", "deployments", "web"));
  CHECK(may("get", "configmaps", "one"));
  CHECK_FALSE(may("get", "configmaps", "two"));
  CHECK_FALSE(may("create", "configmaps"));
  CHECK_FALSE(may("list", "configmaps"));
  CHECK(may("deletecollection", "configmaps", "one"));
  CHECK(talk.as("ann", "GET", "/logs/x").status == 404);
  CHECK(talk.as("ann", "GET", "/logs").status == 403);
  CHECK(talk.as("ann", "GET", std::string(kConfigMaps) + "?fieldSelector=metadata.name%3Done").status == 200);
  CHECK(talk.as("ann", "GET", std::string(kConfigMaps) + "?fieldSelector=metadata.name%3Dtwo").status == 403);
  // The first of several selectors counts, here and for what is listed.
  CHECK(talk.as("ann", "GET", std::string(kConfigMaps) + "?fieldSelector=&fieldSelector=metadata.name%3Done").status ==
        403);
  CHECK(talk.as("ann", "DELETE", kConfigMaps).status == 403);
}

TEST_CASE("a ServiceAccount is bound by its name, its namespace by default, and its groups") {
  RoleTalk talk;
  const char* rules = R"([{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}])";
  talk.bind("RoleBinding", "default", "local", R"({"kind":"ServiceAccount","name":"worker"})", rules);
  talk.bind("RoleBinding", "kube-public", "group", R"({"kind":"Group","name":"system:serviceaccounts:default"})",
            rules);

  const std::string worker = "system:serviceaccount:default:worker";
  CHECK(talk.as(worker, "GET", "/api/v1/namespaces/default/pods").status == 200);
  CHECK(talk.as(worker, "GET", "/api/v1/namespaces/kube-public/pods").status == 200);
  CHECK(talk.as("system:serviceaccount:kube-system:worker", "GET", "/api/v1/namespaces/default/pods").status == 403);
  CHECK(talk.ask(kube::list(talk.server.client(worker), kube::pods(), {.ns = "default"})));
  CHECK_FALSE(talk.ask(kube::list(talk.server.client(worker), kube::pods(), {})));
}

TEST_CASE("a missing role is reported, and changes of roles apply immediately") {
  RoleTalk talk;
  talk.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
              R"({"metadata":{"name":"b"},"subjects":[{"kind":"User","name":"ann"}],)"
              R"("roleRef":{"kind":"Role","name":"x","apiGroup":"rbac.authorization.k8s.io"}})");
  CHECK(message_of(talk.as("ann", "GET", kConfigMaps))
            .ends_with(R"(in the namespace "default": RBAC: role.rbac.authorization.k8s.io "x" not found)"));

  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  talk.create(roles, R"({"metadata":{"name":"x"},"rules":[{"apiGroups":[""],"resources":["*"],"verbs":["list"]}]})");
  CHECK(talk.as("ann", "GET", kConfigMaps).status == 200);
  CHECK(talk.as(kAdministrator, "PATCH", roles + "/x", R"({"rules":[]})",
                {{"Content-Type", "application/merge-patch+json"}})
            .status == 200);
  CHECK(talk.as("ann", "GET", kConfigMaps).status == 403);
  CHECK(talk.as(kAdministrator, "PATCH", roles + "/x",
                R"({"rules":[{"apiGroups":["*"],"resources":["configmaps"],"verbs":["list"]}]})",
                {{"Content-Type", "application/merge-patch+json"}})
            .status == 200);
  CHECK(talk.as("ann", "GET", kConfigMaps).status == 200);
  CHECK(talk.as(kAdministrator, "DELETE", roles.substr(0, roles.size() - 5) + "rolebindings/b").status == 200);
  CHECK(talk.as("ann", "GET", kConfigMaps).status == 403);
}

TEST_CASE("roles are aggregated: view into edit, edit into admin, and labeled roles into them") {
  RoleTalk talk;
  for (const char* role : {"view", "edit", "admin"}) {
    talk.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
                R"({"metadata":{"name":")" + std::string(role) + R"("},"subjects":[{"kind":"User","name":"by-)" + role +
                    R"("}],"roleRef":{"kind":"ClusterRole","name":")" + role + "\"}}");
  }
  CHECK(talk.as("by-view", "GET", kConfigMaps).status == 200);
  CHECK(talk.as("by-view", "POST", kConfigMaps, R"({"metadata":{"name":"a"}})").status == 403);
  CHECK(talk.as("by-edit", "POST", kConfigMaps, R"({"metadata":{"name":"a"}})").status == 201);
  CHECK(talk.as("by-edit", "GET", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles").status == 403);
  CHECK(talk.as("by-admin", "GET", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles").status == 200);
  CHECK(talk.as("by-view", "GET", "/api/v1/namespaces/default/secrets").status == 403);

  talk.create("/apis/rbac.authorization.k8s.io/v1/clusterroles",
              R"({"metadata":{"name":"more","labels":{"rbac.authorization.k8s.io/aggregate-to-view":"true"}},)"
              R"("rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["list"]}]})");
  talk.pass(std::chrono::seconds(1));
  CHECK(talk.as("by-view", "GET", "/api/v1/namespaces/default/secrets").status == 200);
  CHECK(talk.as(kAdministrator, "DELETE", "/apis/rbac.authorization.k8s.io/v1/clusterroles/more").status == 200);
  talk.pass(std::chrono::seconds(1));
  CHECK(talk.as("by-view", "GET", "/api/v1/namespaces/default/secrets").status == 403);
}

TEST_CASE("an apply that creates an object also needs the verb create") {
  RoleTalk talk;
  talk.bind("RoleBinding", "default", "r", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":[""],"resources":["configmaps"],"verbs":["patch"]}])");
  const auto target = std::string(kConfigMaps) + "/a?fieldManager=ann";
  const std::string body = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  const net::Headers apply{{"Content-Type", "application/apply-patch+yaml"}};

  auto rejected = talk.as("ann", "PATCH", target, body, apply);
  CHECK(rejected.status == 403);
  CHECK(message_of(rejected) ==
        R"(configmaps "a" is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the )"
        R"(namespace "default")");

  CHECK(talk.as(kAdministrator, "PATCH", target, body, apply).status == 201);
  CHECK(talk.as("ann", "PATCH", target, body, apply).status == 200);
}

TEST_CASE("in a complete cluster the log has the forbidden requests") {
  auto options = rbac_options();
  options.has_cluster_objects = true;
  fixtures::Talk talk(options);

  CHECK_FALSE(talk.ask(kube::list(talk.client(), kube::pods(), {})));

  CHECK(talk.server.count([](const RequestInfo& r) { return r.user == "tester" && r.code == 403; }) == 1);
}

}  // namespace
}  // namespace keelson::sandbox
