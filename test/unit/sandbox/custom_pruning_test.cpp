// Unknown fields and embedded resources of a custom kind: each row was recorded from kube-apiserver 1.36.3.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"
#include "src/sandbox/storage/tree.hpp"
#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kPruned =
    R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ps)"
    R"(.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"ps","singular":"p","k)"
    R"(ind":"P","listKind":"PList"},"versions":[{"name":"v1","served":true,"storage":true,"subresources)"
    R"(":{"scale":{"specReplicasPath":".spec.r.replicas","statusReplicasPath":".status.replicas","label)"
    R"(SelectorPath":".status.selector"}},"selectableFields":[{"jsonPath":".spec.a"}],"schema":{"openAP)"
    R"(IV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"str)"
    R"(ing"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"x":{"ty)"
    R"(pe":"string"}}},"m":{"type":"object","additionalProperties":true},"k":{"type":"object","x-kubern)"
    R"(etes-preserve-unknown-fields":true,"properties":{"p":{"type":"object","properties":{"q":{"type":)"
    R"("string"}}}}},"i":{"x-kubernetes-int-or-string":true},"e":{"type":"object","x-kubernetes-embedde)"
    R"(d-resource":true,"x-kubernetes-preserve-unknown-fields":true},"t":{"type":"object","x-kubernetes)"
    R"(-embedded-resource":true,"properties":{"spec":{"type":"object","properties":{"x":{"type":"string)"
    R"("}}}}},"r":{"type":"object","properties":{"replicas":{"type":"integer"}}}}},"status":{"type":"ob)"
    R"(ject","x-kubernetes-preserve-unknown-fields":true}}}}}]}})";
constexpr const char* kObjects = "/apis/ex.com/v1/namespaces/default/ps";

// The error, or the fields that are stored.
std::string outcome(const net::Response& reply) {
  auto tree = *Tree::parse(reply.body);
  if (reply.status != 201) return tree.text_at({"message"});
  for (const char* name : {"apiVersion", "kind", "metadata"}) tree.erase(name);
  return tree.text();
}

bool has_warning(const net::Response& reply, std::string_view text) {
  for (const auto& [name, value] : reply.headers) {
    if (value.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("fields of a custom kind are unknown by their place, whatever type the schema has there") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kPruned).status == 201);
  for (const auto& row : testing::data_rows("test/unit/sandbox/custom_pruning.txt", {"object", "strict", "ignored"})) {
    const auto object = json::merge_patch(R"({"metadata":{"name":"p"}})", row["object"]);
    const auto send = [&](const char* validation) {
      return talk.send("POST", std::string(kObjects) + "?dryRun=All&fieldValidation=" + validation, *object);
    };
    const auto strict = send("Strict");
    const auto ignored = send("Ignore");
    CAPTURE(row.place(), row["object"], strict.body, ignored.body);
    CHECK(strict.status == (row["strict"].empty()                                    ? 201
                            : row["strict"].find(" is invalid") != std::string::npos ? 422
                                                                                     : 400));
    if (!row["strict"].empty()) CHECK(outcome(strict) == row["strict"]);
    CHECK(outcome(ignored) == row["ignored"]);
  }
}

TEST_CASE("a rejected object has the warnings about its unknown fields, too") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kPruned).status == 201);
  const auto reply = talk.send("POST", kObjects, R"({"metadata":{"name":"p"},"spec":{"a":{"b":1}}})");
  CHECK(reply.status == 422);
  CHECK(has_warning(reply, "unknown field"));
}

TEST_CASE("formats and finalizers without a domain are accepted with a warning") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kPruned).status == 201);
  const auto reply = talk.send("POST", kObjects, R"({"metadata":{"name":"p","finalizers":["mine","a.b","ex.com/x"]}})");
  CHECK(reply.status == 201);
  constexpr const char* kEnd = " to avoid accidental conflicts with other finalizer writers";
  CHECK(has_warning(reply, std::string("prefer a domain-qualified finalizer name") + kEnd));
  CHECK(has_warning(reply, std::string("prefer a domain-qualified finalizer name including a path (/)") + kEnd));
  CHECK_FALSE(has_warning(reply, "ex.com/x"));
  auto changed = *Tree::parse(kPruned);
  changed["metadata"]["name"] = "qs.ex.com";
  changed["spec"]["names"] = *Tree::parse(R"({"plural":"qs","singular":"q","kind":"Q","listKind":"QList"})");
  auto& schema = changed["spec"]["versions"].items()[0]["schema"]["openAPIV3Schema"];
  schema["properties"]["spec"]["properties"]["a"]["format"] = "wrong";
  const auto defined = talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", changed.text());
  CHECK(defined.status == 201);
  CHECK(has_warning(defined, "unrecognized format"));
}

TEST_CASE("the OpenAPI documents name the selectable fields of a custom kind") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kPruned).status == 201);
  const auto reply = talk.send("GET", "/openapi/v3/apis/ex.com/v1", "");
  CHECK(reply.body.find(R"("x-kubernetes-selectable-fields":[{"fieldPath":"spec.a"}])") != std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
