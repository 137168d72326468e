// The fields that the server writes into CustomResourceDefinitions and Services, as kube-apiserver does.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/talk.hpp"

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

TEST_CASE(
    "a definition is established with its names completed, and retains the versions in which objects were stored") {
  Talk talk;
  const auto& kind = kube::custom_resource_definitions();

  auto made = talk.ask(kube::create(talk.client(), kind, "", definition("v1")));
  REQUIRE(made);
  auto document = json::Document::parse(made->json());
  CHECK(document->root().at({"spec", "names", "singular"}).string() == std::string_view("boat"));
  CHECK(document->root().at({"status", "acceptedNames", "listKind"}).string() == std::string_view("BoatList"));
  CHECK(std::string(made->json()).find(R"("type":"Established","status":"True","reason":"InitialNamesAccepted")") !=
        std::string::npos);
  CHECK(std::string(made->json()).find(R"("storedVersions":["v1"])") != std::string::npos);

  auto changed =
      talk.ask(kube::patch(talk.client(), kind, {"", "boats.example.com"}, kube::PatchType::kMerge, definition("v2")));
  REQUIRE(changed);
  CHECK(std::string(changed->json()).find(R"("storedVersions":["v1","v2"])") != std::string::npos);
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
