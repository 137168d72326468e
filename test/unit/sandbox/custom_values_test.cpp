// The errors of kube-apiserver 1.36.3 for values of a custom kind: each row was recorded from it.
#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/storage/tree.hpp"
#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinition =
    R"({"metadata":{"name":"ts.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"ts",)"
    R"("singular":"t","kind":"T"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
    R"({"type":"object","properties":{"spec":{"type":"object","properties":)"
    R"({"n":{"type":"integer","minimum":2,"maximum":5},"x":{"type":"number","exclusiveMinimum":true,"minimu)"
    R"(m":1.5,"exclusiveMaximum":true,"maximum":10000000.0},"m":{"type":"integer","multipleOf":3},"mf":{"ty)"
    R"(pe":"number","multipleOf":0.5},"i32":{"type":"integer","format":"int32"},"i64":{"type":"integer","fo)"
    R"(rmat":"int64"},"fl":{"type":"number","format":"float"},"s":{"type":"string","minLength":2,"maxLength)"
    R"(":3},"p":{"type":"string","pattern":"^a+$"},"e":{"type":"string","enum":["a","b"]},"en":{"type":"int)"
    R"(eger","enum":[1,2]},"b":{"type":"boolean"},"l":{"type":"array","items":{"type":"string"},"minItems":)"
    R"(1,"maxItems":2},"l1":{"type":"array","items":{"type":"string"},"maxItems":1},"o":{"type":"object","p)"
    R"(roperties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"minProperties":1},"map":{)"
    R"("type":"object","additionalProperties":{"type":"integer"},"maxProperties":2},"set":{"type":"array",")"
    R"(x-kubernetes-list-type":"set","items":{"type":"string"}},"lm":{"type":"array","x-kubernetes-list-typ)"
    R"(e":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{)"
    R"("k":{"type":"string"},"v":{"type":"integer","maximum":3}}}},"lm2":{"type":"array","x-kubernetes-list)"
    R"(-type":"map","x-kubernetes-list-map-keys":["k","q"],"items":{"type":"object","required":["k","q"],"p)"
    R"(roperties":{"k":{"type":"string"},"q":{"type":"integer"}}}},"ios":{"x-kubernetes-int-or-string":true)"
    R"(,"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"^[0-9]+%$"},"ios2":{"x-kubernetes-int-or-)"
    R"(string":true},"nul":{"type":"string","nullable":true},"nul2":{"type":"string"},"nuld":{"type":"strin)"
    R"(g","default":"d"},"any":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},)"
    R"("anyOf":[{"required":["a"]},{"required":["b"]}]},"one":{"type":"object","properties":{"a":{"type":"s)"
    R"(tring"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]},"all":{"type":"objec)"
    R"(t","properties":{"a":{"type":"string"},"b":{"type":"string"}},"allOf":[{"required":["a"]},{"properti)"
    R"(es":{"b":{"minLength":3}}}]},"not":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":)"
    R"("string"}},"not":{"required":["a"]}},"emb":{"type":"object","x-kubernetes-embedded-resource":true,"x)"
    R"(-kubernetes-preserve-unknown-fields":true},"def":{"type":"object","default":{},"properties":{"a":{"t)"
    R"(ype":"string","default":"A"},"c":{"type":"integer","default":3}}},"f-date":{"type":"string","format")"
    R"(:"date"},"f-date-time":{"type":"string","format":"date-time"},"f-duration":{"type":"string","format")"
    R"(:"duration"},"f-byte":{"type":"string","format":"byte"},"f-ipv4":{"type":"string","format":"ipv4"},")"
    R"(f-ipv6":{"type":"string","format":"ipv6"},"f-cidr":{"type":"string","format":"cidr"},"f-uuid":{"type)"
    R"(":"string","format":"uuid"},"f-uri":{"type":"string","format":"uri"},"f-email":{"type":"string","for)"
    R"(mat":"email"},"f-hostname":{"type":"string","format":"hostname"},"f-mac":{"type":"string","format":")"
    R"(mac"},"f-hexcolor":{"type":"string","format":"hexcolor"}})"
    R"(}}}}}]}})";

TEST_CASE("values of a custom kind are validated as by the API server, with its messages") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition).status == 201);
  for (const auto& row : testing::data_rows("test/unit/sandbox/custom_values.txt", {"spec", "why"})) {
    auto reply = talk.send("POST", "/apis/ex.com/v1/namespaces/default/ts?dryRun=All",
                           R"({"metadata":{"name":"t"},"spec":)" + row["spec"] + "}");
    CAPTURE(row.place(), row["spec"], reply.body);
    const auto why = row["why"];
    CHECK(reply.status == (why.empty() ? 201 : 422));
    if (!why.empty()) CHECK(Tree::parse(reply.body)->text_at({"message"}) == "T.ex.com \"t\" is invalid: " + why);
  }
}

}  // namespace
}  // namespace keelson::sandbox
