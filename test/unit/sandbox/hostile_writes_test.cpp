// Bodies of malicious clients: each is rejected, and the server continues.
#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Key;

const kube::Resource kMaps = kube::config_maps();

std::string nested(int levels) {
  auto times = static_cast<std::size_t>(levels);
  std::string opening;
  for (std::size_t level = 0; level < times; ++level) opening += R"({"a":)";
  return opening + "1" + std::string(times, '}');
}

std::string definition(const std::string& group, const std::string& plural, const std::string& kind) {
  return R"({"metadata":{"annotations":{"api-approved.kubernetes.io":"unapproved"},"name":")" + plural + "." + group +
         R"("},"spec":{"group":")" + group + R"(","scope":"Namespaced","names":{"plural":")" + plural +
         R"(","kind":")" + kind +
         R"("},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
}

TEST_CASE("metadata of a wrong type is rejected on create and on update, and nothing is stored") {
  for (const char* member : {R"("labels":"x")", R"("labels":[])", R"("annotations":5)", R"("ownerReferences":{})",
                             R"("ownerReferences":"x")"}) {
    INFO(member);
    Talk talk;
    auto version = talk.server.resource_version();

    auto made = talk.create_map("a", std::string(",") + member);

    REQUIRE_FALSE(made);
    CHECK(made.error().code == 400);
    CHECK(talk.server.resource_version() == version);
    REQUIRE(talk.create_map("b"));
    auto changed = talk.ask(kube::patch(talk.client(), kMaps, Key("default", "b"), kube::PatchType::kMerge,
                                        std::string(R"({"metadata":{)") + member + "}}"));
    CHECK_FALSE(changed);
    CHECK(talk.server.objects(kMaps).size() == 1);
  }
}

TEST_CASE("an object of the maximal depth can be listed, watched and deleted with its collection") {
  Talk talk;
  const kube::Resource kDeep("ex.com", "v1", "Deep", "deeps");
  talk.server.serve({.resource = kDeep});  // no built-in kind has a field as deep
  auto body = [](int levels) { return R"({"metadata":{"name":"deep"},"data":)" + nested(levels) + "}"; };

  auto too_deep = talk.ask(kube::create(talk.client(), kDeep, "default", body(112)));
  REQUIRE_FALSE(too_deep);
  CHECK(too_deep.error().code == 400);
  REQUIRE(talk.ask(kube::create(talk.client(), kDeep, "default", body(110))));
  kube::ApiRequest collection;
  collection.verb = kube::Verb::kDeleteCollection;
  collection.resource = kDeep;
  collection.key.ns = "default";

  CHECK(talk.ask(talk.client().send(collection)));
  CHECK(talk.server.objects(kDeep).empty());
}

// If the server iterated over all members or entries for each of them, each write would take minutes.
TEST_CASE("objects with very many members and lists with very many entries are stored, applied and changed") {
  Talk talk;
  const kube::Resource kWide("ex.com", "v1", "Wide", "wides");
  talk.server.serve({.resource = kWide});
  std::string members;
  std::string ports;
  for (int i = 0; i < 150'000; ++i) members += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  for (int i = 0; i < 10'000; ++i) {
    ports +=
        (i == 0 ? R"({"port":)" : R"(,{"port":)") + std::to_string(i + 1) + R"(,"name":"p)" + std::to_string(i) + "\"}";
  }

  CHECK(
      talk.ask(kube::create(talk.client(), kWide, "default", R"({"metadata":{"name":"a"},"data":{)" + members + "}}")));
  for (const char* manager : {"one", "two"}) {
    kube::ApiRequest apply;
    apply.verb = kube::Verb::kPatch;
    apply.patch_type = kube::PatchType::kApply;
    apply.resource = kube::services();
    apply.key = Key("default", "s");
    apply.query = {{"fieldManager", manager}};
    apply.body = R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[)" + ports + "]}}";
    CHECK(talk.ask(talk.client().send(apply)));
  }
}

// Repeating the long name in each path would take gigabytes.
TEST_CASE("an object with many members below a very long name is stored and applied") {
  Talk talk;
  const kube::Resource kLong("ex.com", "v1", "Long", "longs");
  talk.server.serve({.resource = kLong});
  std::string members;
  for (int i = 0; i < 20'000; ++i) members += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  auto body = R"({"apiVersion":"ex.com/v1","kind":"Long","metadata":{"name":"a"},"data":{")" +
              std::string(std::size_t{1} << 20, 'x') + R"(":{)" + members + "}}}";

  CHECK(talk.ask(kube::create(talk.client(), kLong, "default", body)));
  kube::ApiRequest apply;
  apply.verb = kube::Verb::kPatch;
  apply.patch_type = kube::PatchType::kApply;
  apply.resource = kLong;
  apply.key = Key("default", "a");
  apply.query = {{"fieldManager", "m"}};
  apply.body = body;
  CHECK(talk.ask(talk.client().send(apply)));
}

TEST_CASE("an object that grows too large is rejected") {
  Talk talk;
  kube::ApiRequest apply;
  apply.verb = kube::Verb::kPatch;
  apply.patch_type = kube::PatchType::kApply;
  apply.resource = kube::Resource("", "v1", "PodTemplate", "podtemplates");  // its values have no limit
  apply.key = Key("default", "a");
  int accepted = 0;
  std::optional<Error> rejected;

  for (int part = 0; part < 6 && !rejected; ++part) {
    auto name = std::to_string(part);
    apply.query = {{"fieldManager", "m" + name}};
    apply.body = R"({"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"a"},"template":{"spec":{"containers":)"
                 R"([{"name":"c","image":"i","env":[{"name":"k)" +
                 name + R"(","value":")" + std::string(std::size_t{2900} << 10, 'x') + R"("}]}]}}})";
    auto answer = talk.ask(talk.client().send(apply));
    if (!answer) rejected = std::move(answer.error());
    if (!rejected) ++accepted;
  }

  CHECK(accepted == 4);
  REQUIRE(rejected);
  CHECK(rejected->code == 400);
}

TEST_CASE("a definition cannot replace one of Kubernetes' own kinds") {
  Talk talk;
  const auto definitions = kube::custom_resource_definitions();

  for (const char* group : {"", "apps"}) {
    INFO(group);
    auto made = talk.ask(kube::create(talk.client(), definitions, "", definition(group, "deployments", "Deployment")));
    REQUIRE_FALSE(made);
    CHECK(made.error().code == 422);
  }
  REQUIRE(
      talk.ask(kube::create(talk.client(), definitions, "", definition("networking.k8s.io", "ingresses", "Ingress"))));
  REQUIRE(talk.ask(kube::remove(talk.client(), definitions, Key("", "ingresses.networking.k8s.io"), {})));
  talk.pass(std::chrono::seconds(5));

  const kube::Resource ingresses("networking.k8s.io", "v1", "Ingress", "ingresses");
  constexpr const char* kIngress =
      R"({"metadata":{"name":"a"},"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}}})";
  CHECK(talk.ask(kube::create(talk.client(), ingresses, "default", kIngress)));
}

TEST_CASE("a continue token of one list is rejected for another") {
  Talk talk;
  REQUIRE(talk.create_map("a"));
  REQUIRE(talk.create_map("b"));
  kube::ApiRequest list;
  list.verb = kube::Verb::kList;
  list.resource = kube::config_maps();
  list.key.ns = "default";
  list.query = {{"limit", "1"}};
  auto first = talk.ask(talk.client().send(list));
  REQUIRE(first);
  auto token = Tree::parse(first->body)->text_at({"metadata", "continue"});
  REQUIRE_FALSE(token.empty());

  list.query = {{"limit", "1"}, {"continue", token}};
  CHECK(talk.ask(talk.client().send(list)));
  list.resource = kube::pods();
  auto other = talk.ask(talk.client().send(list));

  REQUIRE_FALSE(other);
  CHECK(other.error().code == 400);
}

}  // namespace
}  // namespace keelson::sandbox
