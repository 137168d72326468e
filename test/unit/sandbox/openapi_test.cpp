#include "src/sandbox/http/openapi.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::HttpTalk;

constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const char* const kFoos = R"({"metadata":{"name":"foos.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced",
    "names":{"plural":"foos","singular":"foo","kind":"Foo"},"versions":[{"name":"v1","served":true,"storage":true,
    "subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","description":"A Foo.","properties":{
    "spec":{"type":"object","properties":{"size":{"type":"integer","description":"How many."},
    "port":{"x-kubernetes-int-or-string":true},
    "object":{"type":"object","x-kubernetes-embedded-resource":true,
    "x-kubernetes-preserve-unknown-fields":true}}}}}}}]}})";

std::string address(const Tree& index, const char* path) { return index.text_at({"paths", path, "serverRelativeURL"}); }

std::string header(const net::Response& response, const char* name) {
  return std::string(net::header(response.headers, name));
}

TEST_CASE("the index of OpenAPI lists a document for each group and version") {
  HttpTalk talk;

  auto index = talk.json("/openapi/v3");

  CHECK(address(index, "api/v1").starts_with("/openapi/v3/api/v1?hash="));
  CHECK(address(index, "apis/apps/v1").starts_with("/openapi/v3/apis/apps/v1?hash="));
  CHECK(address(index, "apis/ex.com/v1").empty());
}

// Compared with kube-apiserver 1.36: these are the paths, identifiers and descriptions of its document.
TEST_CASE("a document describes the verbs of built-in kinds and the definitions that they refer to") {
  HttpTalk talk;

  auto document = talk.json("/openapi/v3/apis/apps/v1");

  CHECK(document.text_at({"openapi"}) == "3.0.0");
  const auto* path = document.at({"paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}"});
  REQUIRE(path != nullptr);
  CHECK(path->text_at({"patch", "operationId"}) == "patchAppsV1NamespacedDeployment");
  CHECK(path->text_at({"get", "description"}) == "read the specified Deployment");
  std::string parameters;
  for (const auto& one : path->at({"patch", "parameters"})->items()) parameters += one.text_at({"name"}) + " ";
  CHECK(parameters == "dryRun fieldManager fieldValidation force ");
  CHECK(path->text_at({"put", "x-kubernetes-group-version-kind", "kind"}) == "Deployment");
  for (const char* name : {"io.k8s.api.apps.v1.Deployment", "io.k8s.api.apps.v1.DeploymentList",
                           "io.k8s.api.core.v1.Container", "io.k8s.apimachinery.pkg.apis.meta.v1.Status"}) {
    INFO(name);
    CHECK(document.at({"components", "schemas", name}) != nullptr);
  }
  CHECK(document.at({"components", "schemas", "io.k8s.api.batch.v1.Job"}) == nullptr);
  CHECK(document.at({"paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale", "get"}) != nullptr);
}

TEST_CASE("the documents change with the definitions of custom kinds") {
  HttpTalk talk;
  CHECK(talk.send("GET", "/openapi/v3/apis/ex.com/v1").status == 404);

  REQUIRE(talk.send("POST", kDefinitions, kFoos).status == 201);

  auto first = address(talk.json("/openapi/v3"), "apis/ex.com/v1");
  auto document = talk.json("/openapi/v3/apis/ex.com/v1");
  const auto* foo = document.at({"components", "schemas", "com.ex.v1.Foo"});
  REQUIRE(foo != nullptr);
  CHECK(foo->text_at({"description"}) == "A Foo.");
  CHECK(foo->text_at({"properties", "spec", "properties", "size", "description"}) == "How many.");
  CHECK(foo->at({"properties", "metadata", "allOf"}) != nullptr);
  CHECK(foo->at({"properties", "spec", "properties", "port", "anyOf"}) != nullptr);
  CHECK(foo->at({"properties", "spec", "properties", "object", "properties", "kind"}) != nullptr);
  CHECK(foo->at({"x-kubernetes-group-version-kind"})->text() == R"([{"group":"ex.com","kind":"Foo","version":"v1"}])");
  CHECK(document.at({"components", "schemas", "com.ex.v1.FooList"}) != nullptr);
  CHECK(document.text_at({"paths", "/apis/ex.com/v1/namespaces/{namespace}/foos", "post", "operationId"}) ==
        "createExComV1NamespacedFoo");

  REQUIRE(talk.send("PATCH", std::string(kDefinitions) + "/foos.ex.com",
                    R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/more",)"
                    R"("value":{"type":"string"}}])",
                    {{"Content-Type", "application/json-patch+json"}})
              .status == 200);
  CHECK(address(talk.json("/openapi/v3"), "apis/ex.com/v1") != first);

  REQUIRE(talk.send("DELETE", std::string(kDefinitions) + "/foos.ex.com").status == 200);
  talk.pass(std::chrono::seconds(1));
  CHECK(talk.send("GET", "/openapi/v3/apis/ex.com/v1").status == 404);
}

// As kube-apiserver 1.36 responds, except for the content type of the index and for protobuf.
TEST_CASE("a document has an entity tag, and may be cached forever by its hash") {
  HttpTalk talk;
  const std::string target = "/openapi/v3/apis/apps/v1";

  auto plain = talk.send("GET", target);
  auto tag = header(plain, "Etag");
  auto again = talk.send("GET", target, "", {{"If-None-Match", tag}});
  auto hashed = talk.send("GET", target + "?hash=" + tag.substr(1, tag.size() - 2));
  auto outdated = talk.send("GET", target + "?hash=ABC");

  CHECK(plain.status == 200);
  CHECK(header(plain, "Cache-Control") == "no-cache, private");
  CHECK(again.status == 304);
  CHECK(again.body.empty());
  CHECK(hashed.status == 200);
  CHECK(header(hashed, "Cache-Control") == "public, immutable");
  CHECK(outdated.status == 301);
  CHECK(header(outdated, "Location") == target + "?hash=" + tag.substr(1, tag.size() - 2));
}

TEST_CASE("OpenAPI documents are only served as JSON") {
  HttpTalk talk;
  const std::string target = "/openapi/v3/apis/apps/v1";
  const std::string protobuf = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";

  CHECK(talk.send("GET", target, "", {{"Accept", protobuf}}).status == 406);
  CHECK(talk.send("GET", target, "", {{"Accept", protobuf + ", application/json"}}).status == 200);
  CHECK(talk.send("GET", target, "", {{"Accept", "*/*"}}).status == 200);
}

TEST_CASE("version 2 of OpenAPI has definitions without newer keywords, in JSON and in protobuf") {
  HttpTalk talk;
  REQUIRE(talk.send("POST", kDefinitions, kFoos).status == 201);

  auto document = talk.json("/openapi/v2");

  CHECK(document.text_at({"swagger"}) == "2.0");
  const Tree* definitions = document.find("definitions");
  REQUIRE(definitions != nullptr);
  CHECK(definitions->text_at({"io.k8s.apimachinery.pkg.util.intstr.IntOrString", "type"}) == "string");
  CHECK(definitions->text_at({"io.k8s.api.apps.v1.Deployment", "properties", "spec", "$ref"}) ==
        "#/definitions/io.k8s.api.apps.v1.DeploymentSpec");
  CHECK(definitions->texts_at({"io.k8s.api.core.v1.ServiceSpec", "properties", "type", "enum"}) ==
        std::vector<std::string>{"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"});
  CHECK(definitions->find("com.ex.v1.Foo") != nullptr);
  const Tree* patch = document.at({"paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "patch"});
  REQUIRE(patch != nullptr);
  CHECK(patch->text_at({"x-kubernetes-group-version-kind", "kind"}) == "Deployment");

  const std::string protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  auto reply = talk.send("GET", "/openapi/v2", "", {{"Accept", protobuf}});
  CHECK(reply.status == 200);
  CHECK(
      reply.body.starts_with("\x0a\x03"
                             "2.0"));
  CHECK(reply.body.find("io.k8s.api.core.v1.PodSpec") != std::string::npos);
  CHECK(talk.send("GET", "/openapi/v2", "", {{"Accept", "text/html"}}).status == 406);
}

// Recorded from kube-apiserver 1.36.3.
TEST_CASE(
    "version 2 of OpenAPI has the validations of custom kinds, but nothing that clients would enforce too strictly") {
  constexpr const char* kChecked = R"({"metadata":{"name":"ovs.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced",
    "names":{"plural":"ovs","kind":"Ov","listKind":"OvList"},"versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","required":["a","n"],
    "minProperties":1,"properties":{
    "a":{"type":"string","pattern":"^a","minLength":1,"title":"t"},
    "b":{"type":"integer","minimum":1,"exclusiveMinimum":true,"multipleOf":2,"format":"int32"},
    "l":{"type":"array","maxItems":3,"items":{"type":"string","maxLength":4}},
    "m":{"type":"object","additionalProperties":{"type":"string","nullable":true},"required":["k"]},
    "n":{"type":"string","nullable":true,"pattern":"x"},
    "o":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"^1"},
    "t":{"type":"object","additionalProperties":true}}}}}}}]}})";
  HttpTalk talk;
  REQUIRE(talk.send("POST", kDefinitions, kChecked).status == 201);

  const auto definitions = talk.json("/openapi/v2").copy_at({"definitions"});

  CHECK(definitions.copy_at({"com.ex.v1.Ov", "properties", "spec"}).text() ==
        R"({"type":"object","properties":{"a":{"type":"string","title":"t","minLength":1,"pattern":"^a"},)"
        R"("b":{"type":"integer","format":"int32","minimum":1,"exclusiveMinimum":true,"multipleOf":2},)"
        R"("l":{"type":"array","items":{"type":"string","maxLength":4},"maxItems":3},)"
        R"("m":{"type":"object","additionalProperties":{}},"n":{"pattern":"x"},)"
        R"("o":{"pattern":"^1","x-kubernetes-int-or-string":true},)"
        R"("t":{"type":"object","additionalProperties":true}},)"
        R"("minProperties":1,"required":["a"]})");
  CHECK(definitions.text_at({"com.ex.v1.OvList", "properties", "items", "items", "$ref"}) ==
        "#/definitions/com.ex.v1.Ov");
}

}  // namespace
}  // namespace keelson::sandbox
