#include "keelson/detail/schema/crd.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/json/value.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/describe.hpp"

namespace {

using namespace keelson;

struct Spec {
  std::int32_t size = 0;
};

void describe(kube::Description& d, Spec& spec) {
  d.document("Spec is what is wanted.");
  d.field("size", spec.size, "How many.").required().minimum(0);
}

struct Status {
  std::vector<std::string> nodes;
};

void describe(kube::Description& d, Status& status) { d.field("nodes", status.nodes, "Names.").required(); }

kube::Kind widget() {
  kube::Kind kind;
  kind.resource = {"shop.example.com", "v1", "Widget", "widgets"};
  kind.singular = "widget";
  kind.description = "Widget is sold.";
  kind.spec_schema = kube::schema_of<Spec>();
  kind.status_schema = kube::schema_of<Status>();
  return kind;
}

json::Document definition_of(const kube::Kind& kind) {
  auto document = json::Document::parse(kube::custom_resource_definition(kind));
  REQUIRE(document);
  return std::move(*document);
}

constexpr std::string_view kWidgetYaml = R"(---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.shop.example.com
spec:
  group: shop.example.com
  names:
    kind: Widget
    listKind: WidgetList
    plural: widgets
    singular: widget
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: Widget is sold.
        properties:
          apiVersion:
            description: |-
              APIVersion defines the versioned schema of this representation of an object.
              Servers should convert recognized schemas to the latest internal value, and
              may reject unrecognized values.
              More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
            type: string
          kind:
            description: |-
              Kind is a string value representing the REST resource this object represents.
              Servers may infer this from the endpoint the client submits requests to.
              Cannot be updated.
              In CamelCase.
              More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
            type: string
          metadata:
            type: object
          spec:
            description: Spec is what is wanted.
            properties:
              size:
                description: How many.
                format: int32
                minimum: 0
                type: integer
            required:
            - size
            type: object
          status:
            properties:
              nodes:
                description: Names.
                items:
                  type: string
                type: array
            required:
            - nodes
            type: object
        required:
        - spec
        type: object
    served: true
    storage: true
    subresources:
      status: {}
)";

}  // namespace

TEST_CASE("M3: a definition equals controller-gen's") {
  CHECK(kube::custom_resource_definition_yaml(widget()) == kWidgetYaml);
}

TEST_CASE("the definition has the columns, short names and rules") {
  kube::Kind kind = widget();
  kind.short_names = {"wd"};
  kind.columns = {{"Size", "integer", ".spec.size"}};
  kind.rules = {{"self.metadata.name.size() < 10", "too long", {}}};

  const auto document = definition_of(kind);

  const auto spec = document.root().find("spec");
  const auto version = spec.find("versions").item(0);
  CHECK(spec.at({"names", "shortNames"}).text() == R"(["wd"])");
  CHECK(version.find("additionalPrinterColumns").text() ==
        R"([{"jsonPath":".spec.size","name":"Size","type":"integer"}])");
  CHECK(version.at({"schema", "openAPIV3Schema", "x-kubernetes-validations"}).text() ==
        R"([{"message":"too long","rule":"self.metadata.name.size() < 10"}])");
}

TEST_CASE("the schema declares metadata.name if a rule has it as field_path") {
  kube::Kind kind = widget();
  kind.rules = {
      {"self.metadata.name.size() < 10", "too long", ".metadata.name", "self.metadata.name + ' is too long'"}};

  const auto document = definition_of(kind);

  const auto schema = document.root().at({"spec", "versions"}).item(0).at({"schema", "openAPIV3Schema"});
  CHECK(schema.at({"properties", "metadata"}).text() == R"({"properties":{"name":{"type":"string"}},"type":"object"})");
  CHECK(schema.find("x-kubernetes-validations").text() ==
        R"([{"fieldPath":".metadata.name","message":"too long",)"
        R"("messageExpression":"self.metadata.name + ' is too long'","rule":"self.metadata.name.size() < 10"}])");
}

TEST_CASE("a kind with has_scale has the scale subresource") {
  kube::Kind kind = widget();
  kind.has_scale = true;
  kind.scale = {".spec.size", ".status.replicas", ".status.selector"};

  const auto document = definition_of(kind);

  CHECK(document.root().at({"spec", "versions"}).item(0).find("subresources").text() ==
        R"({"scale":{"labelSelectorPath":".status.selector","specReplicasPath":".spec.size",)"
        R"("statusReplicasPath":".status.replicas"},"status":{}})");
}

TEST_CASE("the definition has categories, selectable fields, the deprecation and its metadata") {
  kube::Kind kind = widget();
  kind.categories = {"all", "shop"};
  kind.selectable_fields = {".spec.size"};
  kind.is_deprecated = true;
  kind.deprecation_warning = "use Gadget";
  kind.labels = {{"team", "shop"}};
  kind.annotations = {{"example.com/owner", "us"}};
  kind.columns = {{"Size", "integer", ".spec.size", "How many.", "int32", 1}};

  const auto document = definition_of(kind);

  const auto version = document.root().at({"spec", "versions"}).item(0);
  CHECK(document.root().find("metadata").text() ==
        R"({"annotations":{"example.com/owner":"us"},"labels":{"team":"shop"},"name":"widgets.shop.example.com"})");
  CHECK(document.root().at({"spec", "names", "categories"}).text() == R"(["all","shop"])");
  CHECK(version.find("selectableFields").text() == R"([{"jsonPath":".spec.size"}])");
  CHECK(version.find("deprecated").text() == "true");
  CHECK(version.find("deprecationWarning").string() == "use Gadget");
  CHECK(version.find("additionalPrinterColumns").text() ==
        R"([{"description":"How many.","format":"int32","jsonPath":".spec.size","name":"Size","priority":1,)"
        R"("type":"integer"}])");
}

TEST_CASE("the versions of a kind are sorted, and storage_version is stored") {
  kube::Kind kind = widget();
  kube::Kind old = widget();
  old.resource.version = "v1beta1";
  old.is_deprecated = true;
  kube::Kind oldest = widget();
  oldest.resource.version = "v1alpha1";
  oldest.is_served = false;
  kind.other_versions = {old, oldest};

  const auto flags_of = [](const kube::Kind& of) {
    const auto document = definition_of(of);
    std::string all;
    for (const auto version : document.root().at({"spec", "versions"}).items()) {
      all += std::string(*version.find("name").string()) + (*version.find("served").boolean() ? " served" : "") +
             (*version.find("storage").boolean() ? " stored" : "") +
             (version.find("deprecated").is_absent() ? "" : " old") + "\n";
    }
    return all;
  };
  CHECK(flags_of(kind) == "v1 served stored\nv1alpha1\nv1beta1 served old\n");
  kind.storage_version = "v1beta1";
  CHECK(flags_of(kind) == "v1 served\nv1alpha1\nv1beta1 served stored old\n");
}

TEST_CASE("the definition has all parts of a rule") {
  kube::Kind kind = widget();
  kind.rules = {{.rule = "!oldSelf.hasValue() || self.spec.size >= oldSelf.value().spec.size",
                 .field_path = ".spec.size",
                 .message_expression = "'not below ' + string(oldSelf.value().spec.size)",
                 .reason = kube::RuleReason::kForbidden,
                 .optional_old_self = true}};

  const auto document = definition_of(kind);

  CHECK(document.root()
            .at({"spec", "versions"})
            .item(0)
            .at({"schema", "openAPIV3Schema", "x-kubernetes-validations"})
            .text() ==
        R"j([{"fieldPath":".spec.size","messageExpression":"'not below ' + string(oldSelf.value().spec.size)",)j"
        R"("optionalOldSelf":true,"reason":"FieldValueForbidden",)"
        R"("rule":"!oldSelf.hasValue() || self.spec.size >= oldSelf.value().spec.size"}])");
}

TEST_CASE("a cluster-scoped kind has the scope Cluster") {
  kube::Kind kind = widget();
  kind.resource.namespaced = false;

  const auto document = definition_of(kind);

  CHECK(document.root().at({"spec", "scope"}).string() == "Cluster");
}

TEST_CASE("a spec without required members is not required") {
  kube::Kind kind = widget();
  kind.spec_schema = R"({"type":"object"})";

  const auto document = definition_of(kind);

  CHECK(document.root().at({"spec", "versions"}).item(0).at({"schema", "openAPIV3Schema", "required"}).is_absent());
}

TEST_CASE("a status has observedGeneration -1 until a manager has reconciled the object") {
  kube::Kind kind = widget();
  const auto default_of = [&kind](const std::string& status_schema) {
    kind.status_schema = status_schema;
    const auto document = definition_of(kind);
    const auto schema = document.root().at({"spec", "versions"}).item(0).at({"schema", "openAPIV3Schema"});
    return schema.at({"properties", "status", "default"}).text();
  };
  const std::string observed = R"("observedGeneration":{"format":"int64","type":"integer"})";
  const auto requiring = [&observed](const std::string& member) {
    return R"({"properties":{)" + observed + R"(,"it":)" + member + R"(},"required":["it"],"type":"object"})";
  };

  CHECK(default_of(R"({"description":"d","properties":{)" + observed + R"(},"type":"object"})") ==
        R"({"observedGeneration":-1})");
  CHECK(default_of(requiring(R"({"type":"array"})")) == R"({"it":[],"observedGeneration":-1})");
  CHECK(default_of(requiring(R"({"type":"string"})")) == R"({"it":"","observedGeneration":-1})");
  CHECK(default_of(requiring(R"({"type":"boolean"})")) == R"({"it":false,"observedGeneration":-1})");
  CHECK(default_of(requiring(R"({"format":"int32","minimum":0,"type":"integer"})")) ==
        R"({"it":0,"observedGeneration":-1})");
  CHECK(default_of(requiring(R"({"properties":{"n":{"type":"integer"}},"required":["n"],"type":"object"})")) ==
        R"({"it":{"n":0},"observedGeneration":-1})");
}

TEST_CASE("a status whose required members reject empty values has no default") {
  kube::Kind kind = widget();
  const std::string observed = R"("observedGeneration":{"type":"integer"})";
  for (const std::string member :
       {R"({"enum":["A","B"],"type":"string"})", R"({"pattern":"^a","type":"string"})",
        R"({"minLength":1,"type":"string"})", R"({"format":"date-time","type":"string"})",
        R"({"minimum":1,"type":"integer"})", R"({"minItems":1,"type":"array"})",
        R"({"minProperties":1,"type":"object"})", R"({"type":"object","x-kubernetes-embedded-resource":true})"}) {
    INFO(member);
    kind.status_schema =
        R"({"properties":{)" + observed + R"(,"it":)" + member + R"(},"required":["it"],"type":"object"})";
    CHECK(kube::custom_resource_definition(kind).find("\"default\"") == std::string::npos);
  }
  kind.status_schema = R"({"properties":{"phase":{"type":"string"}},"type":"object"})";
  CHECK(kube::custom_resource_definition(kind).find("\"default\"") == std::string::npos);
  kind.status_schema = R"({"properties":{"observedGeneration":{"minimum":0,"type":"integer"}},"type":"object"})";
  CHECK(kube::custom_resource_definition(kind).find("\"default\"") == std::string::npos);
}

TEST_CASE("the schema of a condition is metav1.Condition's") {
  const auto schema = json::Document::parse(kube::schema_of<kube::Condition>());
  REQUIRE(schema);
  const auto property = [&](std::string_view name) { return schema->root().at({"properties", name}); };

  CHECK(schema->root().find("required").text() == R"(["lastTransitionTime","message","reason","status","type"])");
  CHECK(property("lastTransitionTime").find("format").string() == "date-time");
  CHECK(property("message").find("maxLength").integer() == 32768);
  CHECK(property("observedGeneration").find("minimum").integer() == 0);
  CHECK(property("reason").find("pattern").string() == "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");
  CHECK(property("status").find("enum").text() == R"(["True","False","Unknown"])");
  CHECK(property("type").find("maxLength").integer() == 316);
}
