// Codes and messages are those of kube-apiserver 1.36.3 for the same requests.
#include "src/sandbox/custom/custom_validation.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/text.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kTs = "/apis/ex.com/v1/namespaces/default/ts";
constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

struct Custom : fixtures::HttpTalk {
  explicit Custom(const std::string& spec) { define(spec); }

  // A kind whose spec has these properties; its status has a required field r and a field n of at most 5.
  void define(const std::string& spec) {
    auto body =
        R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ts.ex.com"},)"
        R"("spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"ts","singular":"t","kind":"T"},"versions":[)"
        R"({"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":)"
        R"({"type":"object","properties":{"spec":{"type":"object","properties":{)" +
        spec + R"(}},"status":{"type":"object","required":["r"],"properties":{"r":{"type":"string"},)" +
        R"("n":{"type":"integer","maximum":5}}}}}}}]}})";
    auto path = std::string(kDefinitions);
    auto done = send("PATCH", path + "/ts.ex.com?fieldManager=t&force=true", body,
                     {{"Content-Type", "application/apply-patch+yaml"}});
    INFO(done.body);
    CHECK(done.status < 300);
  }
  net::Response create(const std::string& spec) {
    return send("POST", kTs, R"({"metadata":{"name":"t"},"spec":)" + spec + "}");
  }
  net::Response patch(const std::string& body, const std::string& subresource = "") {
    return send("PATCH", std::string(kTs) + "/t" + subresource, body,
                {{"Content-Type", "application/merge-patch+json"}});
  }
  static std::string causes(const net::Response& reply) {
    std::vector<std::string> lines;
    auto status = Tree::parse(reply.body);
    const Tree* list = status ? status->at({"details", "causes"}) : nullptr;
    for (const auto& cause : list != nullptr ? list->items() : std::vector<Tree>()) {
      lines.push_back(cause.text_at({"reason"}) + " " + cause.text_at({"field"}) + ": " + cause.text_at({"message"}));
    }
    return base::join(lines, "\n");
  }
};

TEST_CASE("if all alternatives fail, the closest one is reported next to the alternative") {
  Custom talk(R"("any":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},)"
              R"("anyOf":[{"required":["a"]},{"required":["b"]}]})");

  auto reply = talk.create(R"({"any":{}})");

  CHECK(reply.status == 422);
  CHECK(Custom::causes(reply) ==
        "FieldValueInvalid <nil>: Invalid value: \"\": \"spec.any\" must validate at least one schema (anyOf)\n"
        "FieldValueRequired spec.any.a: Required value");
}

TEST_CASE("a write of the status validates only the status") {
  Custom talk(R"("n":{"type":"integer"})");
  REQUIRE(talk.create(R"({"n":1})").status == 201);

  auto missing = talk.patch(R"({"status":{"n":9}})", "/status");
  auto fine = talk.patch(R"({"status":{"r":"x"}})", "/status");

  CHECK(Custom::causes(missing) ==
        "FieldValueInvalid status.n: Invalid value: 9: n in body should be less than or equal to 5\n"
        "FieldValueRequired status.r: Required value");
  CHECK(fine.status == 200);
}

TEST_CASE("an update may retain invalid values that it does not change") {
  const std::string rest = R"(,"l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],)"
                           R"("items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},)"
                           R"("v":{"type":"integer","maximum":)";
  Custom talk(R"("n":{"type":"integer"},"b":{"type":"boolean"})" + rest + "9}}}}");
  REQUIRE(talk.create(R"({"n":3,"l":[{"k":"a","v":3}]})").status == 201);
  talk.define(R"("n":{"type":"integer","maximum":2},"b":{"type":"boolean"})" + rest + "2}}}}");

  auto other = talk.patch(R"({"spec":{"b":true}})");
  auto moved = talk.patch(R"({"spec":{"l":[{"k":"b","v":1},{"k":"a","v":3}]}})");
  auto added = talk.patch(R"({"spec":{"l":[{"k":"b","v":3},{"k":"a","v":3}]}})");
  auto changed = talk.patch(R"({"spec":{"n":4}})");

  CHECK(other.status == 200);
  CHECK(moved.status == 200);
  CHECK(Custom::causes(added) ==
        "FieldValueInvalid spec.l[0].v: Invalid value: 3: spec.l[0].v in body should be less than or equal to 2");
  CHECK(Custom::causes(changed) ==
        "FieldValueInvalid spec.n: Invalid value: 4: spec.n in body should be less than or equal to 2");
}

TEST_CASE("defaults are set at every level, and nulls that the schema does not allow are dropped") {
  Custom talk(R"("d":{"type":"object","default":{},"properties":{"a":{"type":"string","default":"A"}}},)"
              R"("n":{"type":"string","nullable":true},"m":{"type":"string"},"x":{"type":"string","default":"X"},)"
              R"("l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer","default":1}}}})");

  auto reply = talk.create(R"({"n":null,"m":null,"x":null,"l":[{}]})");

  CHECK(*Tree::parse(reply.body)->find("spec") == *Tree::parse(R"({"d":{"a":"A"},"n":null,"x":"X","l":[{"a":1}]})"));
}

TEST_CASE("a schema whose validation takes too long is an error, and the server continues") {
  std::string values;
  for (int i = 0; i < 20'000; ++i) values += (i > 0 ? ",\"v" : "\"v") + std::to_string(i) + "\"";
  Custom talk(R"("l":{"type":"array","items":{"type":"string","enum":[)" + values + "]}}");
  std::string items;
  for (int i = 0; i < 1'000; ++i) items += i > 0 ? ",\"v1\"" : "\"v1\"";

  auto reply = talk.create(R"({"l":[)" + items + "]}");

  CHECK(reply.status == 422);
  CHECK(Custom::causes(reply).find("validating an object of this size with this schema takes too long") !=
        std::string::npos);
}

TEST_CASE("defaults that would make an object too large are rejected") {
  Custom talk(R"("l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","default":")" +
              std::string(200'000, 'a') + "\"}}}}");
  std::string items = "{}";
  for (int i = 0; i < 100; ++i) items += ",{}";

  auto reply = talk.create(R"({"l":[)" + items + "]}");
  auto small = talk.create(R"({"l":[{},{}]})");

  CHECK(reply.status == 413);
  CHECK(small.status == 201);
}

TEST_CASE("comparisons with the former object count toward the limit") {
  const std::string list = R"("o":{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}})";
  Custom talk(list + "}");
  std::string items = "1";
  for (int i = 0; i < 50'000; ++i) items += ",1";
  const auto spec = R"({"o":{"l":[)" + items + "]}}";
  auto made = talk.create(spec);
  REQUIRE(made.status == 201);
  std::string parts = R"({"properties":{"l":{"maxItems":1}}})";
  for (int i = 0; i < 100; ++i) parts += R"(,{"properties":{"l":{"maxItems":1}}})";
  talk.define(list + R"(,"allOf":[)" + parts + "]}");

  auto reply = talk.patch(R"({"spec":)" + spec + "}");

  CHECK(reply.status == 422);
  CHECK(Custom::causes(reply).find("validating an object of this size with this schema takes too long") !=
        std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
