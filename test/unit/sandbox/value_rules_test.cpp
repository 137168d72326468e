// The errors of kube-apiserver 1.36.3 for rules and for objects that break them: each row was recorded from it.
#include "src/sandbox/custom/value_rules.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr const char* kCs = "/apis/ex.com/v1/namespaces/default/cs";
constexpr const char* kSpec =
    R"({"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"},"m":{"type":"integer"},")"
    R"(d":{"type":"number"},"b":{"type":"boolean"},"l":{"type":"array","maxItems":10,"items":{"type":"strin)"
    R"(g","maxLength":20}},"li":{"type":"array","maxItems":10,"items":{"type":"integer"}},"map":{"type":"ob)"
    R"(ject","maxProperties":5,"additionalProperties":{"type":"string","maxLength":20}},"ios":{"x-kubernete)"
    R"(s-int-or-string":true},"a-b":{"type":"string"},"namespace":{"type":"string"},"t":{"type":"string","f)"
    R"(ormat":"date-time"},"du":{"type":"string","format":"duration"},"lm":{"type":"array","maxItems":10,"x)"
    R"(-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":)"
    R"(["k"],"properties":{"k":{"type":"string","maxLength":9},"v":{"type":"integer"}}}},"set":{"type":"arr)"
    R"(ay","maxItems":10,"x-kubernetes-list-type":"set","items":{"type":"string","maxLength":9}},"by":{"typ)"
    R"(e":"string","format":"byte"},"q":{"type":"string","maxLength":20},"o":{"type":"object","properties":)"
    R"({"x":{"type":"integer"}}}}})";

std::string definition(const std::string& rules) {
  auto spec = *Tree::parse(kSpec);
  spec["x-kubernetes-validations"] = *Tree::parse(rules);
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"cs.ex.com"},)"
         R"("spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"cs","singular":"c","kind":"C"},"versions":[)"
         R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)" +
         spec.text() + "}}}}]}}";
}

std::string with_rule(const std::string& rule) {
  return definition(Tree::array({Tree::object({{"rule", rule}})}).text());
}

net::Response define(fixtures::HttpTalk& talk, const std::string& body) {
  return talk.send("PATCH", std::string(kDefinitions) + "/cs.ex.com?fieldManager=t&force=true", body,
                   {{"Content-Type", "application/apply-patch+yaml"}});
}

std::string causes(const net::Response& reply) {
  std::string text;
  auto status = Tree::parse(reply.body);
  const Tree* list = status ? status->at({"details", "causes"}) : nullptr;
  for (const auto& cause : list != nullptr ? list->items() : std::vector<Tree>()) {
    text += (text.empty() ? "" : " | ") + cause.text_at({"field"}) + ": " + cause.text_at({"message"});
  }
  return text;
}

TEST_CASE("rules that do not compile make a definition invalid, with the path and the reason") {
  fixtures::HttpTalk talk;
  for (const auto& row : testing::data_rows("test/unit/sandbox/rule_compilation.txt", {"rule", "why"})) {
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", with_rule(row["rule"]));
    CAPTURE(row.place(), row["rule"], reply.body);
    const auto why = row["why"];
    CHECK(reply.status == (why.empty() ? 201 : 422));
    CHECK(causes(reply).ends_with(why));
  }
}

TEST_CASE("rules are evaluated as by the API server, with its messages") {
  for (const auto& row : testing::data_rows("test/unit/sandbox/rule_evaluation.txt", {"rule", "spec", "why"})) {
    fixtures::HttpTalk talk;
    CAPTURE(row.place(), row["rule"], row["spec"]);
    CHECK(define(talk, with_rule(row["rule"])).status == 201);
    auto reply = talk.send("POST", kCs, R"({"metadata":{"name":"c"},"spec":)" + row["spec"] + "}");
    CHECK(reply.status == (row["why"].empty() ? 201 : 422));
    CHECK(causes(reply) == row["why"]);
  }
}

TEST_CASE("a rule determines its message, its reason and its field") {
  fixtures::HttpTalk talk;
  define(
      talk,
      definition(
          R"~([{"rule":"self.n <= 5","message":" too many ","reason":"FieldValueForbidden",)~"
          R"~("fieldPath":".n"},{"rule":"self.n != 3","messageExpression":"'n is ' + (self.n == 3 ? '3' : 'less')"}])~"));
  auto create = [&](const char* spec) {
    return causes(talk.send("POST", kCs, std::string(R"({"metadata":{"name":"c"},"spec":)") + spec + "}"));
  };

  CHECK(create(R"({"n":6})") == "spec.n: Forbidden: too many");
  CHECK(create(R"({"n":3})") == "spec: Invalid value: n is 3");
  CHECK(create(R"({"n":"x"})") ==
        "spec.n: Invalid value: \"string\": spec.n in body must be of type integer: \"string\" | <nil>: Invalid value: "
        "null: some validation rules were not checked because the object was invalid; correct the existing errors to "
        "complete validation");
}

TEST_CASE("transition rules are skipped for a creation, and evaluated for an update") {
  fixtures::HttpTalk talk;
  define(talk, definition(R"([{"rule":"self.n >= oldSelf.n","message":"n cannot decrease"},)"
                          R"({"rule":"!oldSelf.hasValue() || oldSelf.value().m == self.m","optionalOldSelf":true}])"));
  auto patch = [&](const char* body) {
    return talk.send("PATCH", std::string(kCs) + "/c", body, {{"Content-Type", "application/merge-patch+json"}});
  };

  CHECK(talk.send("POST", kCs, R"({"metadata":{"name":"c"},"spec":{"n":3,"m":1}})").status == 201);
  CHECK(patch(R"({"spec":{"n":4}})").status == 200);
  CHECK(causes(patch(R"({"spec":{"n":1}})")) == "spec: Invalid value: n cannot decrease");
  CHECK(causes(patch(R"({"spec":{"m":2}})")) ==
        "spec: Invalid value: failed rule: !oldSelf.hasValue() || oldSelf.value().m == self.m");
}

TEST_CASE("a long list that breaks a new rule in each item is only compared once") {
  fixtures::HttpTalk talk;
  auto of_list = [](const char* rule) {
    auto body = *Tree::parse(definition("[]"));
    auto schema =
        R"({"type":"object","properties":{"spec":{"type":"object","properties":{"l":{"type":"array","items":)" +
        std::string(R"({"type":"integer","x-kubernetes-validations":[{"rule":")") + rule + "\"}]}}}}}}";
    body["spec"]["versions"].items()[0]["schema"]["openAPIV3Schema"] = *Tree::parse(schema);
    return body.text();
  };
  std::string items = "9";
  for (int i = 0; i < 50'000; ++i) items += ",9";
  const auto object = R"({"metadata":{"name":"c"},"spec":{"l":[)" + items + "]}}";
  CHECK(define(talk, of_list("true")).status == 201);
  CHECK(talk.send("POST", kCs, object).status == 201);
  CHECK(define(talk, of_list("self < 5")).status == 200);

  auto kept = talk.send("PATCH", std::string(kCs) + "/c", object, {{"Content-Type", "application/merge-patch+json"}});

  CHECK(kept.status == 200);
}

TEST_CASE("an update may retain values that break a new rule") {
  fixtures::HttpTalk talk;
  define(talk, with_rule("true"));
  CHECK(talk.send("POST", kCs, R"({"metadata":{"name":"c"},"spec":{"n":9}})").status == 201);
  define(talk, with_rule("self.n < 5"));

  auto labels = talk.send("PATCH", std::string(kCs) + "/c", R"({"metadata":{"labels":{"a":"b"}}})",
                          {{"Content-Type", "application/merge-patch+json"}});
  auto spec = talk.send("PATCH", std::string(kCs) + "/c", R"({"spec":{"m":1}})",
                        {{"Content-Type", "application/merge-patch+json"}});

  CHECK(labels.status == 200);
  CHECK(causes(spec) == "spec: Invalid value: failed rule: self.n < 5");
}

TEST_CASE("a rule that takes too long is an error") {
  fixtures::HttpTalk talk;
  define(talk, with_rule("self.li.all(a, self.li.all(b, self.li.all(c, self.li.all(d, self.li.all(e, "
                         "a + b + c + d + e > 0)))))"));

  auto reply = talk.send("POST", kCs, R"({"metadata":{"name":"c"},"spec":{"li":[1,2,3,4,5,6,7,8,9,10]}})");

  CHECK(reply.status == 422);
  CHECK(causes(reply).find("actual cost limit exceeded") != std::string::npos);
}

TEST_CASE("with ignores_rules, a rule that does not compile does not reject a definition") {
  ApiServerOptions options;
  options.ignores_rules = true;
  fixtures::Talk talk(options);

  auto made = talk.ask(kube::create(talk.client(), kube::custom_resource_definitions(), "",
                                    with_rule("self.a.unknown('x') == 'x' && self.n < 5")));

  CHECK(made);
}

}  // namespace
}  // namespace keelson::sandbox
