// The errors of kube-apiserver 1.36.3 for definitions: each row was recorded from it.
#include "src/sandbox/custom/definition_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"
#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr const char* kBase =
    R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"bads.ex.com"},)"
    R"("spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"bads","singular":"bad","kind":"Bad",)"
    R"("listKind":"BadList"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}})";

std::string causes(const net::Response& reply) {
  std::string text;
  auto status = Tree::parse(reply.body);
  const Tree* list = status ? status->at({"details", "causes"}) : nullptr;
  for (const auto& cause : list != nullptr ? list->items() : std::vector<Tree>()) {
    text += (text.empty() ? "" : " | ") + cause.text_at({"reason"}) + " " + cause.text_at({"field"}) + ": " +
            cause.text_at({"message"});
  }
  return text;
}

std::string definition(const std::string& spec) {
  auto tree = *Tree::parse(kBase);
  tree["spec"]["versions"].items()[0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = *Tree::parse(spec);
  return tree.text();
}

TEST_CASE("schemas of definitions are validated as by the API server, with its messages") {
  fixtures::HttpTalk talk;
  for (const auto& row : testing::data_rows("test/unit/sandbox/definition_schemas.txt", {"schema", "why"})) {
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", definition(row["schema"]));
    CAPTURE(row.place(), row["schema"], reply.body);
    CHECK(reply.status == (row["why"].empty() ? 201 : 422));
    CHECK(causes(reply) == row["why"]);
  }
}

TEST_CASE("names, versions and subresources of definitions are validated as by the API server") {
  fixtures::HttpTalk talk;
  for (const auto& row : testing::data_rows("test/unit/sandbox/definition_patches.txt", {"patch", "why"})) {
    auto body = json::merge_patch(kBase, row["patch"]);
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", *body);
    CAPTURE(row.place(), row["patch"], reply.body);
    CHECK(reply.status == (row["why"].empty() ? 201 : 422));
    CHECK(causes(reply) == row["why"]);
  }
}

TEST_CASE("a definition without a conversion has the strategy None") {
  fixtures::HttpTalk talk;
  const auto created = Tree::parse(talk.send("POST", kDefinitions, kBase).body);
  REQUIRE(created);
  CHECK(created->copy_at({"spec", "conversion"}).text() == R"({"strategy":"None"})");
}

TEST_CASE("a definition with a wrong CA bundle is not established, and an established one rejects the bundle") {
  const auto with_bundle = [](const char* bundle) {
    return std::string(R"({"spec":{"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],)"
                       R"("clientConfig":{"caBundle":)") +
           bundle + R"(,"service":{"name":"a","namespace":"b"}}}}}})";
  };
  fixtures::HttpTalk talk;
  const auto path = std::string(kDefinitions) + "/bads.ex.com";
  const auto established = [&] {
    talk.pass(std::chrono::seconds(1));
    const auto definition = Tree::parse(talk.send("GET", path).body);
    for (const auto& condition : definition->items_at({"status", "conditions"})) {
      if (condition.text_at({"type"}) == "Established") return condition.text_at({"reason"});
    }
    return std::string();
  };
  const auto patch = [&](const std::string& body) {
    return talk.send("PATCH", path, body, {{"Content-Type", "application/merge-patch+json"}});
  };

  const auto created = talk.send("POST", kDefinitions, *json::merge_patch(kBase, with_bundle(R"("Cg==")")));
  CHECK(created.status == 201);
  CHECK(established() == "InvalidCABundle");
  CHECK(patch(with_bundle(R"("YWJj")")).status == 200);
  const auto repaired = patch(with_bundle("null"));
  CHECK(repaired.status == 200);
  CHECK(Tree::parse(repaired.body)->copy_at({"spec", "conversion", "webhook", "clientConfig", "service"}).text() ==
        R"({"name":"a","namespace":"b","port":443})");
  CHECK(established() == "InitialNamesAccepted");
  CHECK(causes(patch(with_bundle(R"("Cg==")"))) ==
        "FieldValueInvalid spec.conversion.webhookClientConfig.caBundle: Invalid value: \"Cg==\": unable to load root "
        "certificates: unable to parse bytes as PEM block");
}

TEST_CASE("warnings of deprecated versions and the paths of rules are validated") {
  fixtures::HttpTalk talk;
  const auto with = [&talk](const std::string& version_patch) {
    auto tree = *Tree::parse(kBase);
    auto& version = tree["spec"]["versions"].items()[0];
    version = *Tree::parse(*json::merge_patch(version.text(), version_patch));
    return causes(talk.send("POST", std::string(kDefinitions) + "?dryRun=All", tree.text()));
  };
  const auto with_path = [&with](const std::string& path) {
    return with(R"j({"schema":{"openAPIV3Schema":{"x-kubernetes-validations":[{"rule":"true","fieldPath":")j" + path +
                R"("}]}}})");
  };
  const std::string warning = "FieldValueInvalid spec.versions[0].deprecationWarning: Invalid value: ";
  const std::string path =
      "FieldValueInvalid spec.validation.openAPIV3Schema.x-kubernetes-validations[0].fieldPath: Invalid value: ";

  CHECK(with(R"({"deprecated":true,"deprecationWarning":"old"})") == "");
  CHECK(with(R"({"deprecationWarning":"old"})") == warning + R"("old": can only be set for deprecated versions)");
  CHECK(with(R"({"deprecated":true,"deprecationWarning":""})") == warning + R"("": must not be an empty string)");
  CHECK(with(R"({"deprecated":true,"deprecationWarning":"a\nb"})") ==
        warning + R"("a\nb": must only contain printable UTF-8 characters; non-printable character found at index 1)");
  CHECK(with(R"({"deprecated":true,"deprecationWarning":")" + std::string(257, 'a') + R"("})")
            .ends_with("must be <= 256 characters long"));
  CHECK(with_path(".spec.a") == "");
  CHECK(with_path(".spec['a']") == "");
  CHECK(with_path(".spec.nope") == path + R"(".spec.nope": must be a valid path)");
  CHECK(with_path("spec") == path + R"("spec": must be a valid path)");
  CHECK(with_path(".spec.a[0]") == path + R"(".spec.a[0]": must be a valid path)");
}

TEST_CASE("selectable fields need a schema in the same place: in the versions or in common") {
  fixtures::HttpTalk talk;
  const auto with = [&talk](const std::string& description, const std::string& fields) {
    auto tree = *Tree::parse(kBase);
    auto& versions = tree["spec"]["versions"].items();
    versions[0]["selectableFields"] = *Tree::parse(R"([{"jsonPath":".spec.a"}])");
    auto other = versions[0];
    other["name"] = Tree("v2");
    other["storage"] = Tree(false);
    other["selectableFields"] = *Tree::parse(fields);
    if (!description.empty()) other["schema"]["openAPIV3Schema"]["description"] = Tree(description);
    versions.push_back(other);
    return causes(talk.send("POST", std::string(kDefinitions) + "?dryRun=All", tree.text()));
  };

  CHECK(with("", R"([{"jsonPath":".spec.a"}])") == "");
  CHECK(with("other", "[]") == "");
  CHECK(with("", "[]") ==
        "FieldValueInvalid spec.versions[0].selectableFields: Invalid value: \"\": may only be set when "
        "`version.schema.openAPIV3Schema` is not included");
  CHECK(with("other", R"([{"jsonPath":".spec.a"}])") ==
        "FieldValueInvalid spec.selectableFields: Invalid value: \"\": may only be set when validations.schema is "
        "included");
}

struct Versions : fixtures::HttpTalk {
  net::Response write(const std::string& versions) {
    auto body = *Tree::parse(kBase);
    body["spec"]["versions"] = *Tree::parse("[" + versions + "]");
    return send("PATCH", std::string(kDefinitions) + "/bads.ex.com?fieldManager=t&force=true", body.text(),
                {{"Content-Type", "application/apply-patch+yaml"}});
  }
  static std::string version(const std::string& name, bool is_served, bool is_stored) {
    return R"({"name":")" + name + R"(","served":)" + (is_served ? "true" : "false") + R"(,"storage":)" +
           (is_stored ? "true" : "false") + R"(,"schema":{"openAPIV3Schema":{"type":"object"}}})";
  }
  int list(const std::string& version) { return send("GET", "/apis/ex.com/" + version + "/bads").status; }
};

TEST_CASE("a version is served while the definition serves it, and not after it is removed") {
  Versions talk;
  talk.write(Versions::version("v1", true, true) + "," + Versions::version("v2", false, false));
  CHECK(talk.list("v1") == 200);
  CHECK(talk.list("v2") == 404);

  talk.write(Versions::version("v1", true, true) + "," + Versions::version("v2", true, false));
  CHECK(talk.list("v2") == 200);

  talk.write(Versions::version("v1", true, true));
  CHECK(talk.list("v1") == 200);
  CHECK(talk.list("v2") == 404);
}

TEST_CASE("a version in which objects may be stored stays until it is removed from status.storedVersions") {
  Versions talk;
  talk.write(Versions::version("v1", true, true) + "," + Versions::version("v2", true, false));
  talk.write(Versions::version("v1", true, false) + "," + Versions::version("v2", true, true));

  auto early = talk.write(Versions::version("v2", true, true));
  auto status =
      talk.send("PATCH", std::string(kDefinitions) + "/bads.ex.com/status", R"({"status":{"storedVersions":["v2"]}})",
                {{"Content-Type", "application/merge-patch+json"}});
  auto later = talk.write(Versions::version("v2", true, true));

  CHECK(causes(early) ==
        "FieldValueInvalid status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was "
        "previously a storage version, and must remain in spec.versions until a storage migration ensures no data "
        "remains persisted in v1 and removes v1 from status.storedVersions");
  CHECK(status.status == 200);
  CHECK(later.status == 200);
  CHECK(talk.list("v1") == 404);
}

TEST_CASE("the kind and the scope of a definition cannot be changed") {
  Versions talk;
  talk.write(Versions::version("v1", true, true));

  auto reply = talk.send("PATCH", std::string(kDefinitions) + "/bads.ex.com",
                         R"({"spec":{"scope":"Cluster","names":{"kind":"Other","listKind":"OtherList"}}})",
                         {{"Content-Type", "application/merge-patch+json"}});

  CHECK(causes(reply) ==
        "FieldValueInvalid spec.scope: Invalid value: \"Cluster\": field is immutable | "
        "FieldValueInvalid spec.names.kind: Invalid value: \"Other\": field is immutable");
}

TEST_CASE("patterns that take too much memory in total are an error") {
  fixtures::HttpTalk talk;
  std::string properties;
  for (int i = 0; i < 1'000; ++i) {
    properties += (i > 0 ? ",\"p" : "\"p") + std::to_string(i) + R"(":{"type":"string","pattern":"a{1000}"})";
  }

  auto reply = talk.send("POST", kDefinitions, definition(R"({"type":"object","properties":{)" + properties + "}}"));

  CHECK(reply.status == 422);
  CHECK(reply.body.find("the patterns of the definition are too large in total") != std::string::npos);
}

TEST_CASE("only the first patterns that do not compile are reported") {
  fixtures::HttpTalk talk;
  std::string properties;
  for (int i = 0; i < 40; ++i) {
    properties += (i > 0 ? ",\"p" : "\"p") + std::to_string(i) + R"~(":{"type":"string","pattern":"(a{1000}){1000}"})~";
  }

  auto reply = talk.send("POST", kDefinitions, definition(R"({"type":"object","properties":{)" + properties + "}}"));
  auto status = Tree::parse(reply.body);

  CHECK(reply.status == 422);
  REQUIRE(status);
  CHECK(status->at({"details", "causes"})->items().size() == 15);
}

}  // namespace
}  // namespace keelson::sandbox
