// Applying a child: the requests, and the objects that are never changed.
#include "src/controller/child.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/controller/child_policy.hpp"
#include "test/support/result_of.hpp"
#include "test/support/text_parts.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using controller::Child;
using Outcome = controller::Child::Outcome;

constexpr const char* kAppliedHash = "keelson.dev/applied-hash";

constexpr const char* kWish =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"app":"web"}},)"
    R"("spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"}]}]}}}})";

struct AppliedChild {
  Result<Child> keep(const std::string& wanted, std::optional<kube::Object> current) {
    return result_of(
        loop, controller::apply_child(client, kube::deployments(), memcacheds(), memcached("a"), wanted, current));
  }
  // The server's object after the last request, with the fields that the server and other owners add.
  kube::Object stored(const std::string& extra = "{}") {
    auto merged = json::merge_patch(
        client.requests.back().body,
        R"({"metadata":{"namespace":"default","uid":"d-1","resourceVersion":"9","generation":1,"annotations":{"other":"x"}},
            "status":{"replicas":3}})");
    REQUIRE(merged);
    return object(*json::merge_patch(*merged, extra));
  }

  sandbox::loop::TestLoop loop;
  FakeClient client;
};

std::string query_of(const kube::ApiRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.query) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace

TEST_CASE("an absent child is created with a single create-only apply") {
  AppliedChild world;

  auto kept = world.keep(kWish, std::nullopt);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kCreated);
  CHECK(kept->object->name() == "web");
  REQUIRE(world.client.requests.size() == 1);
  const auto& request = world.client.requests[0];
  CHECK(request.patch_type == kube::PatchType::kApply);
  CHECK(request.key == kube::Key("default", "web"));
  auto body = json::Document::parse(request.body);
  CHECK(body->root().at({"metadata", "resourceVersion"}).string() == "1");
  auto owner = body->root().at({"metadata", "ownerReferences"}).item(0);
  CHECK(owner.text() == R"({"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","name":"a","uid":"u-1",)"
                        R"("controller":true,"blockOwnerDeletion":true})");
  CHECK(body->root().at({"metadata", "annotations", kAppliedHash}).string() == controller::hash_of(kWish));
  CHECK(body->root().at({"spec", "replicas"}).integer() == 3);
}

TEST_CASE("a child with the desired state costs no request, even with fields of other owners") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"metadata":{"labels":{"theirs":"1"}},"spec":{"strategy":{"type":"RollingUpdate"}}})");
  world.client.requests.clear();

  auto kept = world.keep(kWish, current);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kUnchanged);
  CHECK(kept->object->same_block(current));
  CHECK(world.client.requests.empty());
}

TEST_CASE("M22: drift is corrected by an update that has the child's uid") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"spec":{"replicas":1}})");

  auto kept = world.keep(kWish, current);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kUpdated);
  const auto& request = world.client.requests.back();
  CHECK(query_of(request, "force") == "true");
  auto body = json::Document::parse(request.body);
  CHECK(body->root().at({"metadata", "uid"}).string() == "d-1");
  CHECK(body->root().at({"metadata", "resourceVersion"}).is_absent());
  CHECK(body->root().at({"spec", "replicas"}).integer() == 3);
}

TEST_CASE("the hash shows that an env entry is no longer desired") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored();
  auto less = replaced(kWish, R"([{"name":"A","value":"1"}])", "[]");

  auto kept = world.keep(less, current);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kUpdated);
  CHECK(world.client.requests.back().body.find(R"("name":"A")") == std::string::npos);
}

TEST_CASE("a child without the hash is updated") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"metadata":{"annotations":{"keelson.dev/applied-hash":null}}})");

  CHECK(world.keep(kWish, current)->outcome == Outcome::kUpdated);
}

TEST_CASE("M21: an object of that name that is not owned is never changed, even if all fields are equal") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto without_owner = world.stored(R"({"metadata":{"ownerReferences":null}})");
  auto another = world.stored(R"({"metadata":{"ownerReferences":[{"apiVersion":"cache.example.com/v1alpha1",
      "kind":"Memcached","name":"b","uid":"u-0","controller":true}]}})");
  auto other_kind = world.stored(R"({"metadata":{"ownerReferences":[{"apiVersion":"cache.example.com/v1alpha1",
      "kind":"Redis","name":"a","uid":"u-0","controller":true}]}})");
  auto other_group = world.stored(R"({"metadata":{"ownerReferences":[{"apiVersion":"other.example.com/v1alpha1",
      "kind":"Memcached","name":"a","uid":"u-0","controller":true}]}})");
  auto no_controller = world.stored(R"({"metadata":{"ownerReferences":[{"apiVersion":"cache.example.com/v1alpha1",
      "kind":"Memcached","name":"a","uid":"u-1"}]}})");
  world.client.requests.clear();

  for (const auto& current : {without_owner, another, other_kind, other_group, no_controller}) {
    auto kept = world.keep(replaced(kWish, R"("replicas":3)", R"("replicas":5)"), current);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().kind == Error::Kind::kNotOwned);
    CHECK(kept.error().text == "Deployment default/web exists and is not controlled by this Memcached.");
  }
  CHECK(world.client.requests.empty());
}

TEST_CASE("a child that is being deleted is not changed") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"replicas":1}})");
  world.client.requests.clear();

  CHECK(world.keep(kWish, current)->outcome == Outcome::kUnchanged);
  CHECK(world.client.requests.empty());
}

TEST_CASE("apply waits for an object that is not owned while it is being deleted") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","ownerReferences":null}})");
  world.client.requests.clear();

  auto kept = world.keep(kWish, current);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kWaiting);
  CHECK(kept->object->same_block(current));
  CHECK(world.client.requests.empty());
}

TEST_CASE("apply waits until garbage collection removes a child of an earlier owner of the same name") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto current = world.stored(R"({"metadata":{"ownerReferences":[{"apiVersion":"cache.example.com/v1",
      "kind":"Memcached","name":"a","uid":"u-0","controller":true}]}})");
  world.client.requests.clear();

  auto kept = world.keep(replaced(kWish, R"("replicas":3)", R"("replicas":5)"), current);

  REQUIRE(kept);
  CHECK(kept->outcome == Outcome::kWaiting);
  CHECK(world.client.requests.empty());
}

TEST_CASE("a 409 because of a stale cache is returned as a conflict") {
  AppliedChild world;
  world.client.answer = [](const kube::ApiRequest&) { return status_error(409, "Conflict"); };

  auto kept = world.keep(kWish, std::nullopt);

  REQUIRE_FALSE(kept);
  CHECK(kube::is_conflict(kept.error()));
}

TEST_CASE("a projection that lacks a desired path is an error that names the path") {
  AppliedChild world;
  REQUIRE(world.keep(kWish, std::nullopt));
  auto enough = json::Projection::of({{"spec"}, {"metadata", "annotations"}});
  auto little = json::Projection::of({{"spec", "replicas"}, {"metadata", "annotations"}});
  std::string cut_enough;
  std::string cut_little;
  REQUIRE(enough.apply(world.stored().json(), cut_enough));
  REQUIRE(little.apply(world.stored().json(), cut_little));

  auto good = world.keep(kWish, *kube::Object::from_json(cut_enough, &enough));
  auto bad = world.keep(kWish, *kube::Object::from_json(cut_little, &little));

  REQUIRE(good);
  CHECK(good->outcome == Outcome::kUnchanged);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().text ==
        "the projection of deployments.apps lacks the desired field spec.template.spec.containers.name");
}

TEST_CASE("a desired state that is not an object is an error of the author") {
  AppliedChild world;

  CHECK(world.keep("[]", std::nullopt).error().text == "desired Deployment: apiVersion and kind are required");
  for (const char* incomplete : {R"({"apiVersion":"apps/v1","metadata":{"name":"web"}})",
                                 R"({"kind":"Deployment","metadata":{"name":"web"}})"}) {
    auto kept = world.keep(incomplete, std::nullopt);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().text == "desired Deployment: apiVersion and kind are required");
  }
  CHECK(world.keep(R"({"apiVersion":"apps/v1","kind":"Deployment"})", std::nullopt).error().text ==
        "desired Deployment: metadata.name is required");
  CHECK(world.keep("{", std::nullopt).error().kind == Error::Kind::kMalformed);
  CHECK(world.client.requests.empty());
}

TEST_CASE("M24: an owner reference that garbage collection would ignore is rejected") {
  auto owner = memcached("a");

  CHECK(controller::controller_reference(memcacheds(), owner, "").error().text ==
        "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace default");
  CHECK(controller::controller_reference(memcacheds(), owner, "other").error().text ==
        "cross-namespace owner references are disallowed, owner's namespace default, obj's namespace other");
  auto cluster_wide = object(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"u"}})");
  CHECK(controller::controller_reference({"", "v1", "Node", "nodes", false}, cluster_wide, "default"));
}

TEST_CASE("an object with another controller is reported as already owned") {
  auto child = owned_deployment("web", "a");

  CHECK(controller::check_not_owned_by_another(memcacheds(), memcached("a", "another-life"), child));
  CHECK(controller::check_not_owned_by_another(memcacheds(), memcached("a"), memcached("no-owner")));
  CHECK(controller::check_not_owned_by_another(memcacheds(), memcached("b"), child).error().text ==
        "Object default/web is already owned by another Memcached controller a");
  CHECK(controller::is_controlled_by(child, memcached("a")));
  CHECK_FALSE(controller::is_controlled_by(child, memcached("a", "u-2")));
  CHECK_FALSE(controller::is_controlled_by(memcached("a"), memcached("a", "")));
}

TEST_CASE(
    "an owner reference is valid in the namespace of its owner only, and in all namespaces for a cluster-scoped "
    "owner") {
  auto child = owned_deployment("web", "a");
  auto owner = [](const std::string& ns) {
    return object(R"({"apiVersion":"v1","kind":"Memcached","metadata":{"name":"a","uid":"u-1")" + ns + "}}");
  };

  CHECK(controller::is_controlled_by(child, owner(R"(,"namespace":"default")")));
  CHECK_FALSE(controller::is_controlled_by(child, owner(R"(,"namespace":"other")")));
  CHECK_FALSE(controller::check_not_owned_by_another(memcacheds(), owner(R"(,"namespace":"other")"), child));
  CHECK(controller::is_controlled_by(child, owner("")));
  CHECK(controller::check_not_owned_by_another(memcacheds(), owner(""), child));
}

TEST_CASE("a finalizer is added and removed with the resourceVersion that was read") {
  auto with = [](const std::string& finalizers) {
    return object(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","resourceVersion":"7","finalizers":)" +
                  finalizers + "}}");
  };
  auto after = [](const kube::Object& before, const std::optional<std::string>& patch) {
    REQUIRE(patch);
    CHECK(patch->find(R"({"op":"replace","path":"/metadata/resourceVersion","value":"7"})") == 1);
    auto patched = json::json_patch(before.json(), *patch);
    REQUIRE(patched);
    return json::Document::parse(*patched)->root().at({"metadata", "finalizers"}).text();
  };

  CHECK(after(with("[]"), controller::add_finalizer_patch(with("[]"), "k/x")) == R"(["k/x"])");
  CHECK(after(with(R"(["a"])"), controller::add_finalizer_patch(with(R"(["a"])"), "k/x")) == R"(["a","k/x"])");
  CHECK(after(with(R"(["a","k/x","b"])"), controller::remove_finalizer_patch(with(R"(["a","k/x","b"])"), "k/x")) ==
        R"(["a","b"])");
  CHECK_FALSE(controller::add_finalizer_patch(with(R"(["k/x"])"), "k/x"));
  CHECK_FALSE(controller::remove_finalizer_patch(with(R"(["a"])"), "k/x"));
  CHECK(controller::has_finalizer(with(R"(["a","k/x"])"), "k/x"));
  CHECK_FALSE(controller::has_finalizer(with("null"), "k/x"));
}

const std::string kPod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"p"}})";

std::string list_with(const std::string& item) {
  return R"({"metadata":{"resourceVersion":"9"},"items":[)" + item + "]}";
}

struct CreateWorld {
  Result<Child> create() {
    return result_of(loop, controller::create_child(client, kube::pods(), memcacheds(), memcached("a"), kPod));
  }

  sandbox::loop::TestLoop loop;
  FakeClient client;
};

TEST_CASE("create() creates a child, finds it if it is owned, and fails if it is not owned") {
  const std::string head =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"p","uid":"p-1")";
  auto owned = [&head](const std::string& uid) {
    return head +
           R"(,"ownerReferences":[{"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","name":"a","uid":")" +
           uid + R"(","controller":true}]}})";
  };
  struct Row {
    std::string there;               // empty: the name is free
    std::optional<Outcome> outcome;  // empty: not owned
  };
  const std::vector<Row> table{{"", Outcome::kCreated},
                               {owned("u-1"), Outcome::kUnchanged},
                               {head + "}}", std::nullopt},
                               {owned("u-0"), Outcome::kWaiting},
                               {head + R"(,"deletionTimestamp":"2026-01-01T00:00:00Z"}})", Outcome::kWaiting}};
  for (const auto& row : table) {
    INFO(row.there);
    CreateWorld world;
    world.client.answer = [&](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
      if (request.verb == kube::Verb::kList) return kube::ApiReply{200, list_with(row.there)};
      if (row.there.empty()) return kube::ApiReply{201, request.body};
      return status_error(409, "Conflict");
    };

    const auto child = world.create();

    CHECK(child.has_value() == row.outcome.has_value());
    if (child) CHECK(child->outcome == row.outcome);
    if (!child) CHECK(child.error().kind == Error::Kind::kNotOwned);
    CHECK(world.client.requests.size() == (row.outcome == Outcome::kCreated ? 1 : 2));
    CHECK(world.client.requests.front().body.find("applied-hash") == std::string::npos);
  }
}

TEST_CASE("a conflict about a child that no longer exists is returned as that conflict") {
  CreateWorld world;
  world.client.answer = [](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
    if (request.verb == kube::Verb::kList) return kube::ApiReply{200, list_with("")};
    return status_error(409, "Conflict");
  };

  const auto child = world.create();

  REQUIRE_FALSE(child);
  CHECK(kube::is_conflict(child.error()));
  CHECK(world.client.requests.size() == 2);
}

TEST_CASE("a desired object keeps its annotations, and its uid and owner references are replaced") {
  const std::string desired =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","uid":"made-up",)"
      R"("annotations":{"mine":"1","keelson.dev/x":"2",")" +
      std::string(kAppliedHash) +
      R"(":"forged"},"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"other","controller":true}],)"
      R"("labels":{"app":"web"}},"spec":{"replicas":3}})";
  auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };

  auto created = controller::plan_child(kube::deployments(), memcacheds(), memcached("a"), desired, std::nullopt);
  REQUIRE(created);
  auto stored =
      json::merge_patch(created->body, R"({"metadata":{"namespace":"default","uid":"d-1"},"spec":{"replicas":9}})");
  REQUIRE(stored);
  auto updated = controller::plan_child(kube::deployments(), memcacheds(), memcached("a"), desired, object(*stored));
  REQUIRE(updated);
  REQUIRE(updated->action == controller::ChildPlan::Action::kUpdate);

  for (const auto* plan : {&*created, &*updated}) {
    INFO(plan->body);
    for (const auto* name : {"\"annotations\":", "\"ownerReferences\":", "\"name\":\"web\"", "\"labels\":"}) {
      INFO(name);
      CHECK(count(plan->body, name) == 1);
    }
    auto body = json::Document::parse(plan->body);
    REQUIRE(body);
    auto metadata = body->root().find("metadata");
    CHECK(metadata.at({"annotations", "mine"}).string() == "1");
    CHECK(metadata.at({"annotations", "keelson.dev/x"}).string() == "2");
    CHECK(metadata.at({"annotations", kAppliedHash}).string() == controller::hash_of(desired));
    CHECK(count(plan->body, kAppliedHash) == 1);
    auto owners = metadata.find("ownerReferences");
    REQUIRE(owners.size() == 1);
    CHECK((*owners.items().begin()).find("uid").string() == "u-1");
    CHECK(count(plan->body, "made-up") == 0);
  }
  CHECK(json::Document::parse(created->body)->root().at({"metadata", "uid"}).string() == std::nullopt);
  CHECK(json::Document::parse(updated->body)->root().at({"metadata", "uid"}).string() == "d-1");
}
