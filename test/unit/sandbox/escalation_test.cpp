#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/authorization/escalation.hpp"
#include "src/sandbox/authorization/policy_rule.hpp"
#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::RoleTalk;

const std::string kRbacPath = "/apis/rbac.authorization.k8s.io/v1/";
const std::string kRoles = kRbacPath + "namespaces/default/roles";
const std::string kBindings = kRbacPath + "namespaces/default/rolebindings";

// Permits ann to write roles and bindings in the namespace default, and to read pods.
void allow_writing_roles(RoleTalk& talk) {
  talk.bind("RoleBinding", "default", "writer", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","rolebindings"],"verbs":["*"]},)"
            R"({"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}])");
}

std::string role(const std::string& name, const std::string& rules) {
  return R"({"metadata":{"name":")" + name + R"("},"rules":[)" + rules + "]}";
}

std::string binding(const std::string& name, const std::string& kind, const std::string& role) {
  return R"({"metadata":{"name":")" + name + R"("},"subjects":[{"kind":"User","name":"bob"}],"roleRef":{"kind":")" +
         kind + R"(","name":")" + role + R"(","apiGroup":"rbac.authorization.k8s.io"}})";
}

TEST_CASE("a user can grant in a role only permissions that the user has") {
  RoleTalk talk;
  // The verb * on roles includes escalate.
  talk.bind("RoleBinding", "default", "writer", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["create","update","patch"]},)"
            R"({"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}])");

  CHECK(
      talk.as("ann", "POST", kRoles, role("a", R"({"apiGroups":[""],"resources":["pods"],"verbs":["get"]})")).status ==
      201);
  auto rejected =
      talk.as("ann", "POST", kRoles,
              role("b", R"({"apiGroups":[""],"resources":["pods","secrets"],"verbs":["get","watch"]},)"
                        R"({"apiGroups":["apps"],"resources":["deployments"],"resourceNames":["x"],"verbs":["get"]})"));
  CHECK(rejected.status == 403);
  CHECK(message_of(rejected) ==
        R"(roles.rbac.authorization.k8s.io "b" is forbidden: user "ann" (groups=["system:authenticated"]) is )"
        R"(attempting to grant RBAC permissions not currently held:)"
        "\n"
        R"({APIGroups:[""], Resources:["pods"], Verbs:["watch"]})"
        "\n"
        R"({APIGroups:[""], Resources:["secrets"], Verbs:["get" "watch"]})"
        "\n"
        R"({APIGroups:["apps"], Resources:["deployments"], ResourceNames:["x"], Verbs:["get"]})");
  auto wider =
      talk.as("ann", "PATCH", kRoles + "/a", R"({"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]})",
              {{"Content-Type", "application/merge-patch+json"}});
  CHECK(wider.status == 403);
  auto label = talk.as("ann", "PATCH", kRoles + "/writer", R"({"metadata":{"finalizers":["a.dev/b"]}})",
                       {{"Content-Type", "application/merge-patch+json"}});
  CHECK(label.status == 200);
  CHECK(talk.as(kAdministrator, "POST", kRoles, role("c", R"({"apiGroups":["*"],"resources":["*"],"verbs":["*"]})"))
            .status == 201);
}

TEST_CASE("the verbs escalate and bind allow a user to grant permissions that the user lacks") {
  RoleTalk talk;
  allow_writing_roles(talk);

  CHECK(talk.as("ann", "POST", kRoles, role("any", R"({"apiGroups":["*"],"resources":["*"],"verbs":["*"]})")).status ==
        201);
  CHECK(talk.as("ann", "POST", kBindings, binding("own", "Role", "any")).status == 201);
  // The verbs only apply to roles of the namespace.
  CHECK(talk.as("ann", "POST", kBindings, binding("cluster", "ClusterRole", "cluster-admin")).status == 403);
}

TEST_CASE("a user can only bind roles whose permissions the user has") {
  RoleTalk talk;
  talk.bind("RoleBinding", "default", "writer", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["rolebindings"],"verbs":["create"]},)"
            R"({"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])");
  talk.create(kRoles, role("few", R"({"apiGroups":[""],"resources":["pods"],"verbs":["get"]})"));
  talk.create(kRoles, role("many", R"({"apiGroups":["x"],"resources":["y"],"verbs":["get"]})"));

  CHECK(talk.as("ann", "POST", kBindings, binding("a", "Role", "few")).status == 201);
  auto rejected = talk.as("ann", "POST", kBindings, binding("b", "Role", "many"));
  CHECK(rejected.status == 403);
  CHECK(message_of(rejected).ends_with("not currently held:\n{APIGroups:[\"x\"], Resources:[\"y\"], Verbs:[\"get\"]}"));
  CHECK(message_of(rejected).starts_with(R"(rolebindings.rbac.authorization.k8s.io "b" is forbidden: user "ann")"));
  auto missing = talk.as("ann", "POST", kBindings, binding("c", "Role", "lost"));
  CHECK(missing.status == 404);
  CHECK(message_of(missing) == R"(rolebindings.rbac.authorization.k8s.io "lost" not found)");
}

TEST_CASE("an aggregationRule requires all permissions") {
  RoleTalk talk;
  talk.bind("ClusterRoleBinding", "", "writer", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"],"verbs":["create"]}])");

  auto rejected = talk.as("ann", "POST", kRbacPath + "clusterroles",
                          R"({"metadata":{"name":"a"},"aggregationRule":{"clusterRoleSelectors":[{}]}})");

  CHECK(rejected.status == 403);
  CHECK(message_of(rejected) == R"(clusterroles.rbac.authorization.k8s.io "a" is forbidden: must have cluster-admin )"
                                R"(privileges to use the aggregationRule)");
}

TEST_CASE("the permissions that a single write may grant have a limit") {
  std::string numbers;
  for (int i = 0; i < 500; ++i) numbers += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\"";
  const auto rules = R"({"apiGroups":[)" + numbers + R"(],"resources":[)" + numbers + R"(],"verbs":[)" + numbers + "]}";
  RoleTalk talk;
  talk.bind("RoleBinding", "default", "writer", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["create"]}])");

  auto rejected = talk.as("ann", "POST", kRoles, role("a", rules));

  CHECK(rejected.status == 403);
  CHECK(message_of(rejected).find("too many permissions to compare") != std::string::npos);
  PolicyRules parts;
  PolicyRule rule{{"get"}, {""}, {"pods"}, {}, {}};
  rule.names.resize(limits::kSandboxGrantedPermissions);
  CHECK(break_down(rule, limits::kSandboxGrantedPermissions, parts));
  CHECK_FALSE(break_down(rule, limits::kSandboxGrantedPermissions, parts));
}

}  // namespace
}  // namespace keelson::sandbox
