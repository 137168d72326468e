// The errors of kube-apiserver 1.36.3 for definitions: each row was recorded from it.
#include "src/sandbox/custom/definition_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr const char* kBase =
    R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"bads.ex.com"},)"
    R"("spec":{"group":"ex.com","scope":"Namespaced","names":{"plural":"bads","singular":"bad","kind":"Bad",)"
    R"("listKind":"BadList"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}})";

struct Row {
  const char* patch;  // a patch of kBase, or the schema of its spec
  const char* why;    // empty: valid
};

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
  const Row rows[] = {
      {R"({})", R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].type: Required value: must )"
                R"(not be empty for specified object fields)"},
      {R"({"properties":{"a":{"type":"string"}}})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].type: Required value: must )"
       R"(not be empty for specified object fields)"},
      {R"({"type":"array"})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].items: Required value: must)"
       R"( be specified)"},
      {R"({"type":"foo"})",
       R"(FieldValueNotSupported spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value)"
       R"(: "foo": supported values: "array", "boolean", "integer", "number", "object", "string")"},
      {R"({"type":"null"})",
       R"(FieldValueNotSupported spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value)"
       R"(: "null": supported values: "array", "boolean", "integer", "number", "object", "string" | Field)"
       R"(ValueForbidden spec.validation.openAPIV3Schema.properties[spec].type: Forbidden: type cannot be)"
       R"( set to null, use nullable as an alternative)"},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].additionalProperties: Forb)"
       R"(idden: additionalProperties and properties are mutual exclusive)"},
      {R"({"type":"array","uniqueItems":true,"items":{"type":"string"}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].uniqueItems: Forbidden: un)"
       R"(iqueItems cannot be set to true since the runtime complexity becomes quadratic)"},
      {R"({"type":"string","pattern":"(a"})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].pattern: Invalid value: "(a")"
       R"(: must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(a`)"},
      {R"({"type":"object","anyOf":[{"type":"string","default":1,"nullable":true,"description":"x"}]})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].anyOf[0].default: Forbidde)"
       R"(n: must be undefined to be structural | FieldValueForbidden spec.validation.openAPIV3Schema.pro)"
       R"(perties[spec].anyOf[0].description: Forbidden: must be empty to be structural | FieldValueForbi)"
       R"(dden spec.validation.openAPIV3Schema.properties[spec].anyOf[0].nullable: Forbidden: must be fal)"
       R"(se to be structural | FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].anyO)"
       R"(f[0].type: Forbidden: must be empty to be structural)"},
      {R"({"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-preserve-unknow)"
       R"(n-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true)"},
      {R"({"x-kubernetes-int-or-string":true,"anyOf":[{"type":"string"},{"type":"integer"}]})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: )"
       R"(must be empty to be structural | FieldValueForbidden spec.validation.openAPIV3Schema.properties)"
       R"([spec].anyOf[1].type: Forbidden: must be empty to be structural)"},
      {R"({"type":"object","x-kubernetes-embedded-resource":true})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].properties: Required value:)"
       R"( must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unkn)"
       R"(own-fields)"},
      {R"({"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].type: Required value: must )"
       R"(be object if x-kubernetes-embedded-resource is true)"},
      {R"({"type":"object","x-kubernetes-list-type":"set"})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].type: Invalid value: "object)"
       R"(": must be array if x-kubernetes-list-type is specified)"},
      {R"({"type":"array","x-kubernetes-list-type":"foo","items":{"type":"string"}})",
       R"(FieldValueNotSupported spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type:)"
       R"( Unsupported value: "foo": supported values: "atomic", "set", "map")"},
      {R"({"type":"array","x-kubernetes-list-type":"map","items":{"type":"object","properties":{"a":{"type":"string"}}}})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys:)"
       R"( Required value: must not be empty if x-kubernetes-list-type is map)"},
      {R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"],"items":{"type":"object","properties":{"a":{"type":"string"}}}})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: )"
       R"(Invalid value: ["a","b"]: entries must all be names of item properties | FieldValueRequired spe)"
       R"(c.validation.openAPIV3Schema.properties[spec].items.properties[a].default: Required value: this)"
       R"( property is in x-kubernetes-list-map-keys, so it must have a default or be a required property)"},
      {R"({"type":"array","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","properties":{"a":{"type":"string"}}}})",
       R"(FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: Req)"
       R"(uired value: must be map if x-kubernetes-list-map-keys is non-empty)"},
      {R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","properties":{"a":{"type":"string"}}}})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].items.x-kubernetes-map-type:)"
       R"( Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set)"},
      {R"({"type":"object","x-kubernetes-map-type":"foo"})",
       R"(FieldValueNotSupported spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-map-type: )"
       R"(Unsupported value: "foo": supported values: "atomic", "granular")"},
      {R"({"type":"object","x-kubernetes-preserve-unknown-fields":false})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-preserve-unknow)"
       R"(n-fields: Invalid value: false: must be true or undefined)"},
      {R"({"type":"object","properties":{"a":{"type":"integer","default":"x"}}})",
       R"(FieldValueTypeInvalid spec.validation.openAPIV3Schema.properties[spec].properties[a].default: I)"
       R"(nvalid value: "string":  in body must be of type integer: "string")"},
      {R"({"type":"object","default":{"q":1},"properties":{"a":{"type":"integer"}}})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: {"q")"
       R"(:1}: must not have unknown fields)"},
      {R"({"type":"integer","default":7,"maximum":5})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: 7:  )"
       R"(in body should be less than or equal to 5)"},
      {R"({"type":"object","$ref":"#/x"})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is n)"
       R"(ot supported)"},
      {R"({"type":"object","definitions":{"a":{"type":"object"}}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].definitions: Forbidden: de)"
       R"(finitions is not supported)"},
      {R"({"type":"object","patternProperties":{"a":{"type":"object"}}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].patternProperties: Forbidd)"
       R"(en: patternProperties is not supported)"},
  };
  for (const auto& row : rows) {
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", definition(row.patch));
    CAPTURE(row.patch, reply.body);
    CHECK(reply.status == (*row.why == '\0' ? 201 : 422));
    CHECK(causes(reply) == row.why);
  }
}

TEST_CASE("names, versions and subresources of definitions are validated as by the API server") {
  fixtures::HttpTalk talk;
  const Row rows[] = {
      {R"({"metadata":{"name":"x.ex.com"}})",
       R"(FieldValueInvalid metadata.name: Invalid value: "x.ex.com": must be spec.names.plural+"."+spec.)"
       R"(group)"},
      {R"({"spec":{"group":"ex"}})",
       R"(FieldValueInvalid metadata.name: Invalid value: "bads.ex.com": must be spec.names.plural+"."+sp)"
       R"(ec.group | FieldValueInvalid spec.group: Invalid value: "ex": should be a domain with at least )"
       R"(one dot)"},
      {R"({"spec":{"group":"Ex.com"}})",
       R"(FieldValueInvalid metadata.name: Invalid value: "bads.ex.com": must be spec.names.plural+"."+sp)"
       R"(ec.group | FieldValueInvalid spec.group: Invalid value: "Ex.com": a lowercase RFC 1123 subdomai)"
       R"(n must consist of lower case alphanumeric characters, '-' or '.', and must start and end with a)"
       R"(n alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*)"
       R"([a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"},
      {R"({"spec":{"scope":"X"}})",
       R"(FieldValueNotSupported spec.scope: Unsupported value: "X": supported values: "Cluster", "Namesp)"
       R"(aced")"},
      {R"({"spec":{"scope":null}})", R"(FieldValueRequired spec.scope: Required value)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"t)"
       R"(ype":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]})"
       R"(})",
       R"(FieldValueInvalid spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"De)"
       R"(precated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterC)"
       R"(olumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version)"
       R"( | FieldValueInvalid status.storedVersions: Invalid value: null: must have at least one stored )"
       R"(version)"},
      {R"({"spec":{"versions":[]}})",
       R"(FieldValueInvalid spec.versions: Invalid value: []: must have exactly one version marked as sto)"
       R"(rage version | FieldValueInvalid status.storedVersions: Invalid value: null: must have at least)"
       R"( one stored version)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true}]}})",
       R"(FieldValueRequired spec.versions[0].schema.openAPIV3Schema: Required value)"},
      {R"({"spec":{"versions":[{"name":"V1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}})",
       R"(FieldValueInvalid spec.versions[0].name: Invalid value: "V1": a DNS-1035 label must consist of )"
       R"(lower case alphanumeric characters or '-', start with an alphabetic character, and end with an )"
       R"(alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-)"
       R"(z0-9]*[a-z0-9])?') | FieldValueInvalid spec.version: Invalid value: "V1": a DNS-1035 label must)"
       R"( consist of lower case alphanumeric characters or '-', start with an alphabetic character, and )"
       R"(end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is)"
       R"( '[a-z]([-a-z0-9]*[a-z0-9])?'))"},
      {R"({"spec":{"names":{"plural":"Bads"}}})",
       R"(FieldValueInvalid metadata.name: Invalid value: "bads.ex.com": must be spec.names.plural+"."+sp)"
       R"(ec.group | FieldValueInvalid spec.names.plural: Invalid value: "Bads": a DNS-1035 label must co)"
       R"(nsist of lower case alphanumeric characters or '-', start with an alphabetic character, and end)"
       R"( with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[)"
       R"(a-z]([-a-z0-9]*[a-z0-9])?'))"},
      {R"({"spec":{"names":{"kind":"b_d"}}})",
       R"(FieldValueInvalid spec.names.kind: Invalid value: "b_d": may have mixed case, but should otherw)"
       R"(ise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start wi)"
       R"(th an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-12)"
       R"(3', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'))"},
      {R"({"spec":{"names":{"kind":null}}})", R"(FieldValueRequired spec.names.kind: Required value)"},
      {R"({"spec":{"names":{"shortNames":["A"]}}})",
       R"(FieldValueInvalid spec.names.shortNames[0]: Invalid value: "A": a DNS-1035 label must consist o)"
       R"(f lower case alphanumeric characters or '-', start with an alphabetic character, and end with a)"
       R"(n alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-)"
       R"(a-z0-9]*[a-z0-9])?'))"},
      {R"({"spec":{"names":{"listKind":"Bad"}}})",
       R"(FieldValueInvalid spec.names.listKind: Invalid value: "Bad": kind and listKind may not be the s)"
       R"(ame)"},
      {R"({"spec":{"preserveUnknownFields":true}})",
       R"(FieldValueInvalid spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-ku)"
       R"(bernetes-preserve-unknown-fields to true in spec.versions[*].schema instead)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}},{")"
       R"(name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","propertie)"
       R"(s":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}})",
       R"(FieldValueInvalid spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Dep)"
       R"(recated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterCo)"
       R"(lumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":fal)"
       R"(se,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,)"
       R"("SelectableFields":null}]: must have exactly one version marked as storage version | FieldValue)"
       R"(Invalid status.storedVersions: Invalid value: ["v1"]: must have the storage version v2)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}},{")"
       R"(name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"string"}}}]}})",
       R"(FieldValueInvalid spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must b)"
       R"(e object at the root)"},
      {R"({"spec":{"group":"x.k8s.io"},"metadata":{"name":"bads.x.k8s.io"}})",
       R"(FieldValueRequired metadata.annotations[api-approved.kubernetes.io]: Required value: protected )"
       R"(groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kuber)"
       R"(netes/enhancements/pull/1111)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"string"}}}]}})",
       R"(FieldValueInvalid spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object)"
       R"( at the root)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}},"addi)"
       R"(tionalProperties":{"type":"string"}}}}]}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.additionalProperties: Forbidden: must not b)"
       R"(e used at the root | FieldValueForbidden spec.validation.openAPIV3Schema.additionalProperties: )"
       R"(Forbidden: additionalProperties and properties are mutual exclusive)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object"})"
       R"(}}}}}}]}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not s)"
       R"(pecify anything other than name and generateName, but metadata is implicitly specified)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}},"null)"
       R"(able":true}}}]}})",
       R"(FieldValueForbidden spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be tru)"
       R"(e at the root)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}},"su)"
       R"(bresources":{"scale":{"specReplicasPath":"spec.n","statusReplicasPath":".spec.n","labelSelector)"
       R"(Path":".foo"}}}]}})",
       R"(FieldValueInvalid spec.subresources.scale.specReplicasPath: Invalid value: "spec.n": must be a )"
       R"(simple json path starting with . | FieldValueInvalid spec.subresources.scale.statusReplicasPath)"
       R"(: Invalid value: ".spec.n": should be a json path under .status | FieldValueInvalid spec.subres)"
       R"(ources.scale.labelSelectorPath: Invalid value: ".foo": should be a json path under either .spec)"
       R"( or .status)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}},"su)"
       R"(bresources":{"scale":{"specReplicasPath":"","statusReplicasPath":".status.n"}}}]}})",
       R"(FieldValueRequired spec.subresources.scale.specReplicasPath: Required value)"},
      {R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"ty)"
       R"(pe":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}},"ad)"
       R"(ditionalPrinterColumns":[{"name":"a","type":"foo","jsonPath":"spec.a"},{"name":"b","type":"stri)"
       R"(ng","jsonPath":"","format":"q"}]}]}})",
       R"(FieldValueInvalid spec.additionalPrinterColumns[0].type: Invalid value: "foo": must be one of b)"
       R"(oolean,date,integer,number,string | FieldValueInvalid spec.additionalPrinterColumns[0].JSONPath)"
       R"(: Invalid value: "spec.a": must be a simple json path starting with . | FieldValueInvalid spec.)"
       R"(additionalPrinterColumns[1].format: Invalid value: "q": must be one of byte,date,date-time,doub)"
       R"(le,float,int32,int64,password | FieldValueRequired spec.additionalPrinterColumns[1].JSONPath: R)"
       R"(equired value)"},
      {R"({"spec":{"conversion":{"strategy":"Foo"}}})",
       R"(FieldValueNotSupported spec.conversion.strategy: Unsupported value: "Foo": supported values: "N)"
       R"(one", "Webhook")"},
      {R"({"spec":{"conversion":{"strategy":"Webhook"}}})",
       R"(FieldValueRequired spec.conversion.webhookClientConfig: Required value: required when strategy )"
       R"(is set to Webhook | FieldValueRequired spec.conversion.conversionReviewVersions: Required value)"},
  };
  for (const auto& row : rows) {
    auto body = json::merge_patch(kBase, row.patch);
    auto reply = talk.send("POST", std::string(kDefinitions) + "?dryRun=All", *body);
    CAPTURE(row.patch, reply.body);
    CHECK(reply.status == (*row.why == '\0' ? 201 : 422));
    CHECK(causes(reply) == row.why);
  }
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
