// The conversations, part one, about single objects: the server must respond as a real API server does.
#include "test/support/conversations.hpp"

namespace keelson::testing {

using kube::PatchType;
using kube::Verb;

namespace {

const kube::Resource kMaps = kube::config_maps();

Conversation locks_and_errors() {
  const std::string a = R"({"metadata":{"name":"a"},"data":{"x":"1"}})";
  const std::string stale = R"({"metadata":{"name":"a","resourceVersion":"$RV_first"},"data":{"x":"3"}})";
  const std::string unchanged = R"({"metadata":{"name":"a"},"data":{"x":"2"}})";
  const std::string outdated =
      R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your )"
      R"(changes to the latest version and try again)";
  return {
      "optimistic locks",
      {
          {.what = "get a missing object",
           .verb = Verb::kGet,
           .resource = kMaps,
           .name = "a",
           .expect = R"(404 NotFound: configmaps "a" not found)"},
          {.what = "create", .verb = Verb::kCreate, .resource = kMaps, .expect = "201", .body = a, .keep = "first"},
          {.what = "create again",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = R"(409 AlreadyExists: configmaps "a" already exists)",
           .body = a},
          {.what = "put without a version",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .data={"x":"2"})",
           .body = unchanged,
           .show = {".data"},
           .keep = "second"},
          {.what = "put of an old version",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "a",
           .expect = outdated,
           .body = stale},
          {.what = "put without a change",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .metadata.resourceVersion="$RV_second")",
           .body = unchanged,
           .show = {".metadata.resourceVersion"}},
          {.what = "put to a missing name",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "b",
           .expect = R"(404 NotFound: configmaps "b" not found)",
           .body = R"({"metadata":{"name":"b"}})"},
          {.what = "put with another uid",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "a",
           .expect = R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, )"
                     R"(Code: 4, Key: /registry/configmaps/$NS/a, ResourceVersion: 0, AdditionalErrorMsg: )"
                     R"(Precondition failed: UID in precondition: 0000, UID in object meta: $UID_first)",
           .body = R"({"metadata":{"name":"a","uid":"0000"}})"},
          {.what = "delete with another uid",
           .verb = Verb::kDelete,
           .resource = kMaps,
           .name = "a",
           .expect = R"(409 Conflict: Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition )"
                     R"((0000) does not match the UID in record ($UID_first). The object might have been deleted )"
                     R"(and then recreated)",
           .body = R"({"preconditions":{"uid":"0000"}})"},
          {.what = "delete of an old version",
           .verb = Verb::kDelete,
           .resource = kMaps,
           .name = "a",
           .expect = R"(409 Conflict: Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the )"
                     R"(precondition ($RV_first) does not match the ResourceVersion in record ($RV_second). The )"
                     R"(object might have been modified)",
           .body = R"({"preconditions":{"resourceVersion":"$RV_first"}})"},
          {.what = "delete",
           .verb = Verb::kDelete,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .status="Success" .details={"name":"a","kind":"configmaps","uid":"$UID_first"})",
           .show = {".status", ".details"}},
          {.what = "delete again",
           .verb = Verb::kDelete,
           .resource = kMaps,
           .name = "a",
           .expect = R"(404 NotFound: configmaps "a" not found)"},
      }};
}

Conversation rejections() {
  return {
      "rejected requests",
      {
          {.what = "a version in a creation",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = "500 : resourceVersion should not be set on objects to be created",
           .body = R"({"metadata":{"name":"a","resourceVersion":"5"}})"},
          {.what = "another namespace",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = "400 BadRequest: the namespace of the provided object does not match the namespace sent on the "
                     "request",
           .body = R"({"metadata":{"name":"a","namespace":"elsewhere"}})"},
          {.what = "another name",
           .verb = Verb::kUpdate,
           .resource = kMaps,
           .name = "a",
           .expect = "400 BadRequest: the name of the object (b) does not match the name on the URL (a)",
           .body = R"({"metadata":{"name":"b"}})"},
          {.what = "an invalid name",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = R"(422 Invalid: ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC )"
                     R"(1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start )"
                     R"(and end with an alphanumeric character (e.g. 'example.com', regex used for validation is )"
                     R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))",
           .body = R"({"metadata":{"name":"A_b"}})"},
          {.what = "no name",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = R"(422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is )"
                     R"(required)",
           .body = R"({"metadata":{}})"},
          {.what = "two controllers",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect =
               R"(422 Invalid: ConfigMap "a" is invalid: metadata.ownerReferences: Invalid value: )"
               R"([{"apiVersion":"v1","kind":"K","name":"x","uid":"1","controller":true},)"
               R"({"apiVersion":"v1","kind":"K","name":"y","uid":"2","controller":true}]: Only one reference can have )"
               R"(Controller set to true. Found "true" in references for K/x and K/y)",
           .body = R"({"metadata":{"name":"a","ownerReferences":[)"
                   R"({"apiVersion":"v1","kind":"K","name":"x","uid":"1","controller":true},)"
                   R"({"apiVersion":"v1","kind":"K","name":"y","uid":"2","controller":true}]}})"},
          {.what = "a lease without a version",
           .verb = Verb::kCreate,
           .resource = kube::leases(),
           .expect = "201",
           .body = R"({"metadata":{"name":"l"}})"},
          {.what = "… put",
           .verb = Verb::kUpdate,
           .resource = kube::leases(),
           .name = "l",
           .expect = R"(422 Invalid: leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid )"
                     R"(value: 0: must be specified for an update)",
           .body = R"({"metadata":{"name":"l"}})"},
          {.what = "a kind that is not served",
           .verb = Verb::kList,
           .resource = {"", "v1", "Cat", "cats"},
           .expect = "404 NotFound: the server could not find the requested resource"},
          {.what = "an invalid selector",
           .verb = Verb::kList,
           .resource = kMaps,
           .expect = "400 BadRequest: unable to parse requirement: found ',', expected: identifier",
           .query = {{"labelSelector", "!,"}}},
      }};
}

Conversation patches() {
  const std::string invalid = "422 Invalid: the server rejected our request due to an error in our request";
  return {
      "patches",
      {
          {.what = "merge into a missing object",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(404 NotFound: configmaps "a" not found)",
           .body = "{}"},
          {.what = "create",
           .verb = Verb::kCreate,
           .resource = kMaps,
           .expect = "201",
           .body = R"({"metadata":{"name":"a","labels":{"l":"1"}},"data":{"x":"1","y":"2"}})",
           .keep = "a"},
          {.what = "merge",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .data={"y":"3"} .metadata.labels={"l":"1"})",
           .body = R"({"data":{"x":null,"y":"3"}})",
           .show = {".data", ".metadata.labels"},
           .keep = "b"},
          {.what = "merge that changes nothing",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .metadata.resourceVersion="$RV_b")",
           .body = R"({"data":{"y":"3"}})",
           .show = {".metadata.resourceVersion"}},
          {.what = "merge of an old version",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(409 Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; )"
                     R"(please apply your changes to the latest version and try again)",
           .body = R"({"metadata":{"resourceVersion":"$RV_a"},"data":{"y":"4"}})"},
          {.what = "json",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = R"(200 .data={"y":"3","z":"9"})",
           .body = R"([{"op":"test","path":"/data/y","value":"3"},{"op":"add","path":"/data/z","value":"9"}])",
           .patch_type = PatchType::kJson,
           .show = {".data"}},
          {.what = "json whose test fails",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = invalid,
           .body = R"([{"op":"test","path":"/data/y","value":"8"}])",
           .patch_type = PatchType::kJson},
          {.what = "json at a missing path",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect = invalid,
           .body = R"([{"op":"remove","path":"/data/q"}])",
           .patch_type = PatchType::kJson},
          {.what = "another uid",
           .verb = Verb::kPatch,
           .resource = kMaps,
           .name = "a",
           .expect =
               R"(422 Invalid: ConfigMap "a" is invalid: metadata.uid: Invalid value: "0000": field is immutable)",
           .body = R"({"metadata":{"uid":"0000"}})"},
      }};
}

Conversation finalizers() {
  return {"finalizers",
          {
              {.what = "create",
               .verb = Verb::kCreate,
               .resource = kMaps,
               .expect = "201",
               .body = R"({"metadata":{"name":"a","finalizers":["k.dev/a","k.dev/b"]}})"},
              {.what = "delete",
               .verb = Verb::kDelete,
               .resource = kMaps,
               .name = "a",
               .expect = R"(200 .kind="ConfigMap" .metadata.deletionGracePeriodSeconds=0)",
               .show = {".kind", ".metadata.deletionGracePeriodSeconds"},
               .keep = "marked"},
              {.what = "delete again",
               .verb = Verb::kDelete,
               .resource = kMaps,
               .name = "a",
               .expect = R"(200 .metadata.resourceVersion="$RV_marked")",
               .show = {".metadata.resourceVersion"}},
              {.what = "a new finalizer",
               .verb = Verb::kPatch,
               .resource = kMaps,
               .name = "a",
               .expect =
                   R"(422 Invalid: ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be )"
                   R"(added if the object is being deleted, found new finalizers []string{"k.dev/c"})",
               .body = R"({"metadata":{"finalizers":["k.dev/a","k.dev/b","k.dev/c"]}})"},
              {.what = "remove a finalizer",
               .verb = Verb::kPatch,
               .resource = kMaps,
               .name = "a",
               .expect = R"(200 .metadata.finalizers=["k.dev/b"])",
               .body = R"({"metadata":{"finalizers":["k.dev/b"]}})",
               .show = {".metadata.finalizers"}},
              {.what = "remove the last finalizer",
               .verb = Verb::kPatch,
               .resource = kMaps,
               .name = "a",
               .expect = "200",
               .body = R"({"metadata":{"finalizers":null}})"},
              {.what = "gone",
               .verb = Verb::kGet,
               .resource = kMaps,
               .name = "a",
               .expect = R"(404 NotFound: configmaps "a" not found)"},
          }};
}

}  // namespace

std::vector<Conversation> conversations() {
  auto all = std::vector<Conversation>{locks_and_errors(), rejections(), patches(), finalizers()};
  for (auto more : {conversations_about_apply(), conversations_about_kinds(), conversations_about_many()}) {
    for (auto& conversation : more) all.push_back(std::move(conversation));
  }
  return all;
}

}  // namespace keelson::testing
