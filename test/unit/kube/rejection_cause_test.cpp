// Who rejects a request: the texts of a real API server.
#include "src/kube/rejection_cause.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/kube/rest_client_on_script.hpp"

namespace keelson::kube {
namespace {

Error error_of(int code, const std::string& text) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  error.server_text = text;
  return error;
}

std::string body_of(int code, const std::string& reason, const std::string& message) {
  return R"({"kind":"Status","status":"Failure","code":)" + std::to_string(code) + R"(,"reason":")" + reason +
         R"(","message":")" + message + "\"}";
}

}  // namespace

TEST_CASE("a rejection is counted by its cause, and only a missing RBAC permission is one of permission") {
  struct Row {
    int code;
    const char* text;
    const char* cause;
  };
  const std::vector<Row> rows{
      {401, "Unauthorized", "unauthenticated"},
      {403,
       R"(deployments.apps "web" is forbidden: User "system:serviceaccount:a:b" cannot patch resource "deployments" in )"
       R"(API group "apps" in the namespace "default")",
       "permission"},
      {403, R"(forbidden: User "system:anonymous" cannot get path "/healthz")", "permission"},
      {403,
       R"(users "x" is forbidden: User "me" cannot impersonate resource "users" in API group "" at the cluster scope)",
       "permission"},
      {403,
       R"(deployments.apps "web" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource )"
       "you can't set finalizers on: , <nil>",
       "permission"},
      {403,
       R"(clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "system:serviceaccount:a:b" )"
       R"((groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:)"
       "\n{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"get\"]}",
       "permission"},
      {403, R"(pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1)", "quota"},
      {403, R"(pods "a" is forbidden: failed quota: q: must specify limits.cpu for: web)", "quota"},
      {403, R"(pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged)", "admission"},
      {403, R"(pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2)", "admission"},
      {403, R"(admission webhook "p.example.com" denied the request: no)", "admission"},
      {403,
       R"x(admission webhook "p.example.com" denied the request: forbidden: User "bob" cannot create resource "x")x",
       "admission"},
      {400, R"(admission webhook "p.example.com" denied the request without explanation)", "admission"},
      {422, R"(deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no)",
       "admission"},
      {500,
       R"(Internal error occurred: failed calling webhook "p.example.com": failed to call webhook: Post "https://p": EOF)",
       "webhook"},
      {500,
       R"(failed to create typed patch object (default/shop; memcached.cache.example.com/v1, Kind=Memcached): )"
       ".status.selector: field not declared in schema",
       "schema"},
      {403, "<html><head><title>403 Forbidden</title></head><body>nginx</body></html>", ""},
      {403, "", ""},
      {500, "etcdserver: mvcc: database space exceeded", ""},
      {403,
       R"(configmaps "a" is forbidden: unable to create new content in namespace n because it is being terminated)",
       ""},
      {404, R"(deployments.apps "web" not found)", ""},
      {409, "Operation cannot be fulfilled on pods", ""},
      {422, R"(Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1)", ""},
      {429, "too many requests", ""},
  };
  for (const auto& row : rows) {
    INFO(row.code << " " << row.text);
    CHECK(rejection_cause(error_of(row.code, row.text)) == row.cause);
  }
  CHECK(rejection_cause(transport_error("failed calling webhook")).empty());
}

TEST_CASE("the client exports each rejected request with the verb and the resource of RBAC") {
  RestClientOnScript world;
  auto request = request_of(Verb::kPatch);
  request.subresource = "status";
  world.http.expect("PATCH", "/prefix")
      .replies(403, body_of(403, "Forbidden",
                            R"(pods \"a\" is forbidden: User \"u\" cannot patch resource \"pods/status\")"));
  world.http.expect("POST", "/prefix").replies(403, body_of(403, "Forbidden", "pods is forbidden: exceeded quota: q"));

  CHECK_FALSE(world.send(request));
  CHECK_FALSE(world.send(request_of(Verb::kCreate)));

  CHECK(world.has_metric(
      "keelson_rejected_requests_total{cause=\"permission\",resource=\"pods/status\",verb=\"patch\"} 1\n"));
  CHECK(world.has_metric("keelson_rejected_requests_total{cause=\"quota\",resource=\"pods\",verb=\"create\"} 1\n"));
}

TEST_CASE("a watch that is rejected is counted, too") {
  RestClientOnScript world;
  world.http.expect("GET", "/prefix")
      .replies(403, body_of(403, "Forbidden", R"(pods is forbidden: User \"u\" cannot watch resource \"pods\")"));

  CHECK_FALSE(world.stream(request_of(Verb::kWatch)));

  CHECK(world.has_metric("keelson_rejected_requests_total{cause=\"permission\",resource=\"pods\",verb=\"watch\"} 1\n"));
}

}  // namespace keelson::kube
