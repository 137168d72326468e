// Definitions that are generated from a kube::Kind: the API server accepts them, and rejects the values that our own
// validation rejects.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "keelson/detail/schema/crd.hpp"
#include "keelson/net/http.hpp"
#include "keelson/schema/describe.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr const char* kBoats = "/apis/sea.example.com/v1/namespaces/default/boats";

struct Cabin {
  std::string name;
  std::int32_t beds = 0;
};
void describe(kube::Description& d, Cabin& cabin) {
  d.field("name", cabin.name, "").required();
  d.field("beds", cabin.beds, "").maximum(4);
}

struct BoatSpec {
  std::string color;
  std::optional<std::int32_t> length;
  std::optional<std::int64_t> class_number;
  std::map<std::string, std::string> flags;
  std::vector<Cabin> cabins;
  std::vector<std::string> crew;
  kube::RawJson settings;
  kube::RawJson cargo;
  kube::RawJson berth;
  std::optional<std::string> sail;
  std::optional<std::string> motor;
};
void describe(kube::Description& d, BoatSpec& spec) {
  d.field("color", spec.color, "").one_of({"red", "blue"}).default_value("\"red\"").title("Color").example("\"blue\"");
  d.field("length", spec.length, "").greater_than(0).less_than(100).multiple_of(5);
  d.field("classNumber", spec.class_number, "").one_of({1, 2, 3});
  d.field("flags", spec.flags, "").min_properties(1).max_properties(2).map_type(kube::MapType::kAtomic);
  d.field("cabins", spec.cabins, "").list_map({"name"}).max_items(3);
  d.field("crew", spec.crew, "").list_type(kube::ListType::kSet).items().min_length(2);
  d.field("settings", spec.settings, "").preserve_unknown_fields().max_properties(1);
  d.field("cargo", spec.cargo, "").embedded_resource();
  d.field("berth", spec.berth, "").int_or_string();
  d.field("sail", spec.sail, "");
  d.field("motor", spec.motor, "").nullable();
  d.at_most_one_of({"sail", "motor"});
  d.rule({.rule = "!has(self.length) || self.length != 50",
          .field_path = ".length",
          .message_expression = "self.length > 40 ? 'not ' + '50 m' : ''",
          .reason = kube::RuleReason::kForbidden});
}

struct BoatStatus {
  std::string phase;
};
void describe(kube::Description& d, BoatStatus& status) { d.field("phase", status.phase, ""); }

kube::Kind boat() {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Boat", "boats"};
  kind.singular = "boat";
  kind.short_names = {"bt"};
  kind.categories = {"all", "fleet"};
  kind.columns = {{"Color", "string", ".spec.color", "Its color.", "", 0},
                  {"Length", "integer", ".spec.length", "", "int32", 1}};
  kind.selectable_fields = {".spec.color", ".spec.length"};
  kind.rules = {{.rule = "!oldSelf.hasValue() || self.spec.color == oldSelf.value().spec.color",
                 .message = "boats are not painted",
                 .field_path = ".spec.color",
                 .optional_old_self = true}};
  kind.annotations = {{"example.com/owner", "us"}};
  kind.spec_schema = kube::schema_of<BoatSpec>();
  kind.status_schema = kube::schema_of<BoatStatus>();
  return kind;
}

std::string boat_with(const std::string& spec, const std::string& version = "v1") {
  return R"({"apiVersion":"sea.example.com/)" + version + R"(","kind":"Boat","metadata":{"name":"b"},"spec":)" + spec +
         "}";
}

// "reason field" of each error.
std::vector<std::string> server_errors(const net::Response& reply) {
  std::vector<std::string> all;
  auto status = Tree::parse(reply.body);
  const Tree* causes = status ? status->at({"details", "causes"}) : nullptr;
  for (const auto& cause : causes != nullptr ? causes->items() : std::vector<Tree>()) {
    if (cause.text_at({"field"}) != "<nil>") all.push_back(cause.text_at({"reason"}) + " " + cause.text_at({"field"}));
  }
  return all;
}

std::vector<std::string> own_errors(const std::string& spec) {
  auto document = json::Document::parse(spec);
  REQUIRE(document);
  auto decoded = kube::decode<BoatSpec>(document->root(), "spec");
  REQUIRE(decoded);
  std::vector<std::string> all;
  for (const auto& error : kube::validate(*decoded, "spec")) {
    all.push_back(std::string(name_of(error.reason)) + " " + error.path);
  }
  return all;
}

TEST_CASE("a definition with every part is accepted, and its defaults are set") {
  fixtures::HttpTalk talk;

  CHECK(talk.send("POST", kDefinitions, kube::custom_resource_definition(boat())).status == 201);

  auto created = talk.send("POST", kBoats, boat_with("{}"));
  CHECK(created.status == 201);
  CHECK(Tree::parse(created.body)->text_at({"spec", "color"}) == "red");
}

TEST_CASE("our own validation and the API server reject the same fields for the same reasons") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", kDefinitions, kube::custom_resource_definition(boat())).status == 201);
  const std::string wrong[] = {
      R"({"color":"green"})",
      R"({"length":0})",
      R"({"length":100})",
      R"({"length":7})",
      R"({"classNumber":4})",
      R"({"flags":{"a":"","b":"","c":""}})",
      R"({"cabins":[{"name":"a"},{"name":"a"}]})",
      R"({"cabins":[{"name":"a","beds":5}]})",
      R"({"crew":["al","al"]})",
      R"({"crew":["a"]})",
      R"({"settings":{"a":1,"b":2}})",
      R"({"cargo":{"metadata":{}}})",
      R"({"cargo":{"apiVersion":"v1","kind":""}})",
  };
  for (const auto& spec : wrong) {
    INFO(spec);
    auto rejected = talk.send("POST", kBoats, boat_with(spec));
    CHECK(rejected.status == 422);
    CHECK(server_errors(rejected) == own_errors(spec));
    CHECK_FALSE(own_errors(spec).empty());
  }
  const std::string right[] = {
      R"({"length":95,"classNumber":3,"flags":{"a":"x"},"crew":["al","bo"],"settings":{"a":[1]},"berth":3})",
      R"({"cargo":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"}},"berth":"north"})",
  };
  for (const auto& spec : right) {
    INFO(spec);
    CHECK(talk.send("POST", std::string(kBoats) + "?dryRun=All", boat_with(spec)).status == 201);
    CHECK(own_errors(spec).empty());
  }
}

TEST_CASE("rules with a reason, an expression for the message and an optional old value are evaluated") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", kDefinitions, kube::custom_resource_definition(boat())).status == 201);

  auto forbidden = talk.send("POST", kBoats, boat_with(R"({"length":50})"));
  auto both = talk.send("POST", kBoats, boat_with(R"({"sail":"main","motor":"old"})"));
  auto created = talk.send("POST", kBoats, boat_with(R"({"color":"red"})"));
  auto painted = talk.send("PATCH", std::string(kBoats) + "/b", R"({"spec":{"color":"blue"}})",
                           {{"Content-Type", "application/merge-patch+json"}});

  CHECK(forbidden.body.find("spec.length: Forbidden: not 50 m") != std::string::npos);
  CHECK(both.body.find("at most one of the fields in [sail motor] may be set") != std::string::npos);
  CHECK(created.status == 201);
  CHECK(painted.status == 422);
  CHECK(painted.body.find("spec.color: Invalid value") != std::string::npos);
  CHECK(painted.body.find("boats are not painted") != std::string::npos);
}

TEST_CASE("only fields that the definition lists can be selected") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", kDefinitions, kube::custom_resource_definition(boat())).status == 201);
  REQUIRE(talk.send("POST", kBoats, boat_with(R"({"length":5})")).status == 201);

  auto count = [&](const std::string& selector) {
    return talk.json(std::string(kBoats) + "?fieldSelector=" + selector).find("items")->items().size();
  };

  CHECK(count("spec.length%3D5") == 1);
  CHECK(count("spec.length%3D6") == 0);
  CHECK(talk.send("GET", std::string(kBoats) + "?fieldSelector=spec.sail%3Dx").status == 400);
}

TEST_CASE("clients of a deprecated version are warned, with its warning or with the version to use") {
  fixtures::HttpTalk talk;
  auto kind = boat();
  kind.other_versions = {boat(), boat()};
  kind.other_versions[0].resource.version = "v1beta1";
  kind.other_versions[0].is_deprecated = true;
  kind.other_versions[1].resource.version = "v1alpha1";
  kind.other_versions[1].is_deprecated = true;
  kind.other_versions[1].deprecation_warning = "v1alpha1 goes in March";
  talk.server.serve(kind);
  auto boats = [](const std::string& version) {
    return "/apis/sea.example.com/" + version + "/namespaces/default/boats";
  };

  auto created = talk.send("POST", boats("v1beta1"), boat_with(R"({"length":5})", "v1beta1"));
  auto old = talk.send("GET", boats("v1alpha1") + "/b");
  auto current = talk.send("GET", boats("v1") + "/b");
  auto watched = talk.ask_http("GET", boats("v1alpha1") + "?watch=1&timeoutSeconds=1").response;

  CHECK(created.status == 201);
  CHECK(net::header(created.headers, "Warning") ==
        R"(299 - "sea.example.com/v1beta1 Boat is deprecated; use sea.example.com/v1 Boat")");
  CHECK(net::header(old.headers, "Warning") == R"(299 - "v1alpha1 goes in March")");
  CHECK(net::header(watched.headers, "Warning") == net::header(old.headers, "Warning"));
  CHECK(net::header(current.headers, "Warning") == "");
  CHECK(Tree::parse(current.body)->text_at({"apiVersion"}) == "sea.example.com/v1");
}

TEST_CASE("a served kind has its categories, columns and selectable fields without a definition") {
  fixtures::HttpTalk talk;
  talk.server.serve(boat());
  REQUIRE(talk.send("POST", kBoats, boat_with(R"({"length":5})")).status == 201);

  auto resources = talk.send("GET", "/apis/sea.example.com/v1").body;
  auto table = talk.json(std::string(kBoats) + "?fieldSelector=spec.length%3D5",
                         {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});

  CHECK(resources.find(R"("categories":["all","fleet"])") != std::string::npos);
  CHECK(table.find("rows")->items().size() == 1);
  CHECK(table.find("columnDefinitions")->text().find(R"("Its color.")") != std::string::npos);
  CHECK(table.find("columnDefinitions")->text().find(R"("priority":1)") != std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
