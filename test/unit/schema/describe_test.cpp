#include "keelson/schema/describe.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using kube::Description;

struct Port {
  std::int32_t number = 0;
  std::string name;
  bool operator==(const Port&) const = default;
};

void describe(Description& d, Port& port) {
  d.document("Port is where it listens.");
  d.field("number", port.number, "The number.").required().greater_than(0).less_than(65536);
  d.field("name", port.name, "").max_length(3);
}

struct Widget {
  std::int32_t size = 0;
  std::int64_t generation = 0;
  bool paused = false;
  double ratio = 0.5;
  std::string color;
  std::optional<std::string> image;
  std::vector<std::string> nodes;
  std::map<std::string, std::string> labels;
  std::vector<Port> ports;
  std::optional<Port> main_port;
  kube::RawJson target;
  std::optional<kube::Time> since;
  bool operator==(const Widget&) const = default;
};

void describe(Description& d, Widget& widget) {
  d.field("size", widget.size, "How many.").required().minimum(0).maximum(10);
  d.field("generation", widget.generation, "");
  d.field("paused", widget.paused, "");
  d.field("ratio", widget.ratio, "");
  d.field("color", widget.color, "").one_of({"Blue", "Green"});
  d.field("image", widget.image, "").min_length(1).pattern("^[a-z:.]+$");
  d.field("nodes", widget.nodes, "").required().max_items(3).list_type(kube::ListType::kSet).items().min_length(1);
  d.field("labels", widget.labels, "").items().max_length(5);
  d.field("ports", widget.ports, "").list_map({"number"});
  d.field("mainPort", widget.main_port, "");
  d.field("target", widget.target, "").int_or_string();
  d.field("since", widget.since, "");
}

Result<Widget> decode_widget(std::string_view text) {
  auto document = json::Document::parse(text);
  REQUIRE(document);
  return kube::decode<Widget>(document->root(), "spec");
}

std::string decode_error(std::string_view text) {
  auto widget = decode_widget(text);
  REQUIRE_FALSE(widget);
  CHECK(widget.error().kind == Error::Kind::kMalformed);
  return widget.error().text;
}

std::vector<std::string> messages(const Widget& widget) {
  std::vector<std::string> out;
  for (const kube::FieldError& error : kube::validate(widget, "spec")) out.push_back(error.message());
  return out;
}

constexpr std::string_view kFull =
    R"({"size":3,"generation":9007199254740993,"paused":true,"ratio":0.25,"color":"Blue","image":"a:b",)"
    R"("nodes":["n1","n2"],"labels":{"a":"1","b":"2"},"ports":[{"number":80,"name":"web"},{"number":81}],)"
    R"("mainPort":{"number":82},"target":"http","since":"2026-03-04T05:06:07Z"})";

}  // namespace

TEST_CASE("every type of field survives decoding and encoding") {
  const auto widget = decode_widget(kFull);

  REQUIRE(widget);
  CHECK(kube::encode(*widget) == kFull);
}

TEST_CASE("an absent field and null leave the struct's initial value") {
  const auto widget = decode_widget(R"({"size":null,"ratio":null,"image":null,"unknown":{"a":[1]}})");

  REQUIRE(widget);
  CHECK(*widget == Widget{});
}

TEST_CASE("an absent object decodes to the initial struct") {
  const auto widget = kube::decode<Widget>(json::View());

  REQUIRE(widget);
  CHECK(*widget == Widget{});
}

TEST_CASE("an empty required list is written as an array, and other empty fields are not written") {
  const std::string text = kube::encode(Widget{});

  CHECK(text == R"({"size":0,"generation":0,"paused":false,"ratio":0.5,"nodes":[]})");
}

TEST_CASE("the error of a wrong type names the path, the expected type and the one that was found") {
  CHECK(decode_error(R"([])") == "spec: expected an object, found an array");
  CHECK(decode_error(R"({"size":"3"})") == "spec.size: expected an integer, found a string");
  CHECK(decode_error(R"({"size":1.5})") == "spec.size: expected an integer, found a number");
  CHECK(decode_error(R"({"size":2147483648})") == "spec.size: 2147483648 does not fit into 32 bits");
  CHECK(decode_error(R"({"paused":1})") == "spec.paused: expected true or false, found a number");
  CHECK(decode_error(R"({"ratio":"1"})") == "spec.ratio: expected a number, found a string");
  CHECK(decode_error(R"({"image":{}})") == "spec.image: expected a string, found an object");
  CHECK(decode_error(R"({"nodes":{}})") == "spec.nodes: expected an array, found an object");
  CHECK(decode_error(R"({"nodes":["a",null]})") == "spec.nodes[1]: expected a value, found null");
  CHECK(decode_error(R"({"labels":{"app":3}})") ==
        "spec.labels[app]: expected a string, found a number (put it in quotes)");
  CHECK(decode_error(R"({"ports":[{},{"number":true}]})") ==
        "spec.ports[1].number: expected an integer, found a boolean");
  CHECK(decode_error(R"({"since":"yesterday"})") ==
        "spec.since: expected a time like 2006-01-02T15:04:05Z, found a string");
}

TEST_CASE("times are read with any offset and written in UTC without their fraction") {
  const auto widget = decode_widget(R"({"since":"2024-02-29T23:59:59.123456+01:30"})");

  REQUIRE(widget);
  CHECK(kube::encode(*widget).find(R"("since":"2024-02-29T22:29:59Z")") != std::string::npos);
}

TEST_CASE("times that do not exist are rejected") {
  for (const char* text :
       {"2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "2024-13-01T00:00:00Z",
        "2024-01-01T00:00:00.Z", "2024-01-01 00:00:00Z", "9999-01-01T00:00:00Z", ""}) {
    CAPTURE(text);
    CHECK_FALSE(decode_error(R"({"since":")" + std::string(text) + R"("})").empty());
  }
}

TEST_CASE("a valid object has no errors") {
  const auto widget = decode_widget(kFull);

  REQUIRE(widget);
  CHECK(messages(*widget).empty());
}

TEST_CASE("validation errors have the texts of Kubernetes") {
  Widget widget;
  widget.size = -1;
  widget.color = "Purple";
  widget.image = "";
  widget.nodes = {"a", "b", "a", ""};
  widget.labels["app"] = "too long";
  widget.ports = {{0, "abcd"}, {70000, ""}, {0, ""}};

  CHECK(messages(widget) == std::vector<std::string>{
                                "spec.size: Invalid value: -1: should be greater than or equal to 0",
                                "spec.color: Unsupported value: \"Purple\": supported values: \"Blue\", \"Green\"",
                                "spec.image: Invalid value: \"\": should be at least 1 chars long",
                                "spec.image: Invalid value: \"\": should match '^[a-z:.]+$'",
                                "spec.nodes: Too many: 4: must have at most 3 items",
                                "spec.nodes[2]: Duplicate value: \"a\"",
                                "spec.nodes[3]: Invalid value: \"\": should be at least 1 chars long",
                                "spec.labels[app]: Too long: may not be more than 5 bytes",
                                "spec.ports[2]: Duplicate value: {\"number\":0}",
                                "spec.ports[0].number: Invalid value: 0: should be greater than 0",
                                "spec.ports[0].name: Too long: may not be more than 3 bytes",
                                "spec.ports[1].number: Invalid value: 70000: should be less than 65536",
                                "spec.ports[2].number: Invalid value: 0: should be greater than 0",
                            });
}

namespace {

struct Tags {
  std::vector<std::string> free;
  std::vector<std::string> unique;
};

void describe(Description& d, Tags& tags) {
  d.field("free", tags.free, "");
  d.field("unique", tags.unique, "").list_type(kube::ListType::kSet);
}

}  // namespace

TEST_CASE("a list may have equal items unless it is a set or a map") {
  const auto errors = kube::validate(Tags{.free = {"a", "a"}, .unique = {"b", "b"}});

  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == kube::FieldError(kube::FieldReason::kDuplicate, "unique[1]", "\"b\""));
}

TEST_CASE("lengths count characters, not bytes") {
  Widget widget;
  widget.labels["app"] = "äöüßé";

  CHECK(messages(widget).empty());
}

TEST_CASE("a pattern is matched against a long text without deep recursion") {
  Widget widget;
  widget.image = std::string(1'000'000, 'a');

  CHECK(messages(widget).empty());
}

TEST_CASE("the number of errors of one object is limited") {
  Widget widget;
  for (int i = 0; i < 10'000; ++i) widget.ports.push_back({-i, ""});

  CHECK(messages(widget).size() == limits::kFieldErrors);
}

TEST_CASE("the schema of a struct equals controller-gen's") {
  const std::string schema = kube::schema_of<Port>();

  CHECK(schema ==
        R"({"description":"Port is where it listens.","properties":{"name":{"maxLength":3,"type":"string"},)"
        R"("number":{"description":"The number.","exclusiveMaximum":true,"exclusiveMinimum":true,"format":"int32",)"
        R"("maximum":65536,"minimum":0,"type":"integer"}},"required":["number"],"type":"object"})");
}

TEST_CASE("each type of field has its schema") {
  const std::string text = kube::schema_of<Widget>();
  const auto schema = json::Document::parse(text);
  REQUIRE(schema);
  const auto property = [&](std::string_view name) { return schema->root().at({"properties", name}).text(); };

  CHECK(property("generation") == R"({"format":"int64","type":"integer"})");
  CHECK(property("paused") == R"({"type":"boolean"})");
  CHECK(property("ratio") == R"({"type":"number"})");
  CHECK(property("color") == R"({"enum":["Blue","Green"],"type":"string"})");
  CHECK(property("image") == R"({"minLength":1,"pattern":"^[a-z:.]+$","type":"string"})");
  CHECK(property("nodes") ==
        R"({"items":{"minLength":1,"type":"string"},"maxItems":3,"type":"array","x-kubernetes-list-type":"set"})");
  CHECK(property("labels") == R"({"additionalProperties":{"maxLength":5,"type":"string"},"type":"object"})");
  CHECK(property("target") == R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})");
  CHECK(property("since") == R"({"format":"date-time","type":"string"})");
  CHECK(schema->root().at({"properties", "ports", "x-kubernetes-list-map-keys"}).text() == R"(["number"])");
  CHECK(schema->root().at({"properties", "mainPort", "description"}).string() == "Port is where it listens.");
}

namespace {

struct Rare {
  kube::RawJson anything;
  kube::RawJson pod;
  std::string policy;
  std::optional<std::string> maybe;
};

void describe(Description& d, Rare& rare) {
  d.field("anything", rare.anything, "What you like.");
  d.field("pod", rare.pod, "A pod.").schema(R"({"type":"object","description":"lost","nullable":true})");
  d.field("policy", rare.policy, "").default_value("\"Allow\"").rule("self != ''", "must not be empty");
  d.field("maybe", rare.maybe, "").required().nullable().format("uri");
  d.rule("self.maybe == 'x'", "needs a pod");
}

struct Missing {
  std::optional<std::string> name;
};

void describe(Description& d, Missing& missing) { d.field("name", missing.name, "").required(); }

}  // namespace

TEST_CASE("RawJson values have unchanged members in the same order") {
  const auto document = json::Document::parse(R"({"anything":{"z":1,"a":[true,null]},"pod":null})");
  REQUIRE(document);

  const auto rare = kube::decode<Rare>(document->root());

  REQUIRE(rare);
  CHECK(kube::encode(*rare) == R"({"anything":{"z":1,"a":[true,null]},"pod":null,"maybe":null})");
}

TEST_CASE("the schema has given schemas, defaults and CEL rules") {
  CHECK(kube::schema_of<Rare>() ==
        R"({"properties":{"anything":{"description":"What you like.","x-kubernetes-preserve-unknown-fields":true},)"
        R"("maybe":{"format":"uri","nullable":true,"type":"string"},)"
        R"("pod":{"description":"A pod.","nullable":true,"type":"object"},)"
        R"("policy":{"default":"Allow","type":"string",)"
        R"("x-kubernetes-validations":[{"message":"must not be empty","rule":"self != ''"}]}},)"
        R"("required":["maybe"],"type":"object",)"
        R"("x-kubernetes-validations":[{"message":"needs a pod","rule":"self.maybe == 'x'"}]})");
}

TEST_CASE("a validation error quotes only the beginning of a long value") {
  Widget widget;
  widget.color = std::string(5000, 'c');
  widget.image = std::string(5000, 'I');
  widget.labels["a"] = "long enough";
  widget.labels[std::string(5000, 'k')] = "long enough";

  const auto errors = kube::validate(widget, "spec");

  REQUIRE(errors.size() == 4);
  CHECK(errors[0].detail.starts_with("Unsupported value: \"" + std::string(1024, 'c') + "...\": supported"));
  CHECK(errors[1].detail.starts_with("Invalid value: \"" + std::string(1024, 'I') + "...\": should match"));
  CHECK(errors[3].path == "spec.labels[" + std::string(1024, 'k') + "...]");
}

TEST_CASE("patterns are matched against a bounded amount of text") {
  Widget widget;
  widget.image = std::string(100'000, 'I');

  CHECK(kube::validate(widget, "spec").empty());
}

TEST_CASE("an absent required optional is rejected unless it is nullable") {
  CHECK(kube::validate(Rare{}).empty());

  const auto errors = kube::validate(Missing{});

  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == kube::FieldError(kube::FieldReason::kRequired, "name"));
}

namespace {

struct Full {
  std::int32_t step = 5;
  double share = 0;
  std::map<std::string, std::string> labels = {{"a", "b"}};
  kube::RawJson settings;
  kube::RawJson object;
  kube::RawJson port;
  Port ports;
};

void describe(Description& d, Full& full) {
  d.field("step", full.step, "").multiple_of(5).one_of({5, 10}).title("Step").example("10");
  d.field("share", full.share, "").multiple_of(2).format("double");
  d.field("labels", full.labels, "").min_properties(1).max_properties(2).map_type(kube::MapType::kAtomic);
  d.field("settings", full.settings, "").preserve_unknown_fields().max_properties(1);
  d.field("object", full.object, "").embedded_resource();
  d.field("port", full.port, "").int_or_string();
  d.field("ports", full.ports, "")
      .preserve_unknown_fields()
      .map_type(kube::MapType::kGranular)
      .rule({
          .rule = "self.number != 80",
          .field_path = ".number",
          .message_expression = "'not ' + string(self.number)",
          .reason = kube::RuleReason::kForbidden,
      });
  d.exactly_one_of({"settings", "object"});
  d.at_most_one_of({"settings", "port"});
  d.at_least_one_of({"labels", "port"});
}

std::vector<std::string> full_messages(const Full& full) {
  std::vector<std::string> out;
  for (const kube::FieldError& error : kube::validate(full)) {
    out.push_back(std::string(name_of(error.reason)) + " " + error.message());
  }
  return out;
}

}  // namespace

TEST_CASE("the schema has every keyword that controller-gen has") {
  const auto schema = json::Document::parse(kube::schema_of<Full>());
  REQUIRE(schema);
  const auto property = [&](std::string_view name) { return schema->root().at({"properties", name}).text(); };

  CHECK(property("step") ==
        R"({"enum":[5,10],"example":10,"format":"int32","multipleOf":5,"title":"Step","type":"integer"})");
  CHECK(property("share") == R"({"format":"double","multipleOf":2,"type":"number"})");
  CHECK(property("labels") ==
        R"({"additionalProperties":{"type":"string"},"maxProperties":2,"minProperties":1,"type":"object",)"
        R"("x-kubernetes-map-type":"atomic"})");
  CHECK(property("settings") == R"({"maxProperties":1,"type":"object","x-kubernetes-preserve-unknown-fields":true})");
  CHECK(property("object") ==
        R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})");
  const auto ports = schema->root().at({"properties", "ports"});
  CHECK(ports.find("x-kubernetes-map-type").string() == "granular");
  CHECK(ports.find("x-kubernetes-preserve-unknown-fields").boolean() == true);
  CHECK(
      ports.find("x-kubernetes-validations").text() ==
      R"j([{"fieldPath":".number","messageExpression":"'not ' + string(self.number)","reason":"FieldValueForbidden",)j"
      R"("rule":"self.number != 80"}])");
  CHECK(schema->root().find("x-kubernetes-validations").text() ==
        R"([{"message":"exactly one of the fields in [settings object] must be set",)"
        R"("rule":"[has(self.settings),has(self.object)].filter(x,x==true).size() == 1"},)"
        R"({"message":"at most one of the fields in [settings port] may be set",)"
        R"("rule":"[has(self.settings),has(self.port)].filter(x,x==true).size() <= 1"},)"
        R"({"message":"at least one of the fields in [labels port] must be set",)"
        R"("rule":"[has(self.labels),has(self.port)].filter(x,x==true).size() >= 1"}])");
}

TEST_CASE("factors, enums of numbers, counts of members and embedded objects are validated") {
  Full full;
  full.ports.number = 1;
  CHECK(full_messages(full).empty());

  full.step = 12;
  full.share = 3;
  full.labels = {{"a", ""}, {"b", ""}, {"c", ""}};
  full.settings.text = "3";
  full.object.text = R"({"kind":"","metadata":{}})";
  full.port.text = "1.5";

  CHECK(full_messages(full) ==
        std::vector<std::string>{
            "FieldValueInvalid step: Invalid value: 12: should be a multiple of 5",
            "FieldValueNotSupported step: Unsupported value: 12: supported values: \"5\", \"10\"",
            "FieldValueInvalid share: Invalid value: 3: should be a multiple of 2",
            "FieldValueTooMany labels: Too many: 3: must have at most 2 items",
            "FieldValueInvalid settings: Invalid value: 3: must be an object",
            "FieldValueRequired object.apiVersion: Required value",
            "FieldValueInvalid object.kind: Invalid value: \"\": must not be empty",
            "FieldValueInvalid port: Invalid value: 1.5: must be an integer or a string",
        });

  full = Full();
  full.ports.number = 1;
  full.settings.text = R"({"a":1,"b":2})";
  full.object.text = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  full.port.text = "80";
  CHECK(full_messages(full) ==
        std::vector<std::string>{"FieldValueTooMany settings: Too many: 2: must have at most 1 item"});
}
