// The conversations about several objects: lists, watches, owners, and the work of controllers.
#include "test/support/conversations.hpp"

namespace keelson::testing {

using kube::PatchType;
using kube::Verb;

namespace {

const kube::Resource kMaps = kube::config_maps();

Step create(const std::string& name, const std::string& metadata = "", const std::string& data = "1") {
  return {.what = "create " + name,
          .verb = Verb::kCreate,
          .resource = kMaps,
          .expect = "201",
          .body = R"({"metadata":{"name":")" + name + "\"" + metadata + R"(},"data":{"x":")" + data + "\"}}",
          .keep = name};
}

Step listed(std::string what, std::string expect, std::vector<std::pair<std::string, std::string>> query) {
  return {.what = std::move(what),
          .verb = Verb::kList,
          .resource = kMaps,
          .expect = std::move(expect),
          .query = std::move(query)};
}

// Clusters create a ConfigMap in every namespace; the label distinguishes ours.
const std::string kOurs = R"(,"labels":{"ours":"yes","n":")";

Conversation lists() {
  auto page = listed("the first page", "200 [a,b…] .metadata.remainingItemCount=absent",
                     {{"labelSelector", "ours"}, {"limit", "2"}});
  page.show = {".metadata.remainingItemCount"};
  page.keep = "page";
  auto bare = listed("items have no kind", "200 [a] .kind=\"ConfigMapList\" .apiVersion=\"v1\" .items.0.kind=absent",
                     {{"fieldSelector", "metadata.name=a"}});
  bare.show = {".kind", ".apiVersion", ".items.0.kind"};
  return {
      "lists",
      {
          create("a", kOurs + "1\"}"),
          create("c", kOurs + "3\"}"),
          create("b", kOurs + "2\"}"),
          listed("in order of names", "200 [a,b,c]", {{"labelSelector", "ours=yes"}}),
          listed("by label", "200 [a,c]", {{"labelSelector", "ours,n notin (2)"}}),
          listed("by name", "200 [b]", {{"fieldSelector", "metadata.name=b,metadata.namespace=$NS"}}),
          listed("all except a name", "200 [a,c]", {{"labelSelector", "ours"}, {"fieldSelector", "metadata.name!=b"}}),
          bare,
          page,
          listed("the second page", "200 [c]", {{"labelSelector", "ours"}, {"limit", "2"}, {"continue", "$MORE_page"}}),
          {.what = "delete a selection",
           .verb = Verb::kDeleteCollection,
           .resource = kMaps,
           .expect = "200",
           .query = {{"labelSelector", "n in (1,2)"}}},
          listed("the remaining objects", "200 [c]", {{"labelSelector", "ours"}}),
      }};
}

Conversation watches() {
  auto watch = [](std::string what, std::string expect, std::vector<std::pair<std::string, std::string>> query) {
    query.emplace_back("timeoutSeconds", "1");
    return Step{.what = std::move(what),
                .verb = Verb::kWatch,
                .resource = kMaps,
                .expect = std::move(expect),
                .query = std::move(query)};
  };
  auto relabel = [](std::string what, std::string value) {
    return Step{.what = std::move(what),
                .verb = Verb::kPatch,
                .resource = kMaps,
                .name = "a",
                .expect = "200",
                .body = R"({"metadata":{"labels":{"n":")" + value + "\"}}}"};
  };
  const std::string ours = "ours";
  return {"watches",
          {
              create("first", kOurs + "0\"}"),
              create("a", kOurs + "1\"}"),
              relabel("into the selection", "2"),
              {.what = "within it",
               .verb = Verb::kPatch,
               .resource = kMaps,
               .name = "a",
               .expect = "200",
               .body = R"({"data":{"x":"2"}})"},
              relabel("out of it", "3"),
              {.what = "delete", .verb = Verb::kDelete, .resource = kMaps, .name = "a", .expect = "200"},
              create("b", kOurs + "2\"}"),
              watch("all events since a version", "ADDED a, MODIFIED a, MODIFIED a, MODIFIED a, DELETED a, ADDED b",
                    {{"labelSelector", ours}, {"resourceVersion", "$RV_first"}}),
              watch("a selection since a version", "ADDED a, MODIFIED a, DELETED a, ADDED b",
                    {{"labelSelector", "n=2"}, {"resourceVersion", "$RV_first"}}),
              watch("from now", "", {{"labelSelector", ours}, {"resourceVersion", "$RV_b"}}),
              watch("without a version", "ADDED b, ADDED first", {{"labelSelector", ours}}),
              watch("a list as a watch", "ADDED b, ADDED first, INITIAL-EVENTS-END",
                    {{"labelSelector", ours},
                     {"sendInitialEvents", "true"},
                     {"resourceVersionMatch", "NotOlderThan"},
                     {"allowWatchBookmarks", "true"}}),
              watch("an empty list as a watch", "INITIAL-EVENTS-END",
                    {{"labelSelector", "nobody"},
                     {"sendInitialEvents", "true"},
                     {"resourceVersionMatch", "NotOlderThan"},
                     {"allowWatchBookmarks", "true"}}),
              watch("a name", "ADDED b", {{"fieldSelector", "metadata.name=b"}}),
              watch("initial events without a match",
                    R"(422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: )"
                    R"(sendInitialEvents requires setting resourceVersionMatch to NotOlderThan)",
                    {{"sendInitialEvents", "true"}}),
          }};
}

// The request of a metadata informer.
Conversation metadata_only() {
  const auto partial = [](std::string what, Verb verb, std::string name, std::string expect,
                          std::vector<std::pair<std::string, std::string>> query, std::vector<std::string> show) {
    return Step{.what = std::move(what),
                .verb = verb,
                .resource = kMaps,
                .name = std::move(name),
                .expect = std::move(expect),
                .query = std::move(query),
                .show = std::move(show),
                .content = kube::Content::kMetadata};
  };
  const std::string kind = R"( .kind="PartialObjectMetadata" .apiVersion="meta.k8s.io/v1" .data=absent)";
  const std::vector<std::string> of_object{".kind", ".apiVersion", ".data"};
  return {
      "metadata only",
      {
          create("first"),
          create("a", kOurs + "1\"}"),
          create("b", kOurs + "2\"}"),
          partial("an object", Verb::kGet, "a", "200" + kind + R"( .metadata.labels.n="1")", {},
                  {".kind", ".apiVersion", ".data", ".metadata.labels.n"}),
          partial("a list", Verb::kList, "",
                  R"(200 [a,b] .kind="PartialObjectMetadataList" .items.1.kind="PartialObjectMetadata" )"
                  R"(.items.1.metadata.labels.n="2" .items.1.data=absent)",
                  {{"labelSelector", "ours"}},
                  {".kind", ".items.1.kind", ".items.1.metadata.labels.n", ".items.1.data"}),
          partial("the first page", Verb::kList, "", "200 [a…] .items.0.data=absent",
                  {{"labelSelector", "ours"}, {"limit", "1"}}, {".items.0.data"}),
          partial("a list as a watch", Verb::kWatch, "", "ADDED a" + kind + ", ADDED b" + kind + ", INITIAL-EVENTS-END",
                  {{"labelSelector", "ours"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   {"allowWatchBookmarks", "true"},
                   {"timeoutSeconds", "1"}},
                  of_object),
          {.what = "delete", .verb = Verb::kDelete, .resource = kMaps, .name = "b", .expect = "200"},
          partial("a watch since a version", Verb::kWatch, "",
                  "ADDED a" + kind + ", ADDED b" + kind + ", DELETED b" + kind,
                  {{"labelSelector", "ours"}, {"resourceVersion", "$RV_first"}, {"timeoutSeconds", "1"}}, of_object),
          partial("what is not there", Verb::kGet, "b", R"(404 NotFound: configmaps "b" not found)", {}, {}),
      }};
}

Conversation owners() {
  auto owned = [](const std::string& name, const std::string& owner) {
    return create(name, R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":")" + owner +
                            R"(","uid":"$UID_)" + owner + R"(","blockOwnerDeletion":true}])");
  };
  auto gone = [](const std::string& name) {
    return Step{.what = name + " goes",
                .verb = Verb::kGet,
                .resource = kMaps,
                .name = name,
                .expect = R"(404 NotFound: configmaps ")" + name + "\" not found",
                .eventually = true};
  };
  auto remove = [](const std::string& name, const std::string& policy) {
    return Step{.what = "delete " + name + " " + policy,
                .verb = Verb::kDelete,
                .resource = kMaps,
                .name = name,
                .expect = "200",
                .body = R"({"propagationPolicy":")" + policy + "\"}"};
  };
  return {"owners",
          {
              create("one"),
              owned("two", "one"),
              owned("three", "two"),
              remove("one", "Background"),
              gone("two"),
              gone("three"),
              create("four"),
              owned("five", "four"),
              remove("four", "Foreground"),
              gone("four"),
              gone("five"),
              create("six"),
              owned("seven", "six"),
              remove("six", "Orphan"),
              gone("six"),
              {.what = "seven is free",
               .verb = Verb::kGet,
               .resource = kMaps,
               .name = "seven",
               .expect = "200 .metadata.ownerReferences=absent",
               .show = {".metadata.ownerReferences"}},
          }};
}

Conversation workloads() {
  const auto deployments = kube::deployments();
  const std::string body =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,"selector":)"
      R"({"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":)"
      R"([{"name":"c","image":"i:1"}]}}}})";
  auto ready = [&](std::string what, std::string expect) {
    return Step{.what = std::move(what),
                .verb = Verb::kGet,
                .resource = deployments,
                .name = "web",
                .expect = std::move(expect),
                .show = {".status.observedGeneration", ".status.replicas", ".status.updatedReplicas",
                         ".status.readyReplicas", ".status.availableReplicas", ".status.unavailableReplicas"},
                .eventually = true};
  };
  auto change = [&](std::string what, std::string patch) {
    return Step{.what = std::move(what),
                .verb = Verb::kPatch,
                .resource = deployments,
                .name = "web",
                .expect = "200",
                .body = std::move(patch)};
  };
  const std::string two =
      " .status.replicas=2 .status.updatedReplicas=2 .status.readyReplicas=2 "
      ".status.availableReplicas=2 .status.unavailableReplicas=absent";
  auto no_pods = Step{.what = "no pods",
                      .verb = Verb::kList,
                      .resource = kube::pods(),
                      .expect = "200 []",
                      .query = {{"labelSelector", "app=web"}},
                      .eventually = true};
  return {"deployments",
          {
              {.what = "create", .verb = Verb::kCreate, .resource = deployments, .expect = "201", .body = body},
              ready("two are ready", "200 .status.observedGeneration=1" + two),
              {.what = "a ReplicaSet owns the pods",
               .verb = Verb::kList,
               .resource = kube::pods(),
               .expect = R"(200 .items.0.metadata.ownerReferences.0.kind="ReplicaSet" .items.0.status.phase="Running")",
               .query = {{"labelSelector", "app=web"}},
               .show = {".items.0.metadata.ownerReferences.0.kind", ".items.0.status.phase"},
               .names_are_random = true},
              change("another image", R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"}]}}}})"),
              ready("two new ones are ready", "200 .status.observedGeneration=2" + two),
              change("scale to none", R"({"spec":{"replicas":0}})"),
              ready("none is left",
                    "200 .status.observedGeneration=3 .status.replicas=absent .status.updatedReplicas=absent "
                    ".status.readyReplicas=absent .status.availableReplicas=absent "
                    ".status.unavailableReplicas=absent"),
              no_pods,
              change("scale up", R"({"spec":{"replicas":2}})"),
              ready("two again", "200 .status.observedGeneration=4" + two),
              {.what = "delete", .verb = Verb::kDelete, .resource = deployments, .name = "web", .expect = "200"},
              no_pods,
          }};
}

}  // namespace

std::vector<Conversation> conversations_about_many() {
  return {lists(), watches(), metadata_only(), owners(), workloads()};
}

}  // namespace keelson::testing
