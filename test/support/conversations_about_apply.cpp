// The conversations about server-side apply, status and scale.
#include "test/support/conversations.hpp"

namespace keelson::testing {

using kube::PatchType;
using kube::Verb;

namespace {

const kube::Resource kMaps = kube::config_maps();
const kube::Resource kWidgets("conversation.keelson.dev", "v1", "Widget", "widgets");

Step apply(std::string what, kube::Resource resource, std::string expect, std::string body,
           std::vector<std::pair<std::string, std::string>> query, std::vector<std::string> show = {}) {
  return {.what = std::move(what),
          .verb = Verb::kPatch,
          .resource = std::move(resource),
          .name = "a",
          .expect = std::move(expect),
          .body = std::move(body),
          .query = std::move(query),
          .patch_type = PatchType::kApply,
          .subresource = "",
          .show = std::move(show),
          .keep = ""};
}

Step keep(Step step, std::string name) {
  step.keep = std::move(name);
  return step;
}

// The applies that our operators send: create only, and update.
const std::vector<std::pair<std::string, std::string>> kAsUs{{"fieldManager", "keelson"}};
const std::vector<std::pair<std::string, std::string>> kForced{{"fieldManager", "keelson"}, {"force", "true"}};
const std::vector<std::pair<std::string, std::string>> kAsOther{{"fieldManager", "other"}};

std::string map_with(const std::string& metadata, const std::string& data) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a")" + metadata + R"(},"data":)" + data + "}";
}

Conversation three_forms() {
  const std::string first_version = R"(,"resourceVersion":"1")";
  const std::string outdated =
      R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your )"
      R"(changes to the latest version and try again)";
  return {
      "the three forms of apply",
      {
          apply("update of a missing object", kMaps,
                R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object )"
                R"(specified uid 0000, and no existing object was found)",
                map_with(R"(,"uid":"0000")", "{}"), kForced),
          keep(apply("create only, the name is free", kMaps, R"(201 .data={"x":"1","y":"2"})",
                     map_with(first_version + R"(,"labels":{"l":"1"})", R"({"x":"1","y":"2"})"), kAsUs, {".data"}),
               "a"),
          apply("create only, the name is taken", kMaps, outdated, map_with(first_version, R"({"x":"1"})"), kAsUs),
          apply("the same again changes nothing", kMaps, R"(200 .metadata.resourceVersion="$RV_a")",
                map_with(R"(,"uid":"$UID_a","labels":{"l":"1"})", R"({"x":"1","y":"2"})"), kForced,
                {".metadata.resourceVersion"}),
          apply("another manager adds a field", kMaps, R"(200 .data={"x":"1","y":"2","z":"3"})",
                map_with("", R"({"z":"3"})"), kAsOther, {".data"}),
          apply("fields that are no longer applied are removed, those of others stay", kMaps,
                R"(200 .data={"x":"1","z":"3"} .metadata.labels=absent)",
                map_with(R"(,"uid":"$UID_a")", R"({"x":"1"})"), kForced, {".data", ".metadata.labels"}),
          apply("a conflict without force", kMaps,
                R"(409 Conflict: Apply failed with 1 conflict: conflict with "keelson": .data.x)",
                map_with("", R"({"x":"8","z":"3"})"), kAsOther),
          apply("an equal value does not conflict", kMaps, R"(200 .data={"x":"1","z":"3"})",
                map_with("", R"({"x":"1","z":"3"})"), kAsOther, {".data"}),
          apply("a field with two owners stays when one releases it", kMaps, R"(200 .data={"x":"1","z":"3"})",
                map_with(R"(,"uid":"$UID_a")", "{}"), kForced, {".data"}),
          apply("another object of the same name", kMaps,
                R"(422 Invalid: ConfigMap "a" is invalid: metadata.uid: Invalid value: "0000": field is immutable)",
                map_with(R"(,"uid":"0000")", R"({"x":"1"})"), kForced),
          apply("without a field manager", kMaps,
                R"(422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for )"
                R"(apply patch)",
                map_with("", "{}"), {}),
          apply("with managed fields", kMaps, "400 BadRequest: metadata.managedFields must be nil",
                map_with(R"(,"managedFields":[{"manager":"x"}])", "{}"), kForced),
      }};
}

Conversation with_updates() {
  return {
      "apply next to other writes",
      {
          {.what = "another client creates",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = "201",
           .body = R"({"metadata":{"name":"a"},"data":{"x":"1"}})",
           .query = {{"fieldManager", "stranger"}},
           .keep = "a"},
          apply(
              "create only does not change an existing object with the same fields", kMaps,
              R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; please )"
              R"(apply your changes to the latest version and try again)",
              map_with(R"(,"resourceVersion":"1")", R"({"x":"1"})"), kAsUs),
          {.what = "nothing changed",
           .verb = Verb::kGet,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .metadata.resourceVersion="$RV_a" .data={"x":"1"})",
           .show = {".metadata.resourceVersion", ".data"}},
          apply("force takes over", kMaps, R"(200 .data={"x":"2"})", map_with("", R"({"x":"2"})"), kForced, {".data"}),
          {.what = "an update restores",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .data={"x":"3"})",
           .body = R"({"data":{"x":"3"}})",
           .query = {{"fieldManager", "stranger"}},
           .show = {".data"}},
          apply("a field that another manager took over is not removed", kMaps, R"(200 .data={"x":"3","y":"1"})",
                map_with("", R"({"y":"1"})"), kForced, {".data"}),
          {.what = "the owners",
           .verb = Verb::kGet,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .metadata.managedFields.0.manager="keelson" .metadata.managedFields.0.operation="Apply")"
                     R"( .metadata.managedFields.0.fieldsV1={"f:data":{"f:y":{}}})"
                     R"( .metadata.managedFields.1.manager="stranger" .metadata.managedFields.1.operation="Update")",
           .show = {".metadata.managedFields.0.manager", ".metadata.managedFields.0.operation",
                    ".metadata.managedFields.0.fieldsV1", ".metadata.managedFields.1.manager",
                    ".metadata.managedFields.1.operation"}},
      }};
}

// A manager applies the fields of another one, which then releases all of its fields (kube::release_fields()).
Conversation taking_over() {
  const std::string uid = R"(,"uid":"$UID_a")";
  return {"fields that another manager takes over",
          {
              keep(apply("create as keelson", kMaps, R"(201 .data={"x":"1","y":"2"})",
                         map_with(R"(,"annotations":{"former":"1"})", R"({"x":"1","y":"2"})"), kAsUs, {".data"}),
                   "a"),
              apply("apply by the other name", kMaps, R"(200 .data={"x":"1","y":"2"})",
                    map_with(uid + R"(,"annotations":{"hash":"2"})", R"({"x":"1"})"),
                    {{"fieldManager", "greeter"}, {"force", "true"}}, {".data"}),
              apply("release as keelson", kMaps, R"(200 .data={"x":"1"} .metadata.annotations={"hash":"2"})",
                    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a")" + uid + "}}", kForced,
                    {".data", ".metadata.annotations"}),
              apply("release again changes nothing", kMaps, R"(200 .data={"x":"1"} .metadata.annotations={"hash":"2"})",
                    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a")" + uid + "}}", kForced,
                    {".data", ".metadata.annotations"}),
              {.what = "the owners",
               .verb = Verb::kGet,
               .resource = kMaps,
               .name = "a",
               .expect = R"(200 .metadata.managedFields.0.manager="greeter" .metadata.managedFields.1=absent)",
               .show = {".metadata.managedFields.0.manager", ".metadata.managedFields.1"}},
          }};
}

// A Deployment without replicas, so no pods run.
std::string deployment_with(const std::string& env, const std::string& volumes) {
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":0,)"
         R"("selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{)" +
         volumes + R"("containers":[{"name":"c","image":"i:1","ports":[{"containerPort":80}],"env":)" + env + "}]}}}}";
}

Conversation lists_by_key() {
  const std::string env = ".spec.template.spec.containers.0.env";
  const std::string volumes = ".spec.template.spec.volumes";
  const auto deployments = kube::deployments();
  return {
      "entries of lists",
      {
          apply("create", deployments,
                R"(201 .spec.template.spec.containers.0.env=[{"name":"A","value":"1"},)"
                R"({"name":"B","value":"2"}])",
                deployment_with(R"([{"name":"A","value":"1"},{"name":"B","value":"2"}])",
                                R"("volumes":[{"name":"v","emptyDir":{}}],)"),
                kAsUs, {env}),
          apply(
              "remove an entry and a volume", deployments,
              R"(200 .spec.template.spec.containers.0.env=[{"name":"B","value":"2"}] .spec.template.spec.volumes=absent)",
              deployment_with(R"([{"name":"B","value":"2"}])", ""), kForced, {env, volumes}),
          apply("the port has its default protocol", deployments,
                R"(200 .spec.template.spec.containers.0.ports=[{"containerPort":80,"protocol":"TCP"}])",
                deployment_with(R"([{"name":"B","value":"2"}])", ""), kForced,
                {".spec.template.spec.containers.0.ports"}),
          {.what = "defaults are set",
           .verb = Verb::kGet,
           .resource = deployments,
           .name = "a",
           .expect = R"(200 .spec.revisionHistoryLimit=10 .spec.strategy={"type":"RollingUpdate","rollingUpdate":)"
                     R"({"maxUnavailable":"25%","maxSurge":"25%"}} .spec.template.spec.restartPolicy="Always")",
           .show = {".spec.revisionHistoryLimit", ".spec.strategy", ".spec.template.spec.restartPolicy"}},
          {.what = "the selector is immutable",
           .verb = Verb::kPatch,
           .resource = deployments,
           .name = "a",
           .expect = R"(422 Invalid: Deployment.apps "a" is invalid: [spec.template.metadata.labels: Invalid value: )"
                     R"({"app":"a"}: `selector` does not match template `labels`, spec.selector: Invalid value: )"
                     R"({"matchLabels":{"app":"b"}}: field is immutable])",
           .body = R"({"spec":{"selector":{"matchLabels":{"app":"b"}}}})"},
      }};
}

Conversation custom_kind() {
  const kube::Resource definitions = kube::custom_resource_definitions();
  const std::string definition =
      R"({"metadata":{"name":"widgets.conversation.keelson.dev"},"spec":{"group":"conversation.keelson.dev",)"
      R"("names":{"kind":"Widget","listKind":"WidgetList","plural":"widgets","singular":"widget"},"scope":"Namespaced",)"
      R"("versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":)"
      R"({"specReplicasPath":".spec.size","statusReplicasPath":".status.size","labelSelectorPath":".status.selector"}},)"
      R"("schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{)"
      R"("size":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}}},)"
      R"("status":{"type":"object","properties":{"size":{"type":"integer"},"selector":{"type":"string"},)"
      R"("conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],)"
      R"("items":{"type":"object","required":["type"],"properties":{"type":{"type":"string"},"status":)"
      R"({"type":"string"}}}}}}}}}}]}})";
  const std::string head = R"({"apiVersion":"conversation.keelson.dev/v1","kind":"Widget","metadata":{"name":"a"})";
  auto status = [&](std::string what, std::string expect, std::string body, std::vector<std::string> show) {
    auto step = apply(std::move(what), kWidgets, std::move(expect), std::move(body), kForced, std::move(show));
    step.subresource = "status";
    return step;
  };
  const std::string both = R"(.metadata.generation)";
  return {"a custom kind with status and scale",
          {
              {.what = "the definition",
               .verb = Verb::kCreate,
               .resource = definitions,
               .expect = "201",
               .body = definition},
              {.what = "is served", .verb = Verb::kList, .resource = kWidgets, .expect = "200 []", .eventually = true},
              {.what = "create ignores the status",
               .verb = Verb::kCreate,
               .resource = kWidgets,
               .expect = "201 .status=absent .metadata.generation=1",
               .body = head + R"(,"spec":{"size":1,"tags":["x","y"]},"status":{"size":5}})",
               .show = {".status", both},
               .keep = "a"},
              {.what = "put without a version",
               .verb = Verb::kUpdate,
               .resource = kWidgets,
               .name = "a",
               .expect =
                   R"(422 Invalid: widgets.conversation.keelson.dev "a" is invalid: metadata.resourceVersion: Invalid )"
                   R"(value: 0: must be specified for an update)",
               .body = head + "}"},
              status("status of one",
                     R"(200 .status={"conditions":[{"status":"True","type":"Ready"}],"selector":"w=a","size":1})",
                     head + R"(,"spec":{"size":9},"status":{"conditions":[{"status":"True","type":"Ready"}],)"
                            R"("selector":"w=a","size":1}})",
                     {".status"}),
              {.what = "the spec did not change",
               .verb = Verb::kGet,
               .resource = kWidgets,
               .name = "a",
               .expect = R"(200 .spec={"size":1,"tags":["x","y"]} .metadata.generation=1)",
               .show = {".spec", both}},
              {.what = "a spec change increments the generation, and the status stays",
               .verb = Verb::kPatch,
               .resource = kWidgets,
               .name = "a",
               .expect = "200 .spec.size=2 .status.size=1 .metadata.generation=2",
               .body = R"({"spec":{"size":2},"status":{"size":7}})",
               .show = {".spec.size", ".status.size", both}},
              {.what = "labels do not change the generation",
               .verb = Verb::kPatch,
               .resource = kWidgets,
               .name = "a",
               .expect = "200 .metadata.generation=2",
               .body = R"({"metadata":{"labels":{"l":"1"}}})",
               .show = {both}},
              {.what = "scale",
               .verb = Verb::kGet,
               .resource = kWidgets,
               .name = "a",
               .expect = R"(200 .kind="Scale" .spec={"replicas":2} .status={"replicas":1,"selector":"w=a"})",
               .subresource = "scale",
               .show = {".kind", ".spec", ".status"}},
              {.what = "scale up",
               .verb = Verb::kPatch,
               .resource = kWidgets,
               .name = "a",
               .expect = R"(200 .spec={"replicas":4})",
               .body = R"({"spec":{"replicas":4}})",
               .subresource = "scale",
               .show = {".spec"}},
              {.what = "scaled",
               .verb = Verb::kGet,
               .resource = kWidgets,
               .name = "a",
               .expect = "200 .spec.size=4 .metadata.generation=3",
               .show = {".spec.size", both}},
              status("status of none", R"(200 .status={"size":3})", head + R"(,"status":{"size":3}})", {".status"}),
              {.what = "status of a missing name",
               .verb = Verb::kPatch,
               .resource = kWidgets,
               .name = "b",
               .expect = R"(404 NotFound: widgets.conversation.keelson.dev "b" not found)",
               .body = "{}",
               .subresource = "status"},
              {.what = "delete", .verb = Verb::kDelete, .resource = kWidgets, .name = "a", .expect = "200"},
              {.what = "the definition is deleted",
               .verb = Verb::kDelete,
               .resource = definitions,
               .name = "widgets.conversation.keelson.dev",
               .expect = "200"},
              {.what = "no longer served",
               .verb = Verb::kList,
               .resource = kWidgets,
               .expect = "404 NotFound: the server could not find the requested resource (get "
                         "widgets.conversation.keelson.dev)",
               .eventually = true},
          }};
}

}  // namespace

std::vector<Conversation> conversations_about_apply() {
  return {three_forms(), with_updates(), taking_over(), lists_by_key(), custom_kind()};
}

}  // namespace keelson::testing
