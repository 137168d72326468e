// Codes and messages are those of kube-apiserver 1.36.3 for the same requests.
#include "src/sandbox/fields/field_validation.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::HttpTalk;

constexpr const char* kDeployments = "/apis/apps/v1/namespaces/default/deployments";
constexpr const char* kFoos = "/apis/ex.com/v1/namespaces/default/foos";
constexpr const char* kDecoding = "Deployment in version \"v1\" cannot be handled as a Deployment: ";

const char* const kFooDefinition = R"({"metadata":{"name":"foos.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced",
    "names":{"plural":"foos","singular":"foo","kind":"Foo"},"versions":[{"name":"v1","served":true,"storage":true,
    "subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
    "spec":{"type":"object","properties":{"size":{"type":"integer"},"any":{"type":"object",
    "x-kubernetes-preserve-unknown-fields":true},"list":{"type":"array","items":{"type":"object","properties":{
    "a":{"type":"string"}}}},"map":{"type":"object","additionalProperties":{"type":"string"}}}}}}}}]}})";

struct Validation : HttpTalk {
  std::string message(const net::Response& response) {
    auto status = Tree::parse(response.body);
    return status ? status->text_at({"message"}) : "";
  }
  static std::string warnings(const net::Response& response) {
    std::string all;
    for (const auto& [name, value] : response.headers) {
      if (name == "Warning") all += value + "\n";
    }
    return all;
  }
  // A Deployment with further members in its spec and in its container.
  static std::string deployment(const std::string& spec, const std::string& container = "") {
    return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{)" + spec +
           R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":)" +
           R"([{"name":"c","image":"i")" + container + "}]}}}}";
  }
  net::Response create(const std::string& body, const std::string& query = "") {
    return send("POST", std::string(kDeployments) + query, body);
  }
  net::Response patch(const std::string& type, const std::string& body, const std::string& query = "") {
    return send("PATCH", std::string(kDeployments) + "/d" + query, body, {{"Content-Type", "application/" + type}});
  }
};

TEST_CASE("unknown fields of a built-in kind are dropped with a warning each, or rejected with Strict") {
  Validation talk;
  const auto body = Validation::deployment(R"("replcas":3,)", R"(,"imge":"x")");

  auto strict = talk.create(body, "?fieldValidation=Strict");
  auto ignored = talk.create(body, "?fieldValidation=Ignore&dryRun=All");
  auto warned = talk.create(body);

  CHECK(strict.status == 400);
  CHECK(talk.message(strict) == std::string(kDecoding) + "strict decoding error: unknown field \"spec.replcas\", " +
                                    "unknown field \"spec.template.spec.containers[0].imge\"");
  CHECK(ignored.status == 201);
  CHECK(Validation::warnings(ignored).empty());
  CHECK(warned.status == 201);
  CHECK(Validation::warnings(warned) ==
        "299 - \"unknown field \\\"spec.replcas\\\"\"\n"
        "299 - \"unknown field \\\"spec.template.spec.containers[0].imge\\\"\"\n");
  CHECK(warned.body.find("replcas") == std::string::npos);
  CHECK(warned.body.find("imge") == std::string::npos);
}

TEST_CASE("the last of duplicate fields counts, and there is a warning") {
  Validation talk;
  const auto body = Validation::deployment(R"("replicas":1,"replicas":2,)");

  auto strict = talk.create(body, "?fieldValidation=Strict");
  auto warned = talk.create(body);

  CHECK(talk.message(strict) == std::string(kDecoding) + "strict decoding error: duplicate field \"spec.replicas\"");
  CHECK(Validation::warnings(warned) == "299 - \"duplicate field \\\"spec.replicas\\\"\"\n");
  CHECK(Tree::parse(warned.body)->integer_at({"spec", "replicas"}) == 2);
}

TEST_CASE("values of a wrong type are rejected with the messages of Go's decoder") {
  struct Row {
    const char* spec;
    const char* container;
    const char* why;
  };
  const Row rows[] = {
      {R"("replicas":"3",)", "",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"},
      {R"("replicas":1.5,)", "",
       "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"},
      {R"("replicas":3000000000,)", "",
       "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32"},
      {R"("paused":"true",)", "",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool"},
      {R"("strategy":[],)", "",
       "json: cannot unmarshal array into Go struct field DeploymentSpec.spec.strategy of type v1.DeploymentStrategy"},
      {R"("strategy":{"rollingUpdate":{"maxSurge":true}},)", "",
       "json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge "
       "of type int32"},
      {"", R"(,"ports":{})",
       "json: cannot unmarshal object into Go struct field Container.spec.template.spec.containers.ports of type "
       "[]v1.ContainerPort"},
      {"", R"(,"ports":[{"containerPort":"80"}])",
       "json: cannot unmarshal string into Go struct field "
       "ContainerPort.spec.template.spec.containers.ports.containerPort of type int32"},
      {"", R"(,"env":["a"])",
       "json: cannot unmarshal string into Go struct field Container.spec.template.spec.containers.env of type "
       "v1.EnvVar"},
      {"", R"(,"command":[1])",
       "json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.command of type "
       "string"},
      {"", R"(,"resources":{"limits":3})",
       "json: cannot unmarshal number into Go struct field "
       "ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList"},
      {"", R"(,"resources":{"limits":{"cpu":"abc"}})",
       "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
  };

  for (const auto& row : rows) {
    Validation talk;
    auto rejected = talk.create(Validation::deployment(row.spec, row.container), "?fieldValidation=Ignore");
    CHECK(rejected.status == 400);
    CHECK(talk.message(rejected) == kDecoding + std::string(row.why));
  }
}

TEST_CASE("metadata, bytes and times have types too") {
  Validation talk;
  auto rejection_of = [&talk](const std::string& path, const std::string& body) {
    return talk.message(talk.send("POST", path, body));
  };
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const std::string decoding = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ";

  CHECK(rejection_of(maps, R"({"metadata":{"name":"a","labels":{"a":1}}})") ==
        decoding + "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string");
  CHECK(rejection_of(maps, R"({"metadata":{"name":"a","creationTimestamp":"abc"}})") ==
        decoding + R"(parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006")");
  CHECK(rejection_of(maps, R"({"metadata":{"name":"a","creationTimestamp":"2020-01-01"}})") ==
        decoding + R"(parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T")");
  CHECK(rejection_of(maps, R"({"metadata":{"name":"a"},"data":[]})") ==
        decoding + "json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string");
  CHECK(rejection_of(maps, R"({"metadata":{"name":"a"},"binaryData":{"a":"%%%"}})") ==
        decoding + "illegal base64 data at input byte 0");
  CHECK(rejection_of(maps, R"({"metadata":{"name":"a"},"binaryData":{"a":1}})") ==
        decoding + "json: cannot unmarshal number into Go struct field ConfigMap.binaryData of type []uint8");
}

TEST_CASE("nulls count as absent, and numbers of quantities become strings") {
  Validation talk;

  auto made = talk.create(Validation::deployment(R"("replicas":null,)", R"(,"resources":{"limits":{"cpu":1}})"));

  REQUIRE(made.status == 201);
  auto object = *Tree::parse(made.body);
  CHECK(object.integer_at({"spec", "replicas"}) == 1);
  CHECK(made.body.find(R"("cpu":"1")") != std::string::npos);
  CHECK(Validation::warnings(made).empty());
}

TEST_CASE("the object that results from a patch is validated") {
  Validation talk;
  REQUIRE(talk.create(Validation::deployment("")).status == 201);
  const std::string body = R"({"spec":{"foo":1,"replicas":1,"replicas":2}})";
  const std::string findings = "strict decoding error: duplicate field \"spec.replicas\", unknown field \"spec.foo\"";

  auto strategic = talk.patch("strategic-merge-patch+json", body, "?fieldValidation=Strict");
  auto merge = talk.patch("merge-patch+json", body, "?fieldValidation=Strict");
  auto json = talk.patch("json-patch+json", R"([{"op":"add","path":"/spec/foo","value":1}])");

  CHECK(strategic.status == 422);
  CHECK(talk.message(strategic) ==
        " \"\" is invalid: patch: Invalid value: \"map[spec:map[foo:1 replicas:2]]\": " + findings);
  CHECK(merge.status == 422);
  CHECK(talk.message(merge).ends_with(": " + findings));
  CHECK(json.status == 200);
  CHECK(Validation::warnings(json) == "299 - \"unknown field \\\"spec.foo\\\"\"\n");
  CHECK(json.body.find("foo") == std::string::npos);
}

TEST_CASE("a patch with a wrong type is a 422 with the message of its kind of patch") {
  Validation talk;
  REQUIRE(talk.create(Validation::deployment("")).status == 201);
  auto strategic = [&talk](const std::string& body) {
    return talk.message(talk.patch("strategic-merge-patch+json", body));
  };
  const std::string start = " \"\" is invalid: patch: Invalid value: ";

  CHECK(strategic(R"({"spec":{"replicas":"x"}})") == start + "\"map[spec:map[replicas:x]]\": unrecognized type: int32");
  CHECK(strategic(R"({"spec":{"replicas":1.5}})") ==
        start + "\"map[spec:map[replicas:1.5]]\": cannot convert float64 to int32");
  CHECK(strategic(R"({"metadata":{"labels":"x"}})") ==
        start + "\"map[metadata:map[labels:x]]\": cannot restore map from string");
  CHECK(strategic(R"({"spec":[1]})") == start + "\"map[spec:[1]]\": cannot restore struct from: slice");
  CHECK(talk.message(talk.patch("merge-patch+json", R"({"spec":{"replicas":"x"}})"))
            .ends_with(": json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type "
                       "int32"));
}

TEST_CASE("a rejected write has the warnings of its own version of the kind, whatever rejects it") {
  Validation talk;
  REQUIRE(talk.create(Validation::deployment("")).status == 201);

  const auto patched = talk.patch("merge-patch+json", R"({"spec":{"foo":1,"replicas":-1}})");
  const auto misplaced = talk.create(R"({"metadata":{"name":"e","namespace":"other"},"foo":1})");
  const auto event =
      talk.send("POST", "/apis/events.k8s.io/v1/namespaces/default/events",
                R"({"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000001Z","regarding":{"kind":"Pod"}})");

  CHECK(patched.status == 422);
  CHECK(Validation::warnings(patched) == "299 - \"unknown field \\\"spec.foo\\\"\"\n");
  CHECK(misplaced.status == 400);
  CHECK(Validation::warnings(misplaced) == "299 - \"unknown field \\\"foo\\\"\"\n");
  CHECK(event.status == 422);
  CHECK(Validation::warnings(event).empty());
}

TEST_CASE("a patch that changes the kind to one that no type has is rejected by the decoder") {
  Validation talk;
  REQUIRE(talk.create(Validation::deployment("")).status == 201);
  const auto patched = [&talk](const std::string& type, const std::string& body) {
    const auto response = talk.patch(type, body);
    return std::to_string(response.status) + " " + talk.message(response);
  };
  const std::string end = R"( is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111")";

  CHECK(patched("json-patch+json", R"([{"op":"replace","path":"/kind","value":"Other"}])")
            .ends_with(R"(: no kind "Other")" + end));
  CHECK(patched("merge-patch+json", R"({"kind":"Other"})").starts_with("422 "));
  CHECK(patched("merge-patch+json", R"({"apiVersion":"apps/v9"})")
            .ends_with(
                R"(: no kind "Deployment" is registered for version "apps/v9" in scheme "pkg/runtime/scheme.go:111")"));
  CHECK(patched("merge-patch+json", R"({"metadata":{"labels":{"a":"b"}}})").starts_with("200 "));
}

TEST_CASE("a strategic patch with a number for bytes has the error of Go's conversion") {
  Validation talk;
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  REQUIRE(talk.send("POST", secrets, R"({"metadata":{"name":"s"}})").status == 201);
  const auto patched = [&](const std::string& body) {
    return talk.message(
        talk.send("PATCH", secrets + "/s", body, {{"Content-Type", "application/strategic-merge-patch+json"}}));
  };
  const std::string start = " \"\" is invalid: patch: Invalid value: ";

  CHECK(patched(R"({"data":{"a":1}})") == start + "\"map[data:map[a:1]]\": cannot restore slice from int64");
  CHECK(patched(R"({"data":{"a":"?"}})") ==
        start + "\"map[data:map[a:?]]\": error decoding from json: illegal base64 data at input byte 0");
}

TEST_CASE("an applied object must match the schema, whatever the fieldValidation") {
  Validation talk;
  auto apply = [&talk](const std::string& members) {
    return talk.patch("apply-patch+yaml",
                      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},)" + members + "}",
                      "?fieldManager=x&fieldValidation=Ignore");
  };
  const std::string start = "failed to create typed patch object (/d; apps/v1, Kind=Deployment): ";

  auto unknown = apply(R"("spec":{"foo":1})");

  CHECK(unknown.status == 500);
  CHECK(talk.message(unknown) == start + ".spec.foo: field not declared in schema");
  CHECK(talk.message(apply(R"("spec":{"replicas":"x"})")) ==
        start + ".spec.replicas: expected numeric (int or float), got string");
  CHECK(talk.message(apply(R"("spec":{"template":{"spec":{"containers":[{"name":"c","imge":3}]}}})")) ==
        start + ".spec.template.spec.containers[name=\"c\"].imge: field not declared in schema");
  CHECK(talk.message(apply(R"("spec":{"template":{"spec":{"containers":[{"name":"c","image":3}]}}})")) ==
        start +
            ".spec.template.spec.containers[name=\"c\"].image: expected string, got "
            "&value.valueUnstructured{Value:3}");
  CHECK(talk.message(apply(R"("spec":{"template":{"spec":{"containers":[{"name":"c"},{"name":"c"}]}}})")) ==
        start + ".spec.template.spec.containers: duplicate entries for key [name=\"c\"]");
}

TEST_CASE(
    "fields that the schema of a custom kind does not declare are dropped, except where it preserves unknown fields") {
  Validation talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kFooDefinition).status == 201);
  const std::string body = R"({"apiVersion":"ex.com/v1","kind":"Foo","metadata":{"name":"f","baz":2},"bar":1,"spec":)"
                           R"({"size":1,"siz":1,"any":{"x":1},"map":{"q":"z"},"list":[{"a":"x","b":1}]}})";

  auto strict = talk.send("POST", std::string(kFoos) + "?fieldValidation=Strict", body);
  auto made = talk.send("POST", kFoos, body);
  auto applied = talk.send("PATCH", std::string(kFoos) + "/f?fieldManager=x",
                           R"({"apiVersion":"ex.com/v1","kind":"Foo","metadata":{"name":"f"},"spec":{"x":1}})",
                           {{"Content-Type", "application/apply-patch+yaml"}});

  CHECK(strict.status == 400);
  CHECK(talk.message(strict) ==
        "Foo in version \"v1\" cannot be handled as a Foo: strict decoding error: unknown field \"metadata.baz\", "
        "unknown field \"bar\", unknown field \"spec.list[0].b\", unknown field \"spec.siz\"");
  REQUIRE(made.status == 201);
  CHECK(Tree::parse(made.body)->find("spec")->text() ==
        R"({"size":1,"any":{"x":1},"map":{"q":"z"},"list":[{"a":"x"}]})");
  CHECK(talk.message(applied) ==
        "failed to create typed patch object (/f; ex.com/v1, Kind=Foo): .spec.x: field not declared in schema");
}

TEST_CASE("the reports of unknown fields have a limit, whatever their number and the length of their names") {
  Validation talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kFooDefinition).status == 201);
  std::string items;
  for (int i = 0; i < 1000; ++i) {
    items += (i > 0 ? ",{\"" : "{\"") + std::string(1000, 'x') + std::to_string(i) + "\":1}";
  }
  const auto body =
      R"({"apiVersion":"ex.com/v1","kind":"Foo","metadata":{"name":"f"},"spec":{"list":[)" + items + "]}}";

  auto strict = talk.send("POST", std::string(kFoos) + "?fieldValidation=Strict", body);
  auto made = talk.send("POST", kFoos, body);

  CHECK(strict.status == 400);
  CHECK(strict.body.size() < 150'000);
  REQUIRE(made.status == 201);
  CHECK(Validation::warnings(made).size() < 6000);
  CHECK(made.body.size() < 20'000);
}

TEST_CASE("fieldValidation has three values") {
  Validation talk;

  auto rejected = talk.create(Validation::deployment(""), "?fieldValidation=Foo");

  CHECK(rejected.status == 422);
  CHECK(talk.message(rejected) ==
        "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"Foo\": supported values: "
        "\"\", \"Ignore\", \"Strict\", \"Warn\"");
}

}  // namespace
}  // namespace keelson::sandbox
