// The fields that the server writes into CustomResourceDefinitions and Services, as kube-apiserver does.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;

std::string definition(const std::string& storage) {
  auto version = [&storage](const std::string& name) {
    return R"({"name":")" + name + R"(","served":true,"storage":)" + (name == storage ? "true" : "false") +
           R"(,"schema":{"openAPIV3Schema":{"type":"object"}}})";
  };
  return R"({"metadata":{"name":"boats.example.com"},"spec":{"group":"example.com","scope":"Namespaced",)"
         R"("names":{"kind":"Boat","plural":"boats"},"versions":[)" +
         version("v1") + "," + version("v2") + "]}}";
}

Tree tree_of(const Result<kube::Object>& object) {
  REQUIRE(object);
  return *Tree::parse(object->json());
}

Tree definition_named(Talk& talk, const std::string& name) {
  talk.pass(std::chrono::seconds(1));
  return tree_of(talk.ask(kube::get(talk.client(), kube::custom_resource_definitions(), {"", name})));
}

// "NamesAccepted=True NoConflicts: no conflicts found" for each condition.
std::vector<std::string> conditions_of(const Tree& definition) {
  std::vector<std::string> texts;
  for (const auto& one : definition.items_at({"status", "conditions"})) {
    texts.push_back(one.text_at({"type"}) + "=" + one.text_at({"status"}) + " " + one.text_at({"reason"}) + ": " +
                    one.text_at({"message"}));
  }
  return texts;
}

const std::vector<std::string> kEstablished = {
    "NamesAccepted=True NoConflicts: no conflicts found",
    "Established=True InitialNamesAccepted: the initial names have been accepted"};

TEST_CASE("a definition is established after the client has its answer, and retains the versions of stored objects") {
  fixtures::HttpTalk talk;
  const auto& kind = kube::custom_resource_definitions();
  const auto initial =
      *Tree::parse(R"({"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":["v1"]})");

  auto reply =
      talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All", definition("v1"));
  auto made = *Tree::parse(reply.body);
  CHECK((*made.find("status") == initial));
  made = tree_of(talk.ask(kube::create(talk.client(), kind, "", definition("v1"))));
  CHECK(made.text_at({"spec", "names", "singular"}) == "boat");
  CHECK((*made.find("status") == initial));

  auto later = definition_named(talk, "boats.example.com");
  CHECK(conditions_of(later) == kEstablished);
  CHECK(later.text_at({"status", "acceptedNames", "listKind"}) == "BoatList");
  CHECK(later.integer_at({"metadata", "generation"}) == 1);

  auto changed = tree_of(
      talk.ask(kube::patch(talk.client(), kind, {"", "boats.example.com"}, kube::PatchType::kMerge, definition("v2"))));
  CHECK(changed.texts_at({"status", "storedVersions"}) == std::vector<std::string>{"v1", "v2"});
}

TEST_CASE("a watch sees a definition without names, with names, and established") {
  Talk talk;
  const auto& kind = kube::custom_resource_definitions();
  auto watch = talk.ask(talk.client().stream(fixtures::watch_of(kind, {})));
  REQUIRE(watch);
  REQUIRE(talk.ask(kube::create(talk.client(), kind, "", definition("v1"))));
  talk.pass(std::chrono::seconds(1));

  const auto text = talk.read_ready(**watch) + talk.read_ready(**watch) + talk.read_ready(**watch);
  const auto names = text.find(R"("reason":"Installing")");
  CHECK(text.find(R"("conditions":null)") < names);
  CHECK(names < text.find(R"("reason":"InitialNamesAccepted")"));
}

std::string named(const std::string& plural, const std::string& kind, const std::string& more) {
  return R"({"metadata":{"name":")" + plural + R"(.example.com"},"spec":{"group":"example.com","scope":"Namespaced",)" +
         R"("names":{"kind":")" + kind + R"(","plural":")" + plural + "\"" + more + R"(},"versions":[{"name":"v1",)" +
         R"("served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
}

TEST_CASE("a definition whose names another one has is not served until they are free") {
  Talk talk;
  const auto& kind = kube::custom_resource_definitions();
  auto create = [&](const std::string& text) { REQUIRE(talk.ask(kube::create(talk.client(), kind, "", text))); };
  create(named("mains", "Main", R"(,"shortNames":["mn"])"));
  create(named("copies", "Main", R"(,"singular":"mains","shortNames":["mn","mz"])"));
  create(named("others", "Other", R"(,"shortNames":["mn","mz"])"));

  auto copy = definition_named(talk, "copies.example.com");
  CHECK(conditions_of(copy) ==
        std::vector<std::string>{R"(NamesAccepted=False ListKindConflict: "MainList" is already in use)",
                                 "Established=False NotAccepted: not all names are accepted"});
  CHECK(copy.copy_at({"status", "acceptedNames"}).text() == R"({"plural":"copies","kind":""})");
  CHECK(conditions_of(definition_named(talk, "others.example.com")).front() ==
        R"(NamesAccepted=False ShortNamesConflict: "mn" is already in use)");
  const kube::Resource copies("example.com", "v1", "Main", "copies");
  CHECK_FALSE(talk.ask(kube::list(talk.client(), copies, {.ns = "default"})));

  REQUIRE(talk.ask(kube::remove(talk.client(), kind, {"", "mains.example.com"}, {})));

  CHECK(conditions_of(definition_named(talk, "copies.example.com")) == kEstablished);
  CHECK(talk.ask(kube::list(talk.client(), copies, {.ns = "default"})));
  CHECK(conditions_of(definition_named(talk, "others.example.com")).front() ==
        R"(NamesAccepted=False ShortNamesConflict: ["mn" is already in use, "mz" is already in use])");
}

std::string address(const kube::Object& service) {
  auto document = json::Document::parse(service.json());
  return std::string(document->root().at({"spec", "clusterIP"}).string().value_or(""));
}

TEST_CASE("each Service has an address of its own and retains it, except headless and ExternalName ones") {
  Talk talk;
  auto create = [&talk](const std::string& name, const std::string& spec) {
    auto made = talk.ask(kube::create(talk.client(), kube::services(), "default",
                                      R"({"metadata":{"name":")" + name + R"("},"spec":)" + spec + "}"));
    REQUIRE(made);
    return address(*made);
  };

  auto first = create("first", R"({"ports":[{"port":80}]})");
  auto second = create("second", R"({"ports":[{"port":80}]})");
  CHECK(first.starts_with("10.96."));
  CHECK(second.starts_with("10.96."));
  CHECK(first != second);
  CHECK(create("headless", R"({"clusterIP":"None","ports":[{"port":80}]})") == "None");
  CHECK(create("name", R"({"type":"ExternalName","externalName":"example.com"})").empty());

  auto updated = talk.ask(kube::update(talk.client(), kube::services(), {"default", "first"},
                                       R"({"metadata":{"name":"first"},"spec":{"ports":[{"port":81}]}})"));
  REQUIRE(updated);
  CHECK(address(*updated) == first);
}

}  // namespace
}  // namespace keelson::sandbox
