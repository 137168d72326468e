// The errors of kube-apiserver 1.36.3 for values of a custom kind: each row was recorded from it.
#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/tree.hpp"
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

struct Row {
  const char* spec;
  const char* why;  // empty: valid
};

TEST_CASE("values of a custom kind are validated as by the API server, with its messages") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition).status == 201);
  const Row rows[] = {
      {R"({})", R"()"},
      {R"({"n":1})", R"(spec.n: Invalid value: 1: spec.n in body should be greater than or equal to 2)"},
      {R"({"n":6})", R"(spec.n: Invalid value: 6: spec.n in body should be less than or equal to 5)"},
      {R"({"n":"3"})", R"(spec.n: Invalid value: "string": spec.n in body must be of type integer: "string")"},
      {R"({"n":3.0})", R"()"},
      {R"({"n":null})", R"()"},
      {R"({"x":1.5})", R"(spec.x: Invalid value: 1.5: spec.x in body should be greater than 1.5)"},
      {R"({"x":1})", R"(spec.x: Invalid value: 1: spec.x in body should be greater than 1)"},
      {R"({"x":20000000.0})", R"(spec.x: Invalid value: 2e+07: spec.x in body should be less than 1e+07)"},
      {R"({"x":"a"})", R"(spec.x: Invalid value: "string": spec.x in body must be of type number: "string")"},
      {R"({"m":4})", R"(spec.m: Invalid value: 4: spec.m in body should be a multiple of 3)"},
      {R"({"mf":0.3})", R"(spec.mf: Invalid value: 0.3: spec.mf in body should be a multiple of 0.5)"},
      {R"({"mf":2})", R"(spec.mf: Invalid value: 0: factor MultipleOf declared for spec.mf must be positive: 0)"},
      {R"({"i32":3000000000})",
       R"(<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.)"
       R"(i32)"},
      {R"({"i32":true})", R"(spec.i32: Invalid value: "": spec.i32 in body must be of type int32: "")"},
      {R"({"i32":"a"})", R"(spec.i32: Invalid value: "string": spec.i32 in body must be of type integer: "string")"},
      {R"({"fl":1e+300})",
       R"(<nil>: Invalid value: "": Checked value must be of type number with format float in spec.f)"
       R"(l)"},
      {R"({"s":"a"})", R"(spec.s: Invalid value: "a": spec.s in body should be at least 2 chars long)"},
      {R"({"s":"abcd"})", R"(spec.s: Too long: may not be more than 3 bytes)"},
      {R"({"s":"äöü"})", R"()"},
      {R"({"s":1})", R"(spec.s: Invalid value: "integer": spec.s in body must be of type string: "integer")"},
      {R"({"s":null})", R"()"},
      {R"({"p":"b"})", R"(spec.p: Invalid value: "b": spec.p in body should match '^a+$')"},
      {R"({"p":"aaa"})", R"()"},
      {R"({"e":"c"})", R"(spec.e: Unsupported value: "c": supported values: "a", "b")"},
      {R"({"e":null})", R"()"},
      {R"({"en":3})", R"(spec.en: Unsupported value: 3: supported values: "1", "2")"},
      {R"({"en":1.0})", R"()"},
      {R"({"b":"true"})", R"(spec.b: Invalid value: "string": spec.b in body must be of type boolean: "string")"},
      {R"({"b":1})", R"(spec.b: Invalid value: "integer": spec.b in body must be of type boolean: "integer")"},
      {R"({"l":[]})", R"(spec.l: Invalid value: 0: spec.l in body should have at least 1 items)"},
      {R"({"l":["a","b","c"]})", R"(spec.l: Too many: 3: must have at most 2 items)"},
      {R"({"l1":["a","b"]})", R"(spec.l1: Too many: 2: must have at most 1 item)"},
      {R"({"l":[1,"a"]})",
       R"(spec.l[0]: Invalid value: "integer": spec.l[0] in body must be of type string: "integer")"},
      {R"({"l":"a"})", R"(spec.l: Invalid value: "string": spec.l in body must be of type array: "string")"},
      {R"({"l":[null]})", R"(spec.l[0]: Invalid value: "null": spec.l[0] in body must be of type string: "null")"},
      {R"({"l":{}})", R"(spec.l: Invalid value: "object": spec.l in body must be of type array: "object")"},
      {R"({"o":{"b":"x"}})", R"(spec.o.a: Required value)"},
      {R"({"o":[]})", R"(spec.o: Invalid value: "array": spec.o in body must be of type object: "array")"},
      {R"({"o":"x"})", R"(spec.o: Invalid value: "string": spec.o in body must be of type object: "string")"},
      {R"({"o":null})", R"()"},
      {R"({"map":{"a":1,"b":2,"c":3}})", R"(spec.map: Too many: 3: must have at most 2 items)"},
      {R"({"map":{"a":"x"}})",
       R"(spec.map.a: Invalid value: "string": spec.map.a in body must be of type integer: "string")"},
      {R"({"map":{"a":null}})", R"()"},
      {R"({"set":["a","b","a","a"]})", R"(spec.set[2]: Duplicate value: "a")"},
      {R"({"lm":[{"k":"a"},{"k":"a"}]})", R"(spec.lm[1]: Duplicate value: {"k":"a"})"},
      {R"({"lm":[{"v":1}]})", R"(spec.lm[0].k: Required value)"},
      {R"({"lm2":[{"k":"a","q":1},{"k":"a","q":1}]})", R"(spec.lm2[1]: Duplicate value: {"k":"a","q":1})"},
      {R"({"ios":"a"})", R"(spec.ios: Invalid value: "a": spec.ios in body should match '^[0-9]+%$')"},
      {R"({"ios":5})", R"()"},
      {R"({"ios2":{}})", R"(spec.ios2: Invalid value: "object": spec.ios2 in body must be of type integer,string: "obj)"
                         R"(ect")"},
      {R"({"ios2":"x"})", R"()"},
      {R"({"nul":null,"nul2":null,"nuld":null})", R"()"},
      {R"({"any":{"a":1}})",
       R"(spec.any.a: Invalid value: "integer": spec.any.a in body must be of type string: "integer")"},
      {R"({"any":{"a":"x","b":"y"}})", R"()"},
      {R"({"one":{"a":"x","b":"y"}})",
       R"(<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found )"
       R"(2 valid alternatives)"},
      {R"({"not":{"a":"x"}})", R"(<nil>: Invalid value: "": "spec.not" must not validate the schema (not))"},
      {R"({"not":{}})", R"()"},
      {R"({"emb":{"apiVersion":"v1","kind":""}})", R"(spec.emb.kind: Invalid value: "": must not be empty)"},
      {R"({"emb":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}})", R"()"},
      {R"({"f-date":"2020-01-02"})", R"()"},
      {R"({"f-date-time":"2020-01-02T10:00:00Z"})", R"()"},
      {R"({"f-duration":"3 days"})", R"()"},
      {R"({"f-byte":"YQ=="})", R"()"},
      {R"({"f-ipv4":"1.2.3.4"})", R"()"},
      {R"({"f-ipv6":"::1"})", R"()"},
      {R"({"f-cidr":"::/0"})", R"()"},
      {R"({"f-uuid":"123e4567-e89b-12d3-a456-426614174000"})", R"()"},
      {R"({"f-uri":"/x"})", R"()"},
      {R"({"f-email":"A <a@b.c>"})", R"()"},
      {R"({"f-hostname":"host.example.com"})", R"()"},
      {R"({"f-mac":"00:11:22:33:44:55"})", R"()"},
      {R"({"f-hexcolor":"#fff"})", R"()"},
      {R"({"f-date":"x y"})", R"(spec.f-date: Invalid value: "x y": spec.f-date in body must be of type date: "x y")"},
      {R"({"f-date-time":"x y"})",
       R"(spec.f-date-time: Invalid value: "x y": spec.f-date-time in body must be of type date-time)"
       R"(: "x y")"},
      {R"({"f-duration":"x y"})",
       R"(spec.f-duration: Invalid value: "x y": spec.f-duration in body must be of type duration: ")"
       R"(x y")"},
      {R"({"f-byte":"x y"})", R"(spec.f-byte: Invalid value: "x y": spec.f-byte in body must be of type byte: "x y")"},
      {R"({"f-ipv4":"x y"})", R"(spec.f-ipv4: Invalid value: "x y": spec.f-ipv4 in body must be of type ipv4: "x y")"},
      {R"({"f-ipv6":"x y"})", R"(spec.f-ipv6: Invalid value: "x y": spec.f-ipv6 in body must be of type ipv6: "x y")"},
      {R"({"f-cidr":"x y"})", R"(spec.f-cidr: Invalid value: "x y": spec.f-cidr in body must be of type cidr: "x y")"},
      {R"({"f-uuid":"x y"})", R"(spec.f-uuid: Invalid value: "x y": spec.f-uuid in body must be of type uuid: "x y")"},
      {R"({"f-uri":"x y"})", R"(spec.f-uri: Invalid value: "x y": spec.f-uri in body must be of type uri: "x y")"},
      {R"({"f-email":"x y"})",
       R"(spec.f-email: Invalid value: "x y": spec.f-email in body must be of type email: "x y")"},
      {R"({"f-hostname":"x y"})",
       R"(spec.f-hostname: Invalid value: "x y": spec.f-hostname in body must be of type hostname: ")"
       R"(x y")"},
      {R"({"f-mac":"x y"})", R"(spec.f-mac: Invalid value: "x y": spec.f-mac in body must be of type mac: "x y")"},
      {R"({"f-hexcolor":"x y"})",
       R"(spec.f-hexcolor: Invalid value: "x y": spec.f-hexcolor in body must be of type hexcolor: ")"
       R"(x y")"},
      {R"({"f-date":"2020-02-30"})",
       R"(spec.f-date: Invalid value: "2020-02-30": spec.f-date in body must be of type date: "2020-)"
       R"(02-30")"},
      {R"({"f-ipv4":"::1"})", R"(spec.f-ipv4: Invalid value: "::1": spec.f-ipv4 in body must be of type ipv4: "::1")"},
      {R"({"f-byte":""})", R"(spec.f-byte: Invalid value: "": spec.f-byte in body must be of type byte: "")"},
  };
  for (const auto& row : rows) {
    auto reply = talk.send("POST", "/apis/ex.com/v1/namespaces/default/ts?dryRun=All",
                           std::string(R"({"metadata":{"name":"t"},"spec":)") + row.spec + "}");
    CAPTURE(row.spec, reply.body);
    const auto why = std::string(row.why);
    CHECK(reply.status == (why.empty() ? 201 : 422));
    if (!why.empty()) CHECK(Tree::parse(reply.body)->text_at({"message"}) == "T.ex.com \"t\" is invalid: " + why);
  }
}

}  // namespace
}  // namespace keelson::sandbox
