#include "src/sandbox/http/protobuf.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/http/protobuf_encoding.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

std::string field(char number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}

std::string number(char number_of_field, char value) { return {static_cast<char>(number_of_field << 3), value}; }

std::string envelope(const std::string& version, const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + field(1, field(1, version) + field(2, kind)) + field(2, raw);
}

std::string decoded(const std::string& body) {
  auto json = json_of_protobuf(body);
  return json ? *json : json.error().text;
}

TEST_CASE("protobuf of a known kind is converted to JSON") {
  auto metadata = field(1, "a") + field(3, "") + field(8, "") + field(11, field(1, "l") + field(2, "v"));
  auto map = envelope("v1", "ConfigMap",
                      field(1, metadata) + field(2, field(1, "x") + field(2, "1")) + field(2, field(1, "y")) +
                          field(3, field(1, "b") + field(2, "hi")) + number(4, 0));
  auto lease = envelope("coordination.k8s.io/v1", "Lease",
                        field(2, field(1, "") + number(2, 15) + field(4, number(1, 60) + number(2, 0))));

  CHECK(decoded(map) ==
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"l":"v"}},"data":{"x":"1","y":""},)"
        R"("binaryData":{"b":"aGk="},"immutable":false})");
  CHECK(
      decoded(lease) ==
      R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","spec":{"holderIdentity":"","leaseDurationSeconds":15,)"
      R"("renewTime":"1970-01-01T00:01:00.000000Z"}})");
}

TEST_CASE("protobuf has inline messages, quantities, numbers, strings and lists") {
  auto port = field(1, "http") + number(3, 80) + field(4, number(1, 1) + number(2, 0) + field(3, "web"));
  auto service = envelope("v1", "Service", field(2, field(1, port) + field(2, field(1, "app") + field(2, "web"))));
  auto requests = field(2, field(1, "cpu") + field(2, field(1, "2")));
  auto volume = field(1, "v") + field(2, field(2, ""));
  auto pod = envelope("v1", "Pod", field(2, field(1, volume) + field(2, field(1, "c") + field(8, requests))));

  CHECK(decoded(service) == R"({"kind":"Service","apiVersion":"v1","spec":{"ports":[{"name":"http","port":80,)"
                            R"("targetPort":"web"}],"selector":{"app":"web"}}})");
  CHECK(decoded(pod) == R"({"kind":"Pod","apiVersion":"v1","spec":{"volumes":[{"name":"v","emptyDir":{}}],)"
                        R"("containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}]}})");
}

TEST_CASE("unknown protobuf fields are rejected instead of dropped") {
  auto unknown_kind = json_of_protobuf(envelope("apps/v1", "Deploy", ""));
  auto unknown_field = json_of_protobuf(envelope("v1", "ConfigMap", field(9, "x")));
  auto empty_unknown = json_of_protobuf(envelope("v1", "ConfigMap", field(9, "")));

  REQUIRE_FALSE(unknown_kind);
  CHECK(unknown_kind.error().kind == Error::Kind::kInvalid);
  CHECK(unknown_kind.error().text == "Deploy is not supported in protobuf; send JSON");
  REQUIRE_FALSE(unknown_field);
  CHECK(unknown_field.error().text == "field 9 of ConfigMap is not supported in protobuf; send JSON");
  CHECK(empty_unknown);
}

TEST_CASE("a body that is not protobuf is an error") {
  const std::string huge(10, '\xff');
  const std::string bodies[] = {"", "{}", std::string("k8s\0", 4) + "\x0a\x7f", std::string("k8s\0", 4) + huge,
                                envelope("v1", "ConfigMap", "\x0a"), envelope("v1", "ConfigMap", number(1, 1)),
                                envelope("v1", "ConfigMap", field(1, field(8, "\x08" + huge))),
                                // The field number is 1 except for bits beyond the range of field numbers.
                                envelope("v1", "ConfigMap", std::string("\x8a\x80\x80\x80\x80\x01\x00", 7))};

  for (const auto& body : bodies) {
    INFO(::Catch::Detail::stringify(body));
    CHECK_FALSE(json_of_protobuf(body));
  }
}

TEST_CASE("the last of repeated parts of a time counts") {
  const std::string most("\x08\x80\xb4\xc4\xc3\x21", 6);  // 9,000,000,000 s
  auto twice = envelope("v1", "ConfigMap", field(1, field(8, most + most + number(1, 60))));

  CHECK(decoded(twice) ==
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"creationTimestamp":"1970-01-01T00:01:00Z"}})");
}

// A definition with each part of a schema that has another form in protobuf than in JSON.
constexpr const char* kDefinition =
    R"({"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"shops.example.com"},)"
    R"("spec":{"group":"example.com","names":{"plural":"shops","singular":"shop","kind":"Shop","listKind":"ShopList"},)"
    R"("scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
    R"({"type":"object","properties":{"any":{"default":{"a":[1,null]},"x-kubernetes-preserve-unknown-fields":true},)"
    R"("list":{"type":"array","items":{"type":"integer","maximum":10,"minimum":-0.5,"multipleOf":1e-7,"enum":[1,2]}},)"
    R"("map":{"type":"object","additionalProperties":{"type":"string"}},)"
    R"("none":{"type":"object","additionalProperties":false},"some":{"type":"object","additionalProperties":true}}}},)"
    R"("subresources":{"status":{}}}]}})";

TEST_CASE("an object survives protobuf") {
  const std::string objects[] = {
      kDefinition,
      R"({"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.example.com"},"spec":)"
      R"({"service":{"namespace":"a","name":"b","port":443},"group":"example.com","version":"v1","caBundle":"YQ==",)"
      R"("groupPriorityMinimum":10,"versionPriority":-1}})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":"2026-01-02T03:04:05Z",)"
      R"("labels":{"a":"","b":"c"},"managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]},)"
      R"("spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1Gi"}}],"containers":[{"name":"c","resources":)"
      R"({"requests":{"cpu":"2"}},"livenessProbe":{"httpGet":{"port":"web"}},"readinessProbe":{"httpGet":)"
      R"({"port":80}}}],"terminationGracePeriodSeconds":0}})",
      R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","spec":{"holderIdentity":"",)"
      R"("renewTime":"2026-01-02T03:04:05.000006Z"}})",
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":"Invalid","details":)"
      R"({"name":"n","causes":[{"reason":"r","field":"f"}],"retryAfterSeconds":1},"code":422})"};
  for (const auto& object : objects)
    CHECK(Tree::parse(decoded(protobuf_of(*Tree::parse(object))))->text() == Tree::parse(object)->text());
}

TEST_CASE("objects, lists, events and errors are in protobuf for clients that request it") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.create_map("m"));
  const net::Headers accept{{"Accept", "application/vnd.kubernetes.protobuf, application/json"}};
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const auto one = talk.send("GET", maps + "/m", "", accept);
  const auto all = talk.send("GET", maps, "", accept);
  const auto events = talk.send("GET", maps + "?watch=1&timeoutSeconds=1", "", accept);
  const auto missing = talk.send("GET", maps + "/x", "", accept);

  CHECK(net::header(one.headers, "Content-Type") == "application/vnd.kubernetes.protobuf");
  CHECK(decoded(one.body).find(R"("metadata":{"name":"m","namespace":"default",)") != std::string::npos);
  CHECK(net::header(all.headers, "Content-Type") == "application/vnd.kubernetes.protobuf");
  CHECK(all.body.starts_with(std::string("k8s\0\n\x13\n\x02v1\x12\rConfigMapList\x12", 25)));
  CHECK(net::header(events.headers, "Content-Type") == "application/vnd.kubernetes.protobuf;stream=watch");
  CHECK(
      events.body.substr(4).starts_with("\n\x05"
                                        "ADDED\x12"));
  CHECK(events.body.size() ==
        4 + static_cast<unsigned char>(events.body[2]) * 256U + static_cast<unsigned char>(events.body[3]));
  CHECK(missing.status == 404);
  CHECK(decoded(missing.body).find(R"("message":"configmaps \"x\" not found")") != std::string::npos);
}

TEST_CASE("a definition is created from protobuf") {
  fixtures::HttpTalk talk;
  const std::string binary = "application/vnd.kubernetes.protobuf";
  const auto created =
      talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                protobuf_of(*Tree::parse(kDefinition)), {{"Content-Type", binary}, {"Accept", binary}});
  INFO(created.body);
  CHECK(created.status == 201);
  CHECK(decoded(created.body).find(R"("additionalProperties":false)") != std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
