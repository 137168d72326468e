#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/role_talk.hpp"
#include "test/unit/sandbox/webhook_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::RoleTalk;

const std::string kReviews = "/apis/authorization.k8s.io/v1/";
const std::string kSelf = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

std::string status_of(const net::Response& response) {
  auto tree = Tree::parse(response.body);
  const Tree* status = tree ? tree->find("status") : nullptr;
  return status != nullptr ? status->text() : response.body;
}

void allow_pods(RoleTalk& talk) {
  talk.bind("RoleBinding", "default", "r", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":[""],"resources":["pods"],"resourceNames":["a"],"verbs":["get"]}])");
}

TEST_CASE("access reviews return the decision of the server, with its reason") {
  RoleTalk talk;
  allow_pods(talk);
  const std::string get_a = R"("resourceAttributes":{"namespace":"default","verb":"get","resource":"pods","name":"a"})";

  CHECK(talk.review("ann", get_a).text() ==
        R"({"allowed":true,"reason":"RBAC: allowed by RoleBinding \"r/default\" of Role \"r\" to User \"ann\""})");
  CHECK(talk.review("bob", get_a).text() == R"({"allowed":false})");
  CHECK(talk.review("ann", R"("nonResourceAttributes":{"verb":"get","path":"/apis"})").text() ==
        R"({"allowed":true,"reason":"RBAC: allowed by ClusterRoleBinding \"system:discovery\" of ClusterRole )"
        R"(\"system:discovery\" to Group \"system:authenticated\""})");
  CHECK(status_of(talk.as("ann", "POST", kReviews + "selfsubjectaccessreviews", R"({"spec":{)" + get_a + "}}"))
            .starts_with(R"({"allowed":true,)"));
  auto local = R"({"spec":{"user":"bob",)" + get_a + "}}";
  CHECK(status_of(talk.as(kAdministrator, "POST",
                          "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews", local)) ==
        R"({"allowed":false})");
  CHECK(talk.as("ann", "POST", kReviews + "subjectaccessreviews", local).status == 403);
}

TEST_CASE("an access review without an access or without a user is invalid") {
  RoleTalk talk;

  CHECK(message_of(talk.as(kAdministrator, "POST", kReviews + "subjectaccessreviews",
                           R"({"spec":{"nonResourceAttributes":{}}})")) ==
        R"(.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be )"
        R"(specified)");
  CHECK(message_of(talk.as(kAdministrator, "POST",
                           "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
                           R"({"spec":{"user":"a","resourceAttributes":{"namespace":"other"}}})")) ==
        R"(.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match )"
        R"(metadata.namespace)");
  CHECK(talk.as(kAdministrator, "POST", kReviews + "selfsubjectaccessreviews", R"({"spec":{}})").status == 422);
}

TEST_CASE("a rules review lists the permissions of a user in a namespace") {
  RoleTalk talk;
  allow_pods(talk);
  talk.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
              R"({"metadata":{"name":"lost"},"subjects":[{"kind":"User","name":"ann"}],)"
              R"("roleRef":{"kind":"Role","name":"lost","apiGroup":"rbac.authorization.k8s.io"}})");

  auto status =
      status_of(talk.as("ann", "POST", kReviews + "selfsubjectrulesreviews", R"({"spec":{"namespace":"default"}})"));

  CHECK(status.starts_with(R"({"resourceRules":[{"verbs":["create"],"apiGroups":["authorization.k8s.io"],)"));
  CHECK(status.find(R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a"]})") !=
        std::string::npos);
  CHECK(status.find(R"("nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/api",)") != std::string::npos);
  CHECK(status.ends_with(R"("evaluationError":"role.rbac.authorization.k8s.io \"lost\" not found"})"));
  CHECK(talk.as("ann", "POST", kReviews + "selfsubjectrulesreviews", R"({"spec":{}})").status == 400);
}

TEST_CASE("impersonation requires a permission for each claimed attribute") {
  RoleTalk talk;
  const net::Headers as_bob{{"Impersonate-User", "bob"}};

  auto rejected = talk.as("ann", "POST", kSelf, "{}", as_bob);
  CHECK(rejected.status == 403);
  CHECK(message_of(rejected) ==
        R"(selfsubjectreviews.authentication.k8s.io is forbidden: User "ann" cannot impersonate-on:user-info:create )"
        R"(resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope)");

  talk.bind("ClusterRoleBinding", "", "r", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":[""],"resources":["users","groups"],"resourceNames":["bob","devs"],)"
            R"("verbs":["impersonate"]}])");
  CHECK(status_of(talk.as("ann", "POST", kSelf, "{}", as_bob)) ==
        R"({"userInfo":{"username":"bob","groups":["system:authenticated"]}})");
  CHECK(status_of(talk.as("ann", "POST", kSelf, "{}", {{"impersonate-user", "bob"}, {"impersonate-group", "devs"}})) ==
        R"({"userInfo":{"username":"bob","groups":["devs","system:authenticated"]}})");
  CHECK(talk.as("ann", "POST", kSelf, "{}", {{"Impersonate-User", "bob"}, {"Impersonate-Group", "x"}}).status == 403);
  CHECK(talk.as("ann", "POST", kSelf, "{}", {{"Impersonate-User", "bob"}, {"Impersonate-Uid", "1"}}).status == 403);
  CHECK(talk.as("ann", "GET", "/api/v1/pods", "", as_bob).status == 403);
}

TEST_CASE("an impersonated user has the groups of its name and those of the headers") {
  RoleTalk talk;
  auto me = [&talk](const net::Headers& headers) {
    return status_of(talk.as(kAdministrator, "POST", kSelf, "{}", headers));
  };

  CHECK(me({{"Impersonate-User", "system:serviceaccount:a:b"}}) ==
        R"({"userInfo":{"username":"system:serviceaccount:a:b","groups":["system:serviceaccounts",)"
        R"("system:serviceaccounts:a","system:authenticated"]}})");
  CHECK(me({{"Impersonate-User", "bob"}, {"Impersonate-Uid", "7"}, {"Impersonate-Extra-Some%2fKey", "x"}}) ==
        R"({"userInfo":{"username":"bob","uid":"7","groups":["system:authenticated"],"extra":{"some/key":["x"]}}})");
  auto nobody = talk.as(kAdministrator, "POST", kSelf, "{}", {{"Impersonate-Group", "a"}});
  CHECK(nobody.status == 400);
  CHECK(message_of(nobody) == R"(requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, )"
                              R"(Extra:map[string][]string(nil)} without impersonating a user name)");
}

TEST_CASE("webhooks receive the user with its groups and extra") {
  fixtures::WebhookTalk hooked;
  REQUIRE(hooked.configure("w", false, "https://webhook.test/").status == 201);

  auto created = hooked.talk.send("POST", fixtures::WebhookTalk::maps(), R"({"metadata":{"name":"a"}})",
                                  {{"Impersonate-User", "bob"}, {"Impersonate-Extra-k", "v"}});

  REQUIRE(created.status == 201);
  REQUIRE(hooked.requests.size() == 1);
  CHECK(hooked.requests[0].find("userInfo")->text() ==
        R"({"username":"bob","groups":["system:authenticated"],"extra":{"k":["v"]}})");
}

}  // namespace
}  // namespace keelson::sandbox
