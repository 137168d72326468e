// The conversations about what single kinds do in their own way: versions of leases, generations, selectors of fields.
#include "test/support/conversations.hpp"

namespace keelson::test {

using kube::PatchType;
using kube::Verb;

namespace {

Conversation leases() {
  const auto leases = kube::leases();
  auto put = [&](std::string what, std::string expect, const std::string& version, const std::string& holder) {
    return Step{.what = std::move(what),
                .verb = Verb::kUpdate,
                .resource = leases,
                .name = "l",
                .expect = std::move(expect),
                .body = R"({"metadata":{"name":"l","resourceVersion":")" + version +
                        R"("},"spec":{"holderIdentity":")" + holder + R"("}})",
                .show = {".spec.holderIdentity"}};
  };
  auto won = put("the first takes it", R"(200 .spec.holderIdentity="one")", "$RV_free", "one");
  won.keep = "won";
  return {
      "leases",
      {
          {.what = "create",
           .verb = Verb::kCreate,
           .resource = leases,
           .expect = "201 .metadata.generation=absent",
           .body = R"({"metadata":{"name":"l"}})",
           .show = {".metadata.generation"},
           .keep = "free"},
          won,
          put("the second is late",
              R"(409 Conflict: Operation cannot be fulfilled on leases.coordination.k8s.io "l": the object has been )"
              R"(modified; please apply your changes to the latest version and try again)",
              "$RV_free", "two"),
          put("the first renews", R"(200 .spec.holderIdentity="one")", "$RV_won", "one"),
          put("a version that is none", R"(500 : strconv.ParseUint: parsing "x": invalid syntax)", "x", "one"),
      }};
}

Conversation generations() {
  const auto deployments = kube::deployments();
  const std::string generation = ".metadata.generation";
  auto change = [&](std::string what, std::string expect, std::string patch) {
    return Step{.what = std::move(what),
                .verb = Verb::kPatch,
                .resource = deployments,
                .name = "a",
                .expect = std::move(expect),
                .body = std::move(patch),
                .show = {generation}};
  };
  return {
      "generations",
      {
          {.what = "create",
           .verb = Verb::kCreate,
           .resource = deployments,
           .expect = "201 .metadata.generation=1",
           .body =
               R"({"metadata":{"name":"a","generation":7,"finalizers":["k.dev/a"]},"spec":{"replicas":0,"selector":)"
               R"({"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":)"
               R"([{"name":"c","image":"i:1"}]}}}})",
           .show = {generation}},
          change("labels do not count", "200 .metadata.generation=1", R"({"metadata":{"labels":{"l":"1"}}})"),
          change("a value that is there already does not count", "200 .metadata.generation=1",
                 R"({"spec":{"replicas":0}})"),
          change("the spec counts", "200 .metadata.generation=2", R"({"spec":{"paused":true}})"),
          {.what = "the beginning of the end counts",
           .verb = Verb::kDelete,
           .resource = deployments,
           .name = "a",
           .expect = "200 .metadata.generation=3",
           .show = {generation}},
          change("the last finalizer", "200 .metadata.generation=3", R"({"metadata":{"finalizers":null}})"),
          {.what = "gone",
           .verb = Verb::kGet,
           .resource = deployments,
           .name = "a",
           .expect = R"(404 NotFound: deployments.apps "a" not found)"},
      }};
}

Conversation names_and_selectors() {
  const auto maps = kube::config_maps();
  const std::string two = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"8","y":"9"}})";
  return {
      "names, selectors and two disagreements",
      {
          {.what = "a name by the server",
           .verb = Verb::kCreate,
           .resource = maps,
           .expect = R"(201 .metadata.generateName="g-")",
           .body = R"({"metadata":{"generateName":"g-"}})",
           .show = {".metadata.generateName"}},
          {.what = "a field that cannot be selected by",
           .verb = Verb::kList,
           .resource = maps,
           .expect =
               R"(400 BadRequest: "data.x" is not a known field selector: only "metadata.name", "metadata.namespace")",
           .query = {{"fieldSelector", "data.x=1"}}},
          {.what = "someone applies",
           .verb = Verb::kPatch,
           .resource = maps,
           .name = "a",
           .expect = "201",
           .body = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","y":"1"}})",
           .query = {{"fieldManager", "one"}},
           .patch_type = PatchType::kApply},
          {.what = "two disagreements",
           .verb = Verb::kPatch,
           .resource = maps,
           .name = "a",
           .expect = "409 Conflict: Apply failed with 2 conflicts: conflicts with \"one\":\n- .data.x\n- .data.y",
           .body = two,
           .query = {{"fieldManager", "two"}},
           .patch_type = PatchType::kApply},
          {.what = "force",
           .verb = Verb::kPatch,
           .resource = maps,
           .name = "a",
           .expect = R"(200 .data={"x":"8","y":"9"} .metadata.managedFields.1=absent)",
           .body = two,
           .query = {{"fieldManager", "two"}, {"force", "true"}},
           .patch_type = PatchType::kApply,
           .show = {".data", ".metadata.managedFields.1"}},
      }};
}

}  // namespace

std::vector<Conversation> conversations_about_kinds() { return {leases(), generations(), names_and_selectors()}; }

}  // namespace keelson::test
