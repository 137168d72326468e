// The deletion of a namespace: its content, its conditions, and the requests meanwhile.
#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using kube::Key;
using std::chrono::seconds;

const kube::Resource kMaps = kube::config_maps();

struct Shop : Fleet {
  explicit Shop(const std::string& more = "") {
    create(kube::namespaces(), R"({"metadata":{"name":"shop")" + more + "}}");
  }
  void add(const std::string& name, const std::string& finalizers = "") {
    REQUIRE(ask(kube::create(client(), kMaps, "shop",
                             R"({"metadata":{"name":")" + name + R"(","finalizers":[)" + finalizers + "]}}")));
  }
  void release(const std::string& name) {
    REQUIRE(ask(kube::patch(client(), kMaps, Key("shop", name), kube::PatchType::kMerge,
                            R"({"metadata":{"finalizers":null}})")));
  }
  std::string condition(const std::string& type) {
    const auto status = Tree::parse(value(kube::namespaces(), "shop", {"status"}));
    const auto* found = status ? condition_in(*status, type) : nullptr;
    return found == nullptr
               ? "none"
               : found->text_at({"status"}) + " " + found->text_at({"reason"}) + ": " + found->text_at({"message"});
  }
  std::string phase() { return value(kube::namespaces(), "shop", {"status", "phase"}); }
};

TEST_CASE("a namespace waits until objects with finalizers are gone") {
  Shop shop;
  shop.add("a", R"("k.dev/f","k.dev/g")");
  shop.add("b", R"("k.dev/f")");
  shop.add("c");
  shop.remove(kube::namespaces(), "shop");
  CHECK(shop.phase() == "Terminating");
  shop.pass(seconds(1));

  CHECK(shop.count(kMaps) == 2);
  CHECK(shop.condition("NamespaceDeletionDiscoveryFailure") ==
        "False ResourcesDiscovered: All resources successfully discovered");
  CHECK(shop.condition("NamespaceContentRemaining") ==
        "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances");
  CHECK(shop.condition("NamespaceFinalizersRemaining") ==
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: k.dev/f in 2 resource "
        "instances, k.dev/g in 1 resource instances");
  shop.release("a");
  shop.pass(seconds(1));
  CHECK(shop.condition("NamespaceFinalizersRemaining") ==
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: k.dev/f in 1 resource "
        "instances");
  shop.release("b");
  shop.pass(seconds(1));

  CHECK(shop.count(kMaps) == 0);
  CHECK(shop.phase() == "null");
}

TEST_CASE("the pods of a namespace are deleted before its other objects") {
  Shop shop;
  shop.add("a");
  REQUIRE(shop.ask(kube::create(shop.client(), kube::pods(), "shop",
                                R"({"metadata":{"name":"p","finalizers":["k.dev/f"]},"spec":{"containers":[
                                {"name":"c","image":"i"}]}})")));
  shop.remove(kube::namespaces(), "shop");
  shop.pass(seconds(1));

  CHECK(shop.count(kMaps) == 1);
  CHECK(shop.condition("NamespaceContentRemaining") == "False ContentRemoved: All content successfully removed");
  REQUIRE(shop.ask(kube::patch(shop.client(), kube::pods(), Key("shop", "p"), kube::PatchType::kMerge,
                               R"({"metadata":{"finalizers":null}})")));
  shop.pass(seconds(40));
  CHECK(shop.count(kMaps) == 0);
  CHECK(shop.phase() == "null");
}

TEST_CASE("a namespace that is being deleted accepts changes, but no new objects") {
  Shop shop;
  shop.add("a", R"("k.dev/f")");
  shop.remove(kube::namespaces(), "shop");
  shop.remove(kube::namespaces(), "shop");

  const auto created = shop.ask(kube::create(shop.client(), kMaps, "shop", R"({"metadata":{"name":"b"}})"));
  REQUIRE_FALSE(created);
  CHECK(created.error().code == 403);
  CHECK(created.error().server_text ==
        "configmaps \"b\" is forbidden: unable to create new content in namespace shop because it is being terminated");
  CHECK(created.error().status_body.find(
            R"("causes":[{"reason":"NamespaceTerminating","message":"namespace shop is being terminated",)"
            R"("field":"metadata.namespace"}])") != std::string::npos);
  CHECK(
      shop.ask(kube::patch(shop.client(), kMaps, Key("shop", "a"), kube::PatchType::kMerge, R"({"data":{"k":"v"}})")));
}

TEST_CASE("a namespace waits for its own finalizers, those of metadata and those of its spec") {
  Shop shop(R"(,"finalizers":["k.dev/f"]},"spec":{"finalizers":["k.dev/s"])");
  CHECK(shop.value(kube::namespaces(), "shop", {"spec", "finalizers"}) == R"(["k.dev/s","kubernetes"])");
  shop.patch(kube::namespaces(), "shop", R"({"spec":{"finalizers":["k.dev/other"]}})");
  CHECK(shop.value(kube::namespaces(), "shop", {"spec", "finalizers"}) == R"(["k.dev/s","kubernetes"])");
  shop.remove(kube::namespaces(), "shop");
  shop.pass(seconds(1));
  CHECK(shop.value(kube::namespaces(), "shop", {"spec", "finalizers"}) == R"(["k.dev/s"])");
  CHECK(shop.condition("NamespaceContentRemaining") == "False ContentRemoved: All content successfully removed");

  kube::ApiRequest finalize;
  finalize.verb = kube::Verb::kUpdate;
  finalize.resource = kube::namespaces();
  finalize.key = Key("", "shop");
  finalize.subresource = "finalize";
  finalize.body = R"({"metadata":{"name":"shop","finalizers":["k.dev/f"]},"spec":{}})";
  REQUIRE(shop.ask(shop.client().send(finalize)));
  CHECK(shop.phase() == "Terminating");
  shop.patch(kube::namespaces(), "shop", R"({"metadata":{"finalizers":null}})");

  CHECK(shop.phase() == "null");
}

TEST_CASE("the namespaces default, kube-system and kube-public may not be deleted") {
  Shop shop;
  for (const auto* name : {"default", "kube-system", "kube-public"}) {
    const auto removed = shop.ask(kube::remove(shop.client(), kube::namespaces(), Key("", name), {}));
    REQUIRE_FALSE(removed);
    CHECK(removed.error().code == 403);
    CHECK(removed.error().server_text ==
          "namespaces \"" + std::string(name) + "\" is forbidden: this namespace may not be deleted");
  }
}

}  // namespace
}  // namespace keelson::sandbox
