#include "src/sandbox/http/protobuf.hpp"

#include <catch2/catch_test_macros.hpp>

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

}  // namespace
}  // namespace keelson::sandbox
