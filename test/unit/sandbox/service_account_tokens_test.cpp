#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/authentication/jwt.hpp"
#include "src/sandbox/authentication/service_account_tokens.hpp"
#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::RoleTalk;

const std::string kAccounts = "/api/v1/namespaces/default/serviceaccounts";
const std::string kAudience = kTokenIssuer;

struct TokenTalk : RoleTalk {
  TokenTalk() { create(kAccounts, R"({"metadata":{"name":"worker"}})"); }

  net::Response request(const std::string& spec, const std::string& account = "worker") {
    return as(kAdministrator, "POST", kAccounts + "/" + account + "/token", R"({"spec":{)" + spec + "}}");
  }
  std::string token(const std::string& spec = "") {
    auto reply = request(spec);
    INFO(reply.body);
    REQUIRE(reply.status == 201);
    return Tree::parse(reply.body)->text_at({"status", "token"});
  }
  Tree review_token(const std::string& token, const std::string& more = "") {
    auto reply = as(kAdministrator, "POST", "/apis/authentication.k8s.io/v1/tokenreviews",
                    R"({"spec":{"token":")" + token + "\"" + more + "}}");
    return *Tree::parse(reply.body)->find("status");
  }
  std::string uid_of(const std::string& target) {
    return Tree::parse(as(kAdministrator, "GET", target).body)->text_at({"metadata", "uid"});
  }
};

TEST_CASE("a token has the claims of kube-apiserver's tokens, and authenticates as its account") {
  TokenTalk talk;
  const auto uid = talk.uid_of(kAccounts + "/worker");
  auto reply = talk.request("");
  auto answer = Tree::parse(reply.body);
  REQUIRE(answer);
  auto token = answer->text_at({"status", "token"});
  auto claims = read_jwt(token);
  REQUIRE(claims);

  CHECK(answer->text_at({"metadata", "name"}) == "worker");
  CHECK(answer->find("spec")->text() ==
        R"({"audiences":[")" + kAudience + R"("],"expirationSeconds":3600,"boundObjectRef":null})");
  auto issued = claims->integer_at({"iat"});
  CHECK(claims->integer_at({"exp"}) == issued + 3600);
  CHECK(claims->integer_at({"nbf"}) == issued);
  CHECK(claims->text_at({"iss"}) == kAudience);
  CHECK(claims->text_at({"sub"}) == "system:serviceaccount:default:worker");
  CHECK(claims->text_at({"jti"}).size() == 36);
  CHECK(claims->find("aud")->text() == "[\"" + kAudience + "\"]");
  CHECK(claims->find("kubernetes.io")->text() ==
        R"({"namespace":"default","serviceaccount":{"name":"worker","uid":")" + uid + "\"}}");
  auto me = talk.as(token, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
  CHECK(Tree::parse(me.body)->at({"status", "userInfo"})->text() ==
        R"({"username":"system:serviceaccount:default:worker","uid":")" + uid +
            R"(","groups":["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"],)"
            R"("extra":{"authentication.kubernetes.io/credential-id":["JTI=)" +
            claims->text_at({"jti"}) + R"("]}})");
  CHECK(message_of(talk.as(token, "GET", "/api/v1/pods"))
            .starts_with(R"(pods is forbidden: User "system:serviceaccount:default:worker" cannot list)"));
}

TEST_CASE("a token is rejected a minute after it expired, and for another account of the same name") {
  TokenTalk talk;
  auto token = talk.token(R"("expirationSeconds":600)");

  talk.pass(std::chrono::seconds(600));
  CHECK(talk.as(token, "GET", "/apis").status == 200);
  talk.pass(std::chrono::seconds(62));
  CHECK(talk.as(token, "GET", "/apis").status == 401);
  CHECK(talk.review_token(token).text() ==
        R"({"user":{},"error":"[invalid bearer token, service account token has expired]"})");

  token = talk.token();
  CHECK(talk.as(token, "GET", "/apis").status == 200);
  CHECK(talk.as(kAdministrator, "DELETE", kAccounts + "/worker").status == 200);
  CHECK(talk.as(token, "GET", "/apis").status == 401);
  CHECK(talk.review_token(token).text_at({"error"}) == R"([invalid bearer token, serviceaccounts "worker" not found])");
  talk.create(kAccounts, R"({"metadata":{"name":"worker"}})");
  CHECK(talk.as(token, "GET", "/apis").status == 401);
  CHECK(talk.review_token(token).text_at({"error"}).starts_with("[invalid bearer token, service account UID ("));
}

TEST_CASE("a review of a token has its user and the common audiences") {
  TokenTalk talk;
  auto token = talk.token(R"("audiences":["a","b"])");

  CHECK(talk.as(token, "GET", "/apis").status == 401);
  CHECK(talk.review_token(token).text_at({"error"}) ==
        R"([invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences [")" + kAudience +
            R"("]])");
  auto status = talk.review_token(token, R"(,"audiences":["b","c"])");
  CHECK(status.find("audiences")->text() == R"(["b"])");
  CHECK(status.text_at({"user", "username"}) == "system:serviceaccount:default:worker");
  CHECK(talk.review_token("ann").find("audiences")->text() == "[\"" + kAudience + "\"]");
  CHECK(talk.review_token("ann", R"(,"audiences":["b"])").text() == R"({"user":{},"error":"invalid bearer token"})");
  CHECK(talk.as(kAdministrator, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{}})").status == 400);
}

TEST_CASE("a changed token is rejected") {
  TokenTalk talk;
  auto token = talk.token();
  auto other = tls::SigningKey::make();
  REQUIRE(other);
  auto forged = make_jwt(*read_jwt(token), *other);
  REQUIRE(forged);
  auto unsigned_token = "eyJhbGciOiJub25lIn0" + token.substr(token.find('.'), token.rfind('.') - token.find('.') + 1);

  for (const auto& wrong : {*forged, unsigned_token, token + "A", token.substr(0, token.size() - 2)}) {
    INFO(wrong);
    CHECK(talk.as(wrong, "GET", "/apis").status == 401);
    CHECK(talk.review_token(wrong).text_at({"error"}) ==
          "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]");
  }
  CHECK(talk.as(token, "GET", "/apis").status == 200);
}

TEST_CASE("a token that is bound to a Secret, a Pod or a Node is invalid after its deletion") {
  TokenTalk talk;
  talk.create("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  talk.create("/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  talk.create("/api/v1/namespaces/default/pods",
              R"({"metadata":{"name":"p"},"spec":{"serviceAccountName":"worker","nodeName":"n",)"
              R"("containers":[{"name":"c","image":"i"}]}})");
  auto bound_to = [](const std::string& kind, const std::string& name) {
    return R"("boundObjectRef":{"apiVersion":"v1","kind":")" + kind + R"(","name":")" + name + "\"}";
  };
  auto to_secret = talk.token(bound_to("Secret", "s"));
  auto to_node = talk.token(bound_to("Node", "n"));
  auto to_pod = talk.token(bound_to("Pod", "p") + R"(,"expirationSeconds":3607)");

  auto claims = *read_jwt(to_pod);
  CHECK(claims.integer_at({"exp"}) - claims.integer_at({"iat"}) == 365 * 24 * 3600);
  CHECK(claims.integer_at({"kubernetes.io", "warnafter"}) == claims.integer_at({"iat"}) + 3607);
  CHECK(claims.text_at({"kubernetes.io", "node", "name"}) == "n");
  auto extra = talk.review_token(to_pod).at({"user", "extra"})->text();
  CHECK(extra.find(R"("authentication.kubernetes.io/pod-name":["p"])") != std::string::npos);
  CHECK(extra.find(R"("authentication.kubernetes.io/node-name":["n"])") != std::string::npos);
  for (const auto& token : {to_secret, to_node, to_pod}) CHECK(talk.as(token, "GET", "/apis").status == 200);

  CHECK(talk.as(kAdministrator, "DELETE", "/api/v1/namespaces/default/secrets/s").status == 200);
  CHECK(talk.as(to_secret, "GET", "/apis").status == 401);
  CHECK(talk.as(kAdministrator, "DELETE", "/api/v1/nodes/n").status == 200);
  CHECK(talk.as(to_node, "GET", "/apis").status == 401);
  CHECK(talk.as(to_pod, "GET", "/apis").status == 200);
  CHECK(talk.as(kAdministrator, "DELETE", "/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0").status == 200);
  talk.pass(std::chrono::minutes(2));
  CHECK(talk.review_token(to_pod).text_at({"error"}) ==
        "[invalid bearer token, service account token has been invalidated]");
}

TEST_CASE("an invalid TokenRequest is rejected with the API server's message") {
  TokenTalk talk;
  talk.create("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  auto secret = [](const std::string& more) {
    return R"("boundObjectRef":{"apiVersion":"v1","kind":"Secret",)" + more + "}";
  };

  CHECK(message_of(talk.request("", "none")) == R"(serviceaccounts "none" not found)");
  CHECK(message_of(talk.request(R"("expirationSeconds":300)")) ==
        R"(TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not )"
        R"(specify a duration less than 10 minutes)");
  CHECK(talk.request(R"("expirationSeconds":4294967297)").status == 422);
  CHECK(message_of(talk.request(secret(R"("name":"no")"))) == R"(secrets "no" not found)");
  CHECK(message_of(talk.request(secret(R"("name":"s","uid":"x")"))) ==
        R"(Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the )"
        R"(UID in record. The object might have been deleted and then recreated)");
  CHECK(message_of(talk.request(R"("boundObjectRef":{"apiVersion":"v1","kind":"ConfigMap","name":"x"})")) ==
        "cannot bind token to object of type /v1, Kind=ConfigMap");
  CHECK(message_of(talk.as(kAdministrator, "POST", kAccounts + "/worker/token", R"({"metadata":{"name":"u"}})")) ==
        R"(TokenRequest.authentication.k8s.io "worker" is invalid: metadata.name: Invalid value: "u": must match the )"
        R"(service account name if specified)");
  CHECK(talk.as(kAdministrator, "GET", kAccounts + "/worker/token").status == 405);
  CHECK(talk.as("ann", "POST", kAccounts + "/worker/token", "{}").status == 403);
}

TEST_CASE("a token request for another place or without the name of its bound object is rejected") {
  TokenTalk talk;
  const auto send = [&talk](const std::string& body) {
    return talk.as(kAdministrator, "POST", kAccounts + "/worker/token", body);
  };
  const auto elsewhere = send(R"({"metadata":{"namespace":"x"}})");
  CHECK(elsewhere.status == 400);
  CHECK(message_of(elsewhere) ==
        "the namespace of the provided object does not match the namespace sent on the request");
  const auto unnamed = send(R"({"spec":{"boundObjectRef":{"kind":"Pod"}}})");
  CHECK(unnamed.status == 400);
  CHECK(message_of(unnamed) == "Name parameter required.");
  const auto wrong = send(R"({"metadata":{"uid":"x"}})");
  CHECK(wrong.status == 409);
  CHECK(message_of(wrong).starts_with("Operation cannot be fulfilled on TokenRequest.authentication.k8s.io"));
  CHECK(Tree::parse(wrong.body)->text_at({"details", "group"}) == "authentication.k8s.io");
  CHECK(Tree::parse(wrong.body)->text_at({"details", "kind"}) == "TokenRequest");
}

// Recorded from a kube-apiserver 1.36.3.
TEST_CASE("a token request is decoded as its type, and its metadata is returned") {
  TokenTalk talk;
  const auto send = [&talk](const std::string& body) {
    return talk.as(kAdministrator, "POST", kAccounts + "/worker/token", body);
  };
  const std::string wrong =
      R"(TokenRequest in version "v1" cannot be handled as a TokenRequest: json: cannot unmarshal )";

  CHECK(message_of(send(R"({"spec":{"audiences":"x"}})")) ==
        wrong + "string into Go struct field TokenRequestSpec.spec.audiences of type []string");
  CHECK(message_of(send(R"({"spec":{"expirationSeconds":"x"}})")) ==
        wrong + "string into Go struct field TokenRequestSpec.spec.expirationSeconds of type int64");
  CHECK(message_of(send(R"({"spec":{"boundObjectRef":5}})")) ==
        wrong + "number into Go struct field TokenRequestSpec.spec.boundObjectRef of type v1.BoundObjectReference");
  CHECK(send("").status == 400);
  const auto unknown = send(R"({"spec":{"foo":1}})");
  CHECK(unknown.status == 201);
  CHECK(net::header(unknown.headers, "Warning") == R"(299 - "unknown field \"spec.foo\"")");

  const auto labeled = Tree::parse(send(R"({"metadata":{"labels":{"a":"b"}}})").body);
  REQUIRE(labeled);
  CHECK(labeled->text_at({"metadata", "labels", "a"}) == "b");
  const auto& owners = labeled->items_at({"metadata", "managedFields"});
  REQUIRE(owners.size() == 1);
  CHECK(owners[0].text_at({"subresource"}) == "token");
  CHECK(owners[0].find("fieldsV1")->text() ==
        R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:expirationSeconds":{}}})");
}

}  // namespace
}  // namespace keelson::sandbox
