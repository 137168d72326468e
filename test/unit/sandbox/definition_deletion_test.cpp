// The deletion of a CustomResourceDefinition whose objects have finalizers, with the answers of kube-apiserver 1.36.3.
#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/fleet.hpp"
#include "test/unit/sandbox/thing_definition.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using namespace fixtures::things;
using kube::Key;
using std::chrono::seconds;

struct Held : Fleet {
  explicit Held(const ApiServerOptions& options = {}) : Fleet(options) {
    create(kDefinitions, kDefinition);
    pass(seconds(1));
    create(kThings, R"({"metadata":{"name":"held","finalizers":["hold.example/a"]}})");
    create(kThings, R"({"metadata":{"name":"free"}})");
  }
  void release() { patch(kThings, "held", R"({"metadata":{"finalizers":null}})"); }
  std::string terminating() {
    const auto status = Tree::parse(value(kDefinitions, kName, {"status"}));
    const auto* found = status ? condition_in(*status, "Terminating") : nullptr;
    return found == nullptr ? "none" : found->text_at({"status"}) + " " + found->text_at({"reason"});
  }
};

TEST_CASE("a definition waits until its objects with finalizers are gone") {
  Held held;
  held.remove(kDefinitions, kName);
  CHECK(held.value(kDefinitions, kName, {"metadata", "finalizers"}) ==
        R"(["customresourcecleanup.apiextensions.k8s.io"])");
  CHECK(held.value(kDefinitions, kName, {"metadata", "deletionGracePeriodSeconds"}) == "null");
  held.pass(seconds(1));

  CHECK(held.terminating() == "True InstanceDeletionInProgress");
  CHECK(held.count(kThings) == 1);
  const auto created = held.ask(kube::create(held.client(), kThings, "default", R"({"metadata":{"name":"late"}})"));
  REQUIRE_FALSE(created);
  CHECK(created.error().code == 403);
  CHECK(
      created.error().server_text ==
      "things.hold.example \"late\" is forbidden: create not allowed while custom resource definition is terminating");
  held.remove(kDefinitions, kName);
  CHECK(held.value(kDefinitions, kName, {"metadata", "deletionGracePeriodSeconds"}) == "0");
  held.pass(seconds(1));
  CHECK(held.count(kDefinitions) == 1);

  held.release();
  held.pass(seconds(1));
  CHECK(held.count(kDefinitions) == 0);
  const auto found = held.ask(kube::get(held.client(), kThings, Key("default", "held")));
  REQUIRE_FALSE(found);
  CHECK(found.error().code == 404);
}

TEST_CASE("the preconditions of the deletion of a definition have messages of their own") {
  Held held;
  const auto outcome = [&](kube::DeleteOptions options) {
    const auto removed = held.ask(kube::remove(held.client(), kDefinitions, Key("", kName), std::move(options)));
    return removed ? std::string() : removed.error().server_text;
  };
  kube::DeleteOptions options;
  options.uid = "x";
  CHECK(outcome(options).starts_with(
      "Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io \"things.hold.example\": "
      "Precondition failed: UID in precondition: x, UID in object meta: "));
  options = {};
  options.resource_version = "1";
  CHECK(outcome(options).find(
            "Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ") !=
        std::string::npos);
}

TEST_CASE("a definition waits for its objects without controllers, too") {
  ApiServerOptions options;
  options.has_controllers = false;
  Held held(options);
  held.remove(kDefinitions, kName);
  held.pass(seconds(1));
  CHECK(held.terminating() == "True InstanceDeletionInProgress");

  held.release();
  held.pass(seconds(1));
  CHECK(held.count(kDefinitions) == 0);
}

// A ConfigMap whose owner is the Thing.
std::string owned_by_thing(const std::string& name, const std::string& uid) {
  return R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"hold.example/v1","kind":"Thing","name":")" +
         name + R"(","uid":")" + uid + R"("}]}})";
}

TEST_CASE("the dependents of the objects of a definition are deleted with it") {
  Held held;
  held.release();
  held.create(kube::config_maps(), owned_by_thing("free", held.value(kThings, "free", {"metadata", "uid"})));
  held.remove(kDefinitions, kName);
  held.pass(seconds(1));

  CHECK(held.count(kDefinitions) == 0);
  CHECK(held.names(kube::config_maps()).find("owned") == std::string::npos);
}

TEST_CASE("a dependent of an unknown kind is deleted once the kind is known and the owner is not there") {
  Fleet fleet;
  fleet.create(kube::config_maps(), owned_by_thing("absent", "absent"));
  fleet.pass(seconds(1));
  CHECK(fleet.names(kube::config_maps()).find("owned") != std::string::npos);

  fleet.create(kDefinitions, kDefinition);
  fleet.pass(seconds(1));
  CHECK(fleet.names(kube::config_maps()).find("owned") == std::string::npos);
}

TEST_CASE("a dependent of an unknown version is deleted once a definition serves the version") {
  Fleet fleet;
  fleet.create(kube::config_maps(),
               R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"hold.example/v2","kind":"Thing",)"
               R"("name":"absent","uid":"absent"}]}})");
  fleet.create(kDefinitions, kDefinition);
  fleet.pass(seconds(1));
  CHECK(fleet.names(kube::config_maps()).find("owned") != std::string::npos);

  fleet.patch(kDefinitions, kName,
              R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
              R"({"type":"object"}}},{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":)"
              R"({"type":"object"}}}]}})");
  fleet.pass(seconds(1));
  CHECK(fleet.names(kube::config_maps()).find("owned") == std::string::npos);
}

TEST_CASE("a definition with a finalizer of its own loses its objects, and new ones can be created until it is gone") {
  Held held;
  held.patch(kDefinitions, kName, R"({"metadata":{"finalizers":["hold.example/own"]}})");
  held.release();
  held.remove(kDefinitions, kName);
  held.pass(seconds(1));

  CHECK(held.terminating() == "False InstanceDeletionCompleted");
  CHECK(held.value(kDefinitions, kName, {"metadata", "finalizers"}) == R"(["hold.example/own"])");
  CHECK(held.count(kThings) == 0);
  CHECK(held.ask(kube::create(held.client(), kThings, "default", R"({"metadata":{"name":"late"}})")));
  held.remove(kDefinitions, kName);
  CHECK(held.count(kThings) == 1);

  held.patch(kDefinitions, kName, R"({"metadata":{"finalizers":null}})");
  CHECK(held.count(kDefinitions) == 0);
  CHECK_FALSE(held.ask(kube::get(held.client(), kThings, Key("default", "held"))));
}

}  // namespace
}  // namespace keelson::sandbox
