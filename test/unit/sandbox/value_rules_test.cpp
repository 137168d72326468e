// The errors of kube-apiserver 1.36.3 for rules and for objects that break them: each row was recorded from it.
#include "src/sandbox/custom/value_rules.hpp"

#include <catch2/catch_test_macros.hpp>

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
  struct Row {
    const char* rule;
    const char* why;  // empty: valid
  };
  const Row rows[] = {
      {R"~(self.foo > 1)~",
       "compilation failed: ERROR: <input>:1:5: undefined field 'foo'\n"
       " | self.foo > 1\n"
       " | ....^"},
      {R"~(self.n > "a")~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(int, string)'\n"
       " | self.n > \"a\"\n"
       " | .......^"},
      {R"~(self.n)~", "cel expression must evaluate to a bool"},
      {R"~(foo)~",
       "compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n"
       " | foo\n"
       " | ^"},
      {R"~(self.a.size())~", "cel expression must evaluate to a bool"},
      {R"~(size(self.a) == "x")~",
       "compilation failed: ERROR: <input>:1:14: found no matching overload for '_==_' applied to '(int, string)'\n"
       " | size(self.a) == \"x\"\n"
       " | .............^"},
      {R"~(self.a.startsWith(1))~",
       "compilation failed: ERROR: <input>:1:18: found no matching overload for 'startsWith' applied to "
       "'string.(int)'\n"
       " | self.a.startsWith(1)\n"
       " | .................^"},
      {R"~(self.l.all(x, x > 1))~",
       "compilation failed: ERROR: <input>:1:17: found no matching overload for '_>_' applied to '(string, int)'\n"
       " | self.l.all(x, x > 1)\n"
       " | ................^"},
      {R"~(self.foo())~",
       "compilation failed: ERROR: <input>:1:9: undeclared reference to 'foo' (in container '')\n"
       " | self.foo()\n"
       " | ........^"},
      {R"~(self.a.matches("a"))~", ""},
      {R"~(!self.n)~",
       "compilation failed: ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'\n"
       " | !self.n\n"
       " | ^"},
      {R"~(self.n + "x" == "y")~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_+_' applied to '(int, string)'\n"
       " | self.n + \"x\" == \"y\"\n"
       " | .......^"},
      {R"~(has(self.foo))~",
       "compilation failed: ERROR: <input>:1:4: undefined field 'foo'\n"
       " | has(self.foo)\n"
       " | ...^"},
      {R"~(self.l[0] == 1)~",
       "compilation failed: ERROR: <input>:1:11: found no matching overload for '_==_' applied to '(string, int)'\n"
       " | self.l[0] == 1\n"
       " | ..........^"},
      {R"~(self.map["x"] == 1)~",
       "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(string, int)'\n"
       " | self.map[\"x\"] == 1\n"
       " | ..............^"},
      {R"~(self.ios == 1)~", ""},
      {R"~(self.n == 1.0)~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, double)'\n"
       " | self.n == 1.0\n"
       " | .......^"},
      {R"~("a" in self.l)~", ""},
      {R"~(1 in self.l)~",
       "compilation failed: ERROR: <input>:1:3: found no matching overload for '@in' applied to '(int, list(string))'\n"
       " | 1 in self.l\n"
       " | ..^"},
      {R"~(self.map.x == "y")~", ""},
      {R"~(oldSelf.n == self.n)~", ""},
      {R"~(self.b ? 1 : "x")~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_?_:_' applied to '(bool, int, "
       "string)'\n"
       " | self.b ? 1 : \"x\"\n"
       " | .......^"},
      {R"~(self.lm.all(x, x.q == 1))~",
       "compilation failed: ERROR: <input>:1:17: undefined field 'q'\n"
       " | self.lm.all(x, x.q == 1)\n"
       " | ................^"},
      {R"~(self.metadata.name == "x")~",
       "compilation failed: ERROR: <input>:1:5: undefined field 'metadata'\n"
       " | self.metadata.name == \"x\"\n"
       " | ....^"},
      {R"~([1,"a"].size() == 2)~",
       "compilation failed: ERROR: <input>:1:4: expected type 'int' but found 'string'\n"
       " | [1,\"a\"].size() == 2\n"
       " | ...^"},
      {R"~(self.n in [1,2])~", ""},
      {R"~(has(self))~",
       "compilation failed: ERROR: <input>:1:5: invalid argument to has() macro\n"
       " | has(self)\n"
       " | ....^"},
      {R"~(self.l.map(x, x + 1).size() > 0)~",
       "compilation failed: ERROR: <input>:1:17: found no matching overload for '_+_' applied to '(string, int)'\n"
       " | self.l.map(x, x + 1).size() > 0\n"
       " | ................^"},
      {R"~(self.b == null)~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(bool, null)'\n"
       " | self.b == null\n"
       " | .......^"},
      {R"~(self.t > 1)~",
       "compilation failed: ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(timestamp, int)'\n"
       " | self.t > 1\n"
       " | .......^"},
      {R"~(self.t > timestamp("2020-01-01T00:00:00Z"))~", ""},
      {R"~(quantity(self.q).isLessThan(quantity("1")))~", ""},
      {R"~(self.a.lowerAscii() == "x")~", ""},
  };
  fixtures::HttpTalk talk;
  for (const auto& row : rows) {
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", with_rule(row.rule));
    CAPTURE(row.rule, reply.body);
    const std::string why = row.why;
    CHECK(reply.status == (why.empty() ? 201 : 422));
    CHECK(causes(reply).ends_with(why));
  }
}

TEST_CASE("rules are evaluated as by the API server, with its messages") {
  struct Row {
    const char* rule;
    const char* spec;
    const char* why;  // empty: the rule holds
  };
  const Row rows[] = {
      {R"~(self.n <= 5)~", R"~({"n": 6})~", R"~(spec: Invalid value: failed rule: self.n <= 5)~"},
      {R"~(self.n <= 5)~", R"~({"a": "x"})~",
       R"~(spec: Invalid value: "object": no such key: n evaluating rule: self.n <= 5)~"},
      {R"~(has(self.n) && self.n > 3)~", R"~({"n": 1})~",
       R"~(spec: Invalid value: failed rule: has(self.n) && self.n > 3)~"},
      {R"~(!has(self.n) || self.n > 3)~", R"~({})~", ""},
      {R"~(self.a.matches("^a+$"))~", R"~({"a": "b"})~",
       R"~(spec: Invalid value: failed rule: self.a.matches("^a+$"))~"},
      {R"~(self.l.all(x, x.startsWith("a")))~", R"~({"l": ["a", "b"]})~",
       R"~(spec: Invalid value: failed rule: self.l.all(x, x.startsWith("a")))~"},
      {R"~(self.l.exists(x, x == "c"))~", R"~({"l": ["a"]})~",
       R"~(spec: Invalid value: failed rule: self.l.exists(x, x == "c"))~"},
      {R"~(self.l.exists_one(x, x == "a"))~", R"~({"l": ["a", "a"]})~",
       R"~(spec: Invalid value: failed rule: self.l.exists_one(x, x == "a"))~"},
      {R"~(self.l.filter(x, x == "a").size() == 2)~", R"~({"l": ["a", "b"]})~",
       R"~(spec: Invalid value: failed rule: self.l.filter(x, x == "a").size() == 2)~"},
      {R"~(self.li.map(x, x * 2).sum() == 6)~", R"~({"li": [1, 3]})~",
       R"~(spec: Invalid value: failed rule: self.li.map(x, x * 2).sum() == 6)~"},
      {R"~(self.li.isSorted())~", R"~({"li": [2, 1]})~", R"~(spec: Invalid value: failed rule: self.li.isSorted())~"},
      {R"~(self.li.min() == 1 && self.li.max() == 3)~", R"~({"li": [2, 3]})~",
       R"~(spec: Invalid value: failed rule: self.li.min() == 1 && self.li.max() == 3)~"},
      {R"~(self.n / self.m == 2)~", R"~({"n": 4, "m": 0})~",
       R"~(spec: Invalid value: "object": division by zero evaluating rule: self.n / self.m == 2)~"},
      {R"~(self.n % 2 == 0)~", R"~({"n": 3})~", R"~(spec: Invalid value: failed rule: self.n % 2 == 0)~"},
      {R"~(self.n - self.m < 0)~", R"~({"n": 3, "m": 1})~",
       R"~(spec: Invalid value: failed rule: self.n - self.m < 0)~"},
      {R"~(self.a.size() < 2)~", R"~({"a": "äöü"})~", R"~(spec: Invalid value: failed rule: self.a.size() < 2)~"},
      {R"~(self.a.contains("x") || self.a.endsWith("y"))~", R"~({"a": "z"})~",
       R"~(spec: Invalid value: failed rule: self.a.contains("x") || self.a.endsWith("y"))~"},
      {R"~(self.map.all(k, k.startsWith("a")))~", R"~({"map": {"b": "c"}})~",
       R"~(spec: Invalid value: failed rule: self.map.all(k, k.startsWith("a")))~"},
      {R"~(self.map["x"] == "y")~", R"~({"map": {"z": "z"}})~",
       R"~(spec: Invalid value: "object": no such key: x evaluating rule: self.map["x"] == "y")~"},
      {R"~("x" in self.map)~", R"~({"map": {"z": "z"}})~", R"~(spec: Invalid value: failed rule: "x" in self.map)~"},
      {R"~(self.ios == 5)~", R"~({"ios": "x"})~", R"~(spec: Invalid value: failed rule: self.ios == 5)~"},
      {R"~(type(self.ios) == int ? self.ios < 5 : self.ios == "x")~", R"~({"ios": 7})~",
       R"~(spec: Invalid value: failed rule: type(self.ios) == int ? self.ios < 5 : self.ios == )~"
       R"~("x")~"},
      {R"~(self.ios > 5)~", R"~({"ios": "x"})~",
       R"~(spec: Invalid value: "object": 'no such overload': call arguments did not match a sup)~"
       R"~(ported operator, function or macro signature for rule: self.ios > 5)~"},
      {R"~(self.a__dash__b == "x")~", R"~({"a-b": "y"})~",
       R"~(spec: Invalid value: failed rule: self.a__dash__b == "x")~"},
      {R"~(self.__namespace__ == "x")~", R"~({"namespace": "y"})~",
       R"~(spec: Invalid value: failed rule: self.__namespace__ == "x")~"},
      {R"~(self.t < timestamp("2020-01-01T00:00:00Z"))~", R"~({"t": "2021-01-01T00:00:00Z"})~",
       R"~(spec: Invalid value: failed rule: self.t < timestamp("2020-01-01T00:00:00Z"))~"},
      {R"~(self.t.getFullYear() == 2020)~", R"~({"t": "2021-01-01T00:00:00Z"})~",
       R"~(spec: Invalid value: failed rule: self.t.getFullYear() == 2020)~"},
      {R"~(self.du < duration("1h"))~", R"~({"du": "2h"})~",
       R"~(spec: Invalid value: failed rule: self.du < duration("1h"))~"},
      {R"~(duration(self.a) < duration("1h"))~", R"~({"a": "x"})~",
       R"~(spec: Invalid value: "object": type conversion error from 'string' to 'google.protobu)~"
       R"~(f.Duration' evaluating rule: duration(self.a) < duration("1h"))~"},
      {R"~(int(self.a) > 3)~", R"~({"a": "2"})~", R"~(spec: Invalid value: failed rule: int(self.a) > 3)~"},
      {R"~(int(self.a) > 3)~", R"~({"a": "x"})~",
       R"~(spec: Invalid value: "object": type conversion error from 'string' to 'int' evaluatin)~"
       R"~(g rule: int(self.a) > 3)~"},
      {R"~(string(self.n) == "x")~", R"~({"n": 1})~", R"~(spec: Invalid value: failed rule: string(self.n) == "x")~"},
      {R"~(double(self.n) > self.d)~", R"~({"n": 1, "d": 2.5})~",
       R"~(spec: Invalid value: failed rule: double(self.n) > self.d)~"},
      {R"~(self.d > 2.0)~", R"~({"d": 2})~", R"~(spec: Invalid value: failed rule: self.d > 2.0)~"},
      {R"~(self.lm.all(x, x.v > 1))~", R"~({"lm": [{"k": "a", "v": 1}]})~",
       R"~(spec: Invalid value: failed rule: self.lm.all(x, x.v > 1))~"},
      {R"~(self.lm.exists(x, x.k == "b"))~", R"~({"lm": [{"k": "a"}]})~",
       R"~(spec: Invalid value: failed rule: self.lm.exists(x, x.k == "b"))~"},
      {R"~(self.set == ["b","a"])~", R"~({"set": ["a", "b"]})~", ""},
      {R"~(self.set == ["b","c"])~", R"~({"set": ["a", "b"]})~",
       R"~(spec: Invalid value: failed rule: self.set == ["b","c"])~"},
      {R"~(self.l[5] == "x")~", R"~({"l": []})~",
       R"~(spec: Invalid value: "object": index out of bounds: 5 evaluating rule: self.l[5] == ")~"
       R"~(x")~"},
      {R"~(self.a.split(",").size() == 3)~", R"~({"a": "a,b"})~",
       R"~(spec: Invalid value: failed rule: self.a.split(",").size() == 3)~"},
      {R"~(self.l.join("-") == "a-b")~", R"~({"l": ["a", "c"]})~",
       R"~(spec: Invalid value: failed rule: self.l.join("-") == "a-b")~"},
      {R"~(self.a.replace("a","b") == "bb")~", R"~({"a": "ac"})~",
       R"~(spec: Invalid value: failed rule: self.a.replace("a","b") == "bb")~"},
      {R"~(self.a.substring(1) == "x")~", R"~({"a": "abc"})~",
       R"~(spec: Invalid value: failed rule: self.a.substring(1) == "x")~"},
      {R"~(self.a.substring(9) == "x")~", R"~({"a": "abc"})~",
       R"~(spec: Invalid value: "object": index out of range: 9 evaluating rule: self.a.substrin)~"
       R"~(g(9) == "x")~"},
      {R"~(self.a.trim() == "x")~", R"~({"a": " y "})~", R"~(spec: Invalid value: failed rule: self.a.trim() == "x")~"},
      {R"~(self.a.lowerAscii() == "abc")~", R"~({"a": "ABD"})~",
       R"~(spec: Invalid value: failed rule: self.a.lowerAscii() == "abc")~"},
      {R"~(self.l.indexOf("b") == 0)~", R"~({"l": ["a", "b"]})~",
       R"~(spec: Invalid value: failed rule: self.l.indexOf("b") == 0)~"},
      {R"~(quantity(self.q).compareTo(quantity("1Gi")) < 0)~", R"~({"q": "2Gi"})~",
       R"~(spec: Invalid value: failed rule: quantity(self.q).compareTo(quantity("1Gi")) < 0)~"},
      {R"~(isQuantity(self.q))~", R"~({"q": "x"})~", R"~(spec: Invalid value: failed rule: isQuantity(self.q))~"},
      {R"~(isURL(self.a))~", R"~({"a": "x y"})~", R"~(spec: Invalid value: failed rule: isURL(self.a))~"},
      {R"~(isIP(self.a))~", R"~({"a": "x"})~", R"~(spec: Invalid value: failed rule: isIP(self.a))~"},
      {R"~(self.?a.orValue("x") == "y")~", R"~({})~",
       R"~(spec: Invalid value: failed rule: self.?a.orValue("x") == "y")~"},
      {R"~(self.?a.hasValue())~", R"~({})~", R"~(spec: Invalid value: failed rule: self.?a.hasValue())~"},
      {R"~(self.b ? self.n > 1 : self.n < 1)~", R"~({"b": true, "n": 1})~",
       R"~(spec: Invalid value: failed rule: self.b ? self.n > 1 : self.n < 1)~"},
      {R"~(self.n in [1,2,3])~", R"~({"n": 4})~", R"~(spec: Invalid value: failed rule: self.n in [1,2,3])~"},
      {R"~(true)~", R"~({})~", ""},
      {R"~(false)~", R"~({})~", R"~(spec: Invalid value: failed rule: false)~"},
      {R"~(self.a == "\u00e4")~", R"~({"a": "x"})~", R"~(spec: Invalid value: failed rule: self.a == "\u00e4")~"},
      {R"~(size(self.l) + size(self.map) > 3)~", R"~({"l": ["a"], "map": {}})~",
       R"~(spec: Invalid value: failed rule: size(self.l) + size(self.map) > 3)~"},
      {R"~(self.o.x > 1)~", R"~({"o": {}})~",
       R"~(spec: Invalid value: "object": no such key: x evaluating rule: self.o.x > 1)~"},
      {R"~(self.by == b"abc")~", R"~({"by": "YWI="})~", R"~(spec: Invalid value: failed rule: self.by == b"abc")~"},
      {R"~(self.l.all(x, self.l.exists_one(y, y == x)))~", R"~({"l": ["a", "a"]})~",
       R"~(spec: Invalid value: failed rule: self.l.all(x, self.l.exists_one(y, y == x)))~"},
      {R"~(self == oldSelf)~", R"~({"n": 1})~", ""},
      {R"~(sets.contains(self.l, ["a"]))~", R"~({"l": ["b"]})~",
       R"~(spec: Invalid value: failed rule: sets.contains(self.l, ["a"]))~"},
      {R"~([1,2].exists(i, i == self.n))~", R"~({"n": 3})~",
       R"~(spec: Invalid value: failed rule: [1,2].exists(i, i == self.n))~"},
      {R"~(dyn(self.n) == 1u)~", R"~({"n": 2})~", R"~(spec: Invalid value: failed rule: dyn(self.n) == 1u)~"},
      {R"~(self.n == 9223372036854775807 + self.m)~", R"~({"n": 1, "m": 1})~",
       R"~(spec: Invalid value: "object": integer overflow evaluating rule: self.n == 9223372036)~"
       R"~(854775807 + self.m)~"},
  };
  for (const auto& row : rows) {
    fixtures::HttpTalk talk;
    CAPTURE(row.rule, row.spec);
    CHECK(define(talk, with_rule(row.rule)).status == 201);
    auto reply = talk.send("POST", kCs, std::string(R"({"metadata":{"name":"c"},"spec":)") + row.spec + "}");
    CHECK(reply.status == (*row.why == '\0' ? 201 : 422));
    CHECK(causes(reply) == row.why);
  }
}

TEST_CASE("a rule determines its message, its reason and its field") {
  fixtures::HttpTalk talk;
  define(talk,
         definition(R"~([{"rule":"self.n <= 5","message":" too many ","reason":"FieldValueForbidden",)~"
                    R"~("fieldPath":".n"},{"rule":"self.n != 3","messageExpression":"'n is ' + string(self.n)"}])~"));
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

TEST_CASE("an unimplemented function is named in the error, with the flag that ignores rules") {
  fixtures::HttpTalk talk;

  auto reply = talk.send("POST", kDefinitions, with_rule("self.a.find('x') == 'x'"));

  CHECK(reply.status == 422);
  CHECK(causes(reply).find("undeclared reference to 'find'") != std::string::npos);
  CHECK(causes(reply).find("--ignore-cel") != std::string::npos);
}

TEST_CASE("a rule that takes too long is an error") {
  fixtures::HttpTalk talk;
  define(talk, with_rule("self.li.all(a, self.li.all(b, self.li.all(c, self.li.all(d, self.li.all(e, self.li.all(f, "
                         "self.li.all(g, a + b + c + d + e + f + g > 0)))))))"));

  auto reply = talk.send("POST", kCs, R"({"metadata":{"name":"c"},"spec":{"li":[1,2,3,4,5,6,7,8,9,10]}})");

  CHECK(reply.status == 422);
  CHECK(causes(reply).find("actual cost limit exceeded") != std::string::npos);
}

TEST_CASE("with ignores_rules, an unsupported rule does not reject a definition") {
  ApiServerOptions options;
  options.ignores_rules = true;
  fixtures::Talk talk(options);

  auto made = talk.ask(kube::create(talk.client(), kube::custom_resource_definitions(), "",
                                    with_rule("self.a.find('x') == 'x' && self.n < 5")));

  CHECK(made);
}

}  // namespace
}  // namespace keelson::sandbox
