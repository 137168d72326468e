#include "src/sandbox/kinds/discovery.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/http/representation.hpp"
#include "src/sandbox/kinds/version_priority.hpp"

namespace keelson::sandbox {
namespace {

Tree gadgets(const std::string& version) {
  auto definition = Tree::parse(
      R"({"spec":{"group":"kf.dev","scope":"Namespaced","names":{"plural":"gadgets","singular":"gadget","kind":"Gadget",)"
      R"("shortNames":["gd"],"categories":["all","toys"]},"versions":[{"name":"$V","subresources":{"status":{},"scale":)"
      R"({"specReplicasPath":".spec.size","statusReplicasPath":".status.replicas"}}}]}})");
  REQUIRE(definition);
  (*definition)["spec"]["versions"].items()[0]["name"] = version;
  return *definition;
}

std::string asked(const Kinds& kinds, const std::string& path) {
  const auto outcome = discover(kinds, path);
  return outcome ? outcome->body : "";
}

TEST_CASE("versions are ordered as clients prefer them") {
  const char* in_order[] = {"v10",     "v2",        "v1",        "v11beta2", "v1beta2",
                            "v1beta1", "v12alpha1", "v11alpha2", "bar",      "foo"};

  for (std::size_t i = 0; i + 1 < std::size(in_order); ++i) {
    INFO(in_order[i]);
    CHECK(has_priority(in_order[i], in_order[i + 1]));
    CHECK_FALSE(has_priority(in_order[i + 1], in_order[i]));
  }
}

// Recorded from a kube-apiserver 1.36.3.
TEST_CASE("discovery lists a custom kind as kube-apiserver does") {
  Kinds kinds;
  auto definition = gadgets("v1alpha1");
  auto& versions = definition["spec"]["versions"].items();
  versions.push_back(versions[0]);
  versions[1]["name"] = "v1";
  kinds.add_definition(definition);

  CHECK(
      asked(kinds, "/apis/kf.dev") ==
      R"({"kind":"APIGroup","apiVersion":"v1","name":"kf.dev","versions":[{"groupVersion":"kf.dev/v1","version":"v1"},)"
      R"({"groupVersion":"kf.dev/v1alpha1","version":"v1alpha1"}],"preferredVersion":)"
      R"({"groupVersion":"kf.dev/v1","version":"v1"}})");
  CHECK(
      asked(kinds, "/apis/kf.dev/v1") ==
      R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"kf.dev/v1","resources":[{"name":"gadgets",)"
      R"("singularName":"gadget","namespaced":true,"kind":"Gadget","verbs":["delete","deletecollection","get","list",)"
      R"("patch","create","update","watch"],"shortNames":["gd"],"categories":["all","toys"],)"
      R"("storageVersionHash":"uvvMuo6CSQk="},)"
      R"({"name":"gadgets/status","singularName":"","namespaced":true,"kind":"Gadget","verbs":["get","patch","update"]},)"
      R"({"name":"gadgets/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1",)"
      R"("kind":"Scale","verbs":["get","patch","update"]}]})");
  auto aggregated = aggregated_discovery(kinds, "/apis").text();
  CHECK(aggregated.ends_with(
      R"({"version":"v1alpha1","resources":[{"resource":"gadgets","responseKind":{"group":"kf.dev","version":"v1alpha1",)"
      R"("kind":"Gadget"},"scope":"Namespaced","singularResource":"gadget","verbs":["delete","deletecollection","get",)"
      R"("list","patch","create","update","watch"],"shortNames":["gd"],"categories":["all","toys"],"subresources":)"
      R"([{"subresource":"status","responseKind":{"group":"kf.dev","version":"v1alpha1","kind":"Gadget"},"verbs":["get",)"
      R"("patch","update"]},{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},)"
      R"("verbs":["get","patch","update"]}]}],"freshness":"Current"}]}]})"));
}

TEST_CASE("discovery lists built-in kinds as kube-apiserver does") {
  Kinds kinds;

  auto core = asked(kinds, "/api/v1");
  CHECK(core.starts_with(R"({"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"bindings",)"
                         R"("singularName":"binding","namespaced":true,"kind":"Binding","verbs":["create"]},)"));
  CHECK(core.find(R"({"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy","version":"v1",)"
                  R"("kind":"Eviction","verbs":["create"]})") != std::string::npos);
  CHECK(core.find(R"({"name":"services","singularName":"service","namespaced":true,"kind":"Service","verbs":["create",)"
                  R"("delete","deletecollection","get","list","patch","update","watch"],"shortNames":["svc"],)"
                  R"("categories":["all"],"storageVersionHash":"0/CO1lhkEBI="})") != std::string::npos);
  CHECK(asked(kinds, "/api").starts_with(R"({"kind":"APIVersions","versions":["v1"])"));
  CHECK(asked(kinds, "/apis")
            .starts_with(R"({"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apiregistration.k8s.io",)"));
  CHECK(asked(kinds, "/apis/nothing").empty());
  auto aggregated = aggregated_discovery(kinds, "/api").text();
  CHECK(aggregated.starts_with(
      R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},)"
      R"("versions":[{"version":"v1","resources":[{"resource":"bindings","responseKind":{"group":"","version":"",)"
      R"("kind":"Binding"},"scope":"Namespaced","singularResource":"binding","verbs":["create"]},)"));
}

TEST_CASE("aggregated discovery is for clients that request its second version") {
  CHECK(
      wants_aggregated_discovery("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                                 "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
                                 "application/json"));
  CHECK_FALSE(wants_aggregated_discovery(
      "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"));
  CHECK_FALSE(wants_aggregated_discovery("application/json, */*"));
}

TEST_CASE("a response has the form that its client prefers among the served ones") {
  using Form = Representation::Form;
  using Format = Representation::Format;
  struct Row {
    const char* accept;
    int code;
    Form form;
    Format format;
  };
  const Row rows[] = {
      {"", 200, Form::kObject, Format::kJson},
      {"*/*", 200, Form::kObject, Format::kJson},
      {"application/json", 200, Form::kObject, Format::kJson},
      {"application/yaml", 200, Form::kObject, Format::kYaml},
      {"application/vnd.kubernetes.protobuf,application/json", 200, Form::kObject, Format::kProtobuf},
      {"application/vnd.kubernetes.protobuf", 200, Form::kObject, Format::kProtobuf},
      {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", 406, {}, Format::kJson},
      {"application/cbor", 406, {}, Format::kJson},
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", 200, Form::kTable, Format::kJson},
      {"application/json;as=Table;v=v2;g=meta.k8s.io,application/json", 200, Form::kObject, Format::kJson},
      {"application/json;as=Table;v=v2;g=meta.k8s.io", 406, {}, Format::kJson},
      {"application/json;q=0, application/yaml", 200, Form::kObject, Format::kYaml},
      {"application/json;q=0", 406, Form::kObject, Format::kJson},
      {"application/yaml;q=nan, application/json;q=0.5", 200, Form::kObject, Format::kYaml},
      {"application/json;q=0.5;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, text/html", 200, Form::kMetadata,
       Format::kJson},
      {"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", 200, Form::kMetadataList, Format::kJson},
      {"application/json;as=Table;v=v1beta1;g=meta.k8s.io", 200, Form::kTable, Format::kJson},
  };

  for (const auto& row : rows) {
    INFO(row.accept);
    const auto result = negotiate(row.accept, {.has_protobuf = true});
    if (!result) {
      CHECK(row.code == result.error().code);
      CHECK(result.error().reason() == "NotAcceptable");
      continue;
    }
    CHECK(row.code == 200);
    CHECK(result->form == row.form);
    CHECK(result->format == row.format);
  }
}

TEST_CASE("a request offers the formats that its objects have") {
  using Format = Representation::Format;
  const std::string binary = kProtobuf;
  const std::string metadata = binary + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const Offer custom{};
  const Offer watch{.is_watch = true, .has_protobuf = true};
  const auto message = [](const std::string& accept, const Offer& offer) {
    return negotiate(accept, offer).error().message();
  };
  const std::string only = "only the following media types are accepted: ";
  const std::string objects = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  const std::string events = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  CHECK(message(binary, custom) == only + objects);
  CHECK(negotiate(binary + ", */*", custom)->format == Format::kJson);
  CHECK(negotiate(metadata, custom)->format == Format::kProtobuf);
  CHECK(negotiate(binary + ";stream=watch", watch)->format == Format::kProtobuf);
  CHECK(message("application/yaml", watch) == only + events);
  CHECK(message("text/html", watch) == "406: Not Acceptable\n\nAvailable representations: " + objects + ", " + events);
  CHECK(message("text/html", {.has_protobuf = true}) == "406: Not Acceptable\n\nAvailable representations: " + objects);
  CHECK(message(table, {.has_protobuf = true, .has_table = false}) == only + objects);
}

TEST_CASE("bodies are JSON or YAML") {
  CHECK(*json_of_body("", "{}", "ConfigMap") == "{}");
  CHECK(*json_of_body("application/json; charset=utf-8", "{}", "ConfigMap") == "{}");
  CHECK(*json_of_body("application/yaml", "a: 1", "ConfigMap") == R"({"a":1})");
  CHECK(json_of_body("application/yaml", "a: {", "ConfigMap").error().code == 400);
  CHECK(json_of_body("text/plain", "x", "ConfigMap").error().code == 415);
}

}  // namespace
}  // namespace keelson::sandbox
