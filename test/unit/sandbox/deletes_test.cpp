// Deletion, finalizers and the garbage collector, in addition to the conversations about them.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Key;
using std::chrono::seconds;

const kube::Resource kMaps = kube::config_maps();

std::string owned_by(const kube::Object& owner, const std::string& kind) {
  return R"(,"ownerReferences":[{"apiVersion":"v1","kind":")" + kind + R"(","name":")" + std::string(owner.name()) +
         R"(","uid":")" + std::string(owner.uid()) + R"(","controller":true,"blockOwnerDeletion":true}])";
}

TEST_CASE("the deletion of a Job without a policy warns that its pods remain") {
  fixtures::HttpTalk talk;
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  const std::string body =
      R"({"metadata":{"name":"j"},"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})";
  REQUIRE(talk.send("POST", jobs, body).status == 201);
  const auto warning = [&](const std::string& path, const std::string& options) {
    const auto reply = talk.send("DELETE", path + "?dryRun=All", options);
    return std::string(net::header(reply.headers, "Warning"));
  };

  CHECK(warning(jobs + "/j", "").starts_with("299 - \"child pods are preserved by default when jobs are deleted;"));
  CHECK(warning(jobs, "").starts_with("299 - \"child pods are preserved by default when jobs are deleted;"));
  CHECK(warning(jobs + "/j", R"({"propagationPolicy":"Orphan"})").empty());
  CHECK(warning(jobs + "/j", R"({"orphanDependents":true})").empty());
}

TEST_CASE("the pods of a Job that is deleted without a policy remain") {
  Talk talk;
  auto job = talk.ask(kube::create(
      talk.client(), kube::jobs(), "default",
      R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})"));
  REQUIRE(job);
  REQUIRE(talk.create_map("dependent", owned_by(*job, "Job")));

  REQUIRE(talk.ask(kube::remove(talk.client(), kube::jobs(), Key("default", "j"), {})));
  talk.pass(seconds(5));

  CHECK(talk.server.objects(kube::jobs()).empty());
  REQUIRE(talk.server.objects(kMaps).size() == 1);
  CHECK_FALSE(talk.server.objects(kMaps)[0].controller_owner());
}

TEST_CASE("a foreground deletion waits until blocked dependents are deleted") {
  Talk talk;
  auto owner = talk.create_map("owner");
  REQUIRE(talk.create_map("held", owned_by(*owner, "ConfigMap") + R"(,"finalizers":["k.dev/f"])"));
  kube::DeleteOptions foreground;
  foreground.propagation = "Foreground";

  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), foreground)));
  talk.pass(seconds(30));
  CHECK(talk.server.objects(kMaps).size() == 2);
  REQUIRE(talk.ask(kube::patch(talk.client(), kMaps, Key("default", "held"), kube::PatchType::kMerge,
                               R"({"metadata":{"finalizers":null}})")));
  talk.pass(seconds(1));

  CHECK(talk.server.objects(kMaps).empty());
}

TEST_CASE("a foreground deletion does not wait for dependents that do not block it") {
  Talk talk;
  auto owner = talk.create_map("owner");
  const auto reference = R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" +
                         std::string(owner->uid()) + "\"}]";
  REQUIRE(talk.create_map("held", reference + R"(,"finalizers":["k.dev/f"])"));
  kube::DeleteOptions foreground;
  foreground.propagation = "Foreground";

  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), foreground)));
  talk.pass(seconds(1));

  REQUIRE(talk.server.objects(kMaps).size() == 1);
  CHECK(talk.server.objects(kMaps)[0].name() == "held");
  CHECK(talk.server.objects(kMaps)[0].deleting());
}

TEST_CASE("a foreground deletion of a circle of owners ends") {
  Talk talk;
  std::vector<kube::Object> maps;
  for (const char* name : {"a", "b", "c"}) maps.push_back(*talk.create_map(name));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto owner = owned_by(maps[(i + 1) % 3], "ConfigMap").substr(1);
    REQUIRE(talk.ask(
        kube::patch(talk.client(), kMaps, maps[i].key(), kube::PatchType::kMerge, R"({"metadata":{)" + owner + "}}")));
  }
  kube::DeleteOptions foreground;
  foreground.propagation = "Foreground";

  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, maps[0].key(), foreground)));
  talk.pass(seconds(5));

  CHECK(talk.server.objects(kMaps).empty());
}

TEST_CASE("orphanDependents of a deletion decides about the dependents") {
  Talk talk;
  const auto remove = [&talk](const std::string& options) {
    kube::ApiRequest request;
    request.verb = kube::Verb::kDelete;
    request.resource = kMaps;
    request.key = Key("default", "owner");
    request.body = options;
    REQUIRE(talk.ask(talk.client().send(request)));
    talk.pass(seconds(1));
  };
  REQUIRE(talk.create_map("dependent", owned_by(*talk.create_map("owner"), "ConfigMap")));
  remove(R"({"orphanDependents":true})");
  REQUIRE(talk.server.objects(kMaps).size() == 1);
  CHECK_FALSE(talk.server.objects(kMaps)[0].controller_owner());

  REQUIRE(talk.create_map("other", owned_by(*talk.create_map("owner"), "ConfigMap")));
  remove(R"({"orphanDependents":false})");
  CHECK(talk.server.objects(kMaps).size() == 1);
}

// A ConfigMap with one owner.
std::string map_of(const std::string& name, const std::string& api_version, const std::string& kind,
                   const std::string& owner_name, const std::string& uid) {
  return R"({"metadata":{"name":")" + name + R"(","ownerReferences":[{"apiVersion":")" + api_version + R"(","kind":")" +
         kind + R"(","name":")" + owner_name + R"(","uid":")" + uid + R"("}]}})";
}

TEST_CASE("an object is deleted if its owner is gone, and remains if the kind of its owner is unknown") {
  Talk talk;
  const auto create = [&talk](const kube::Resource& resource, const std::string& body) {
    REQUIRE(talk.ask(kube::create(talk.client(), resource, resource.namespaced ? "default" : "", body)));
  };
  const std::string uid(talk.create_map("owner")->uid());
  create(kMaps, map_of("owned", "v1", "ConfigMap", "owner", uid));
  create(kMaps, map_of("of-absent-uid", "v1", "ConfigMap", "owner", "absent"));
  create(kMaps, map_of("of-another-name", "v1", "ConfigMap", "other", uid));
  create(kMaps, map_of("of-another-kind", "v1", "Secret", "owner", uid));
  create(kMaps, map_of("of-unknown-kind", "never.example/v1", "Never", "owner", "absent"));
  create(kMaps, map_of("of-unknown-version", "v7", "ConfigMap", "owner", "absent"));
  create(kube::namespaces(), map_of("space", "v1", "ConfigMap", "owner", "absent"));
  talk.pass(seconds(5));

  std::string left;
  for (const auto& map : talk.server.objects(kMaps)) left += std::string(map.name()) + " ";
  CHECK(left == "of-unknown-kind of-unknown-version owned owner ");
  const auto found = talk.ask(kube::get(talk.client(), kube::namespaces(), Key("", "space")));
  REQUIRE(found);
  CHECK_FALSE(found->deleting());
}

TEST_CASE("a second deletion without a policy continues the first one") {
  Talk talk;
  auto owner = talk.create_map("owner");
  REQUIRE(talk.create_map("held", owned_by(*owner, "ConfigMap") + R"(,"finalizers":["k.dev/f"])"));
  kube::DeleteOptions foreground;
  foreground.propagation = "Foreground";

  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), foreground)));
  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), {})));
  talk.pass(seconds(1));

  CHECK(talk.server.objects(kMaps).size() == 2);
}

TEST_CASE("an object that is created with a deleted owner is deleted") {
  Talk talk;
  auto owner = talk.create_map("owner");
  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), {})));
  REQUIRE(talk.create_map("late", owned_by(*owner, "ConfigMap")));

  talk.pass(seconds(1));

  CHECK(talk.server.objects(kMaps).empty());
}

TEST_CASE("an owner reference to another namespace is ignored by cascading deletion") {
  Talk talk;
  kube::Resource namespaces("", "v1", "Namespace", "namespaces", false);
  REQUIRE(talk.ask(kube::create(talk.client(), namespaces, "", R"({"metadata":{"name":"other"}})")));
  auto owner = talk.create_map("owner");
  auto claim = [&](const std::string& name, const std::string& metadata) {
    return talk.ask(
        kube::create(talk.client(), kMaps, "other",
                     R"({"metadata":{"name":")" + name + "\"" + owned_by(*owner, "ConfigMap") + metadata + "}}"));
  };
  REQUIRE(claim("claims", ""));
  REQUIRE(claim("held", R"(,"finalizers":["k.dev/f"])"));

  talk.pass(seconds(1));
  CHECK(talk.server.objects(kMaps).size() == 2);
  kube::DeleteOptions foreground;
  foreground.propagation = "Foreground";
  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "owner"), foreground)));
  talk.pass(seconds(1));

  REQUIRE(talk.server.objects(kMaps).size() == 1);
  CHECK(talk.server.objects(kMaps)[0].name() == "held");
}

TEST_CASE("an object with one existing owner of two is not deleted") {
  Talk talk;
  auto first = talk.create_map("first");
  auto second = talk.create_map("second");
  auto reference = [](const kube::Object& owner) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + std::string(owner.name()) + R"(","uid":")" +
           std::string(owner.uid()) + "\"}";
  };
  auto owners = R"(,"ownerReferences":[)" + reference(*first) + "," + reference(*second) + "]";
  REQUIRE(talk.create_map("shared", owners));

  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "first"), {})));
  talk.pass(seconds(1));
  const auto left = talk.ask(kube::get(talk.client(), kMaps, Key("default", "shared")));
  REQUIRE(left);
  CHECK(left->json().find(first->uid()) == std::string_view::npos);
  REQUIRE(talk.ask(kube::remove(talk.client(), kMaps, Key("default", "second"), {})));
  talk.pass(seconds(1));

  CHECK(talk.server.objects(kMaps).empty());
}

TEST_CASE("creating an object requires its namespace, and deleting a namespace deletes its objects") {
  Talk talk;
  kube::Resource namespaces("", "v1", "Namespace", "namespaces", false);
  auto create = [&] { return talk.ask(kube::create(talk.client(), kMaps, "shop", R"({"metadata":{"name":"a"}})")); };

  CHECK(create().error().server_text == "namespaces \"shop\" not found");
  REQUIRE(talk.ask(kube::create(talk.client(), namespaces, "", R"({"metadata":{"name":"shop"}})")));
  REQUIRE(create());
  REQUIRE(talk.ask(kube::remove(talk.client(), namespaces, Key("", "shop"), {})));
  talk.pass(seconds(1));

  CHECK(talk.server.objects(kMaps).empty());
  CHECK_FALSE(create());
}

TEST_CASE("a running pod is stopped before its deletion, or deleted immediately without a grace period") {
  Talk talk;
  auto body = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";
  REQUIRE(talk.ask(kube::create(talk.client(), kube::pods(), "default", body)));
  talk.pass(seconds(2));

  REQUIRE(talk.ask(kube::remove(talk.client(), kube::pods(), Key("default", "p"), {})));
  REQUIRE(talk.server.objects(kube::pods()).size() == 1);
  CHECK(talk.server.objects(kube::pods())[0].deleting());
  kube::DeleteOptions at_once;
  at_once.grace_period_seconds = 0;
  REQUIRE(talk.ask(kube::remove(talk.client(), kube::pods(), Key("default", "p"), at_once)));

  CHECK(talk.server.objects(kube::pods()).empty());
}

TEST_CASE("a grace period beyond the calendar is reduced, and a negative one is a second") {
  Talk talk;
  auto body = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";
  REQUIRE(talk.ask(kube::create(talk.client(), kube::pods(), "default", body)));
  talk.pass(seconds(2));
  auto remove = [&talk](std::int64_t grace) {
    kube::DeleteOptions options;
    options.grace_period_seconds = grace;
    REQUIRE(talk.ask(kube::remove(talk.client(), kube::pods(), Key("default", "p"), options)));
    return std::string(talk.server.objects(kube::pods())[0].json());
  };

  CHECK(remove(9223372036854775807).find(R"("deletionTimestamp":"2125-)") != std::string::npos);
  CHECK(remove(-5).find(R"("deletionGracePeriodSeconds":1)") != std::string::npos);
}

TEST_CASE("a definition and its objects are deleted with an owner that they share") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const auto owner = Tree::parse(talk.send("POST", roles, R"({"metadata":{"name":"owner"}})").body);
  REQUIRE(owner);
  const auto owned = [&](const std::string& name) {
    return R"("metadata":{"name":")" + name +
           R"(","ownerReferences":[{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","name":"owner",)" +
           R"("blockOwnerDeletion":true,"uid":")" + owner->text_at({"metadata", "uid"}) + "\"}]}";
  };
  const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  REQUIRE(
      talk.send("POST", definitions,
                "{" + owned("boats.example.com") +
                    R"(,"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Boat","plural":"boats"},)"
                    R"("versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":)"
                    R"("object"}}}]}})")
          .status == 201);
  for (const char* name : {"a", "b", "c"}) {
    REQUIRE(talk.send("POST", "/apis/example.com/v1/namespaces/default/boats",
                      R"({"apiVersion":"example.com/v1","kind":"Boat",)" + owned(name) + "}")
                .status == 201);
  }

  talk.send("DELETE", roles + "/owner", R"({"propagationPolicy":"Foreground"})");
  talk.pass(std::chrono::seconds(10));

  CHECK(talk.send("GET", definitions + "/boats.example.com").status == 404);
  CHECK(talk.send("GET", roles + "/owner").status == 404);
}

}  // namespace
}  // namespace keelson::sandbox
