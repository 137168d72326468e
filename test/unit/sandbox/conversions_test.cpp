#include "src/sandbox/admission/conversions.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/webhook_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::parsed;
using fixtures::WebhookTalk;

// v1 has spec.size, v2 has spec.replicas. v1 is stored.
std::string definition(const std::string& conversion) {
  auto version = [](const std::string& name, const std::string& field, bool is_storage) {
    return R"({"name":")" + name + R"(","served":true,"storage":)" + (is_storage ? "true" : "false") +
           R"(,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{")" +
           field + R"(":{"type":"integer"},"color":{"type":"string"}}},"status":{"type":"object"}}}}})";
  };
  return R"({"metadata":{"name":"boats.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
             "names":{"kind":"Boat","plural":"boats","singular":"boat","listKind":"BoatList"},
             "conversion":)" +
         conversion + R"(,"versions":[)" + version("v1", "size", true) + "," + version("v2", "replicas", false) + "]}}";
}

constexpr const char* kNone = R"({"strategy":"None"})";
constexpr const char* kWebhook = R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],
    "clientConfig":{"url":"https://127.0.0.1:9443/convert"}}})";

std::string boats(const std::string& version) { return "/apis/example.com/" + version + "/namespaces/default/boats"; }

Tree renamed(Tree object, const std::string& api_version) {
  object["apiVersion"] = api_version;
  bool is_v2 = api_version == "example.com/v2";
  const char* had = is_v2 ? "size" : "replicas";
  if (const Tree* value = object.at({"spec", had})) {
    auto number = *value;
    object["spec"].erase(had);
    object["spec"][is_v2 ? "replicas" : "size"] = number;
  }
  object["metadata"]["resourceVersion"] = "1";
  return object;
}

struct Boats : WebhookTalk {
  explicit Boats(const std::string& conversion) {
    auto made = talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(conversion));
    REQUIRE(made.status == 201);
    convert = renamed;
  }
  net::Response patch(const std::string& version, const std::string& body, const std::string& type = "merge-patch+json",
                      const std::string& query = "") {
    return talk.send("PATCH", boats(version) + "/b" + query, body, {{"Content-Type", "application/" + type}});
  }
};

TEST_CASE("without a webhook an object has the apiVersion of the request") {
  Boats world(kNone);
  auto created = world.talk.send("POST", boats("v2"), R"({"metadata":{"name":"b"},"spec":{"color":"red"}})");
  CHECK(created.status == 201);
  CHECK(parsed(created).text_at({"apiVersion"}) == "example.com/v2");

  CHECK(world.talk.json(boats("v1") + "/b").text_at({"apiVersion"}) == "example.com/v1");
  CHECK(world.talk.json(boats("v2") + "/b").text_at({"apiVersion"}) == "example.com/v2");
  auto list = world.talk.json(boats("v2"));
  CHECK(list.text_at({"apiVersion"}) == "example.com/v2");
  REQUIRE(list.find("items")->items().size() == 1);
  CHECK(list.find("items")->items()[0].text_at({"apiVersion"}) == "example.com/v2");
  CHECK(world.talk.server.objects({"example.com", "v1", "Boat", "boats"})[0].json().starts_with(
      R"({"kind":"Boat","apiVersion":"example.com/v1",)"));

  auto patched = world.patch("v2", R"({"spec":{"color":"blue"}})");
  CHECK(patched.status == 200);
  CHECK(parsed(patched).text_at({"apiVersion"}) == "example.com/v2");
  CHECK(parsed(world.patch("v2", R"({"spec":{"color":"blue"}})")).text_at({"apiVersion"}) == "example.com/v2");
  CHECK(world.talk.json(boats("v1") + "/b").text_at({"spec", "color"}) == "blue");
  CHECK(world.talk.send("DELETE", boats("v2") + "/b").status == 200);
  CHECK(world.talk.send("GET", boats("v1") + "/b").status == 404);
}

TEST_CASE("a watch has the version of its request") {
  Boats world(kNone);
  auto stream = world.talk.ask(world.talk.client().stream(
      fixtures::watch_of({"example.com", "v2", "Boat", "boats"}, {{"resourceVersion", "0"}})));
  REQUIRE(stream);

  CHECK(world.talk.send("POST", boats("v1"), R"({"metadata":{"name":"b"}})").status == 201);

  CHECK(world.talk.read_ready(**stream).starts_with(
      R"({"type":"ADDED","object":{"kind":"Boat","apiVersion":"example.com/v2",)"));
}

TEST_CASE("a webhook converts objects that are written and read in another version than the stored one") {
  Boats world(kWebhook);
  auto created = world.talk.send("POST", boats("v2"), R"({"metadata":{"name":"b"},"spec":{"replicas":3}})");

  CHECK(created.status == 201);
  CHECK(parsed(created).integer_at({"spec", "replicas"}) == 3);
  auto stored = world.talk.server.objects({"example.com", "v1", "Boat", "boats"})[0];
  auto tree = *Tree::parse(stored.json());
  CHECK(tree.integer_at({"spec", "size"}) == 3);
  CHECK(tree.text_at({"apiVersion"}) == "example.com/v1");

  world.requests.clear();
  CHECK(world.talk.json(boats("v1") + "/b").integer_at({"spec", "size"}) == 3);
  CHECK(world.requests.empty());
  auto read = world.talk.json(boats("v2") + "/b");
  CHECK(read.integer_at({"spec", "replicas"}) == 3);
  CHECK(read.text_at({"metadata", "resourceVersion"}) == std::to_string(stored.resource_version()));
  REQUIRE(world.requests.size() == 1);
  CHECK(world.requests[0].text_at({"desiredAPIVersion"}) == "example.com/v2");
  CHECK(world.talk.json(boats("v2")).find("items")->items()[0].integer_at({"spec", "replicas"}) == 3);

  auto patched = world.patch("v2", R"({"spec":{"replicas":5}})");
  CHECK(patched.status == 200);
  CHECK(parsed(patched).integer_at({"spec", "replicas"}) == 5);
  CHECK(world.talk.json(boats("v1") + "/b").integer_at({"spec", "size"}) == 5);
  const auto then = "?resourceVersionMatch=Exact&resourceVersion=" + std::to_string(stored.resource_version());
  CHECK(world.talk.json(boats("v2") + then).find("items")->items()[0].integer_at({"spec", "replicas"}) == 3);

  auto applied = world.patch(
      "v2", R"({"apiVersion":"example.com/v2","kind":"Boat","metadata":{"name":"b"},"spec":{"color":"red"}})",
      "apply-patch+yaml", "?fieldManager=me");
  CHECK(applied.status == 200);
  CHECK(parsed(applied).integer_at({"spec", "replicas"}) == 5);
  CHECK(world.talk.json(boats("v1") + "/b").text_at({"spec", "color"}) == "red");
}

TEST_CASE("a webhook that matches an equivalent version receives the object in that version") {
  for (bool is_exact : {false, true}) {
    Boats world(kWebhook);
    std::string rule = R"("operations":["*"],"resources":["boats"]}],"matchPolicy":")";
    rule += is_exact ? "Exact" : "Equivalent";
    // A rule that only matches v1.
    auto configured = world.talk.send(
        "POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
        R"({"metadata":{"name":"m"},"webhooks":[{"name":"m.example.com","admissionReviewVersions":["v1"],
            "sideEffects":"None","clientConfig":{"url":"https://h/m"},
            "rules":[{"apiGroups":["example.com"],"apiVersions":["v1"],)" +
            rule + R"("}]})");
    REQUIRE(configured.status == 201);
    Tree seen;
    world.answer = [&seen](const Tree& request) {
      seen = request;
      return fixtures::patched(R"([{"op":"replace","path":"/spec/size","value":7}])");
    };

    auto created = world.talk.send("POST", boats("v2"), R"({"metadata":{"name":"b"},"spec":{"replicas":3}})");

    CHECK(created.status == 201);
    CHECK(parsed(created).integer_at({"spec", "replicas"}) == (is_exact ? 3 : 7));
    if (is_exact) continue;
    CHECK(seen.text_at({"kind", "version"}) == "v1");
    CHECK(seen.text_at({"requestKind", "version"}) == "v2");
    CHECK(seen.find("object")->integer_at({"spec", "size"}) == 3);
  }
}

TEST_CASE("a failing conversion webhook fails the request with the messages of kube-apiserver") {
  Boats world(kWebhook);
  CHECK(world.talk.send("POST", boats("v1"), R"({"metadata":{"name":"b"}})").status == 201);
  world.reply = Result<net::Response>(transport_error("dial tcp 127.0.0.1:9443: connect: connection refused"));

  auto failed = world.talk.send("GET", boats("v2") + "/b");

  CHECK(failed.status == 500);
  CHECK(parsed(failed).text_at({"message"}) ==
        "conversion webhook for example.com/v1, Kind=Boat failed: Post "
        "\"https://127.0.0.1:9443/convert?timeout=30s\": dial tcp 127.0.0.1:9443: connect: connection refused");
  CHECK(world.talk.send("POST", boats("v2"), R"({"metadata":{"name":"c"}})").status == 500);
  CHECK(world.talk.send("GET", boats("v1") + "/c").status == 404);
}

TEST_CASE("large objects are converted in several calls") {
  Boats world(kWebhook);
  const std::string color(800'000, 'x');
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    auto body = R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{"size":1,"color":")" + color + "\"}}";
    REQUIRE(world.talk.send("POST", boats("v1"), body).status == 201);
  }

  auto list = world.talk.json(boats("v2"));

  REQUIRE(list.find("items") != nullptr);
  CHECK(list.find("items")->items().size() == 5);
  CHECK(world.calls.size() == 3);
  for (const auto& call : world.calls) CHECK(call.body.size() < (std::size_t{2} << 20) + 1000);
}

TEST_CASE("a conversion retains the metadata, and must not return another object") {
  Boats world(kWebhook);
  CHECK(world.talk.send("POST", boats("v1"), R"({"metadata":{"name":"b"}})").status == 201);
  world.convert = [](Tree object, const std::string& api_version) {
    object["apiVersion"] = api_version;
    object["metadata"]["name"] = "other";
    return object;
  };

  auto failed = world.talk.send("GET", boats("v2") + "/b");

  CHECK(failed.status == 500);
  CHECK(
      parsed(failed).text_at({"message"}) ==
      "conversion webhook for example.com/v1, Kind=Boat returned invalid object: must have the same name: b != other");
}

}  // namespace
}  // namespace keelson::sandbox
