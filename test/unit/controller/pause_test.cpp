// The passes of paused objects and of paused children: which requests are sent.
#include "keelson/detail/controller/pause.hpp"

#include <algorithm>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/value.hpp"
#include "test/support/toy_kinds.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using core::v1::ConfigMap;

struct Desk : CustomResource<ItemsSpec, ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"office.example.com", "v1", "Desk"};
};

// Applies the papers in their order; "torn" fails.
Reconciled tidy(const Desk& desk, Pass<Desk>& pass) {
  for (const auto& paper : desk.spec.items) {
    if (paper == "torn") co_return timeout_error("the paper is torn");
    KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = paper}, .data = {{"desk", desk.name()}}}));
  }
  pass.ready("Tidy", "All papers are there.");
  co_return done();
}

// A kind whose status is shared, and computed from scratch in each pass.
struct Board : CustomResource<ItemsSpec, ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"office.example.com", "v1", "Board"};
  static constexpr bool kSharesStatus = true;
};

Reconciled post(const Board& board, Pass<Board>& pass) {
  pass.set_status({});
  for (const auto& paper : board.spec.items) {
    KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = paper}}));
  }
  pass.ready("Posted", "All papers are there.");
  co_return done();
}

// Removes the papers instead, all with one uid.
Reconciled shred(const Desk& desk, Pass<Desk>& pass) {
  for (const auto& paper : desk.spec.items) {
    const ConfigMap read{.metadata = {.name = paper, .ns = "default", .uid = "p"}};
    KEELSON_CO_TRY(co_await pass.remove(read));
  }
  co_return done();
}

const auto kDesks = kube::resource_of<Desk>();
const auto kPapers = kube::resource_of<ConfigMap>();
const kube::Key kMine("default", "mine");

std::string desk(const std::string& papers, const std::string& more = "{}") {
  return *json::merge_patch(
      R"({"apiVersion":"office.example.com/v1","kind":"Desk","metadata":{"name":"mine","namespace":"default","uid":"u",)"
      R"("resourceVersion":"7","generation":1},"spec":{"items":)" +
          papers + "}}",
      more);
}

std::string paused_paper(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"p-)" + name +
         R"(","resourceVersion":"9","annotations":{"keelson.dev/paused":"true"},"ownerReferences":[{"apiVersion":)"
         R"("office.example.com/v1","kind":"Desk","name":"mine","uid":"u","controller":true}]}})";
}

constexpr const char* kPaused = R"({"metadata":{"annotations":{"keelson.dev/paused":"true"}}})";

struct ReconciledDesk : ReconcilerWorld {
  ReconciledDesk() : ReconcilerWorld(controller_for<Desk>(tidy).owns<ConfigMap>()) {}

  // "configmaps a" and "desks/status mine" of each write.
  [[nodiscard]] std::vector<std::string> sent() const {
    std::vector<std::string> all;
    for (const auto& request : client.requests) {
      if (request.verb < kube::Verb::kCreate) continue;
      all.push_back(request.resource.plural + (request.subresource.empty() ? " " : "/" + request.subresource + " ") +
                    request.key.name);
    }
    return all;
  }
  // "True ChildPaused: message" of the last patch of the condition.
  [[nodiscard]] std::string condition() const {
    const auto body = json::Document::parse(client.requests.back().body);
    for (const auto found : body->root().at({"status", "conditions"}).items()) {
      if (found.find("type").string() != controller::kPausedCondition) continue;
      return std::string(*found.find("status").string()) + " " + std::string(*found.find("reason").string()) + ": " +
             std::string(*found.find("message").string());
    }
    return "";
  }
};
using Sent = std::vector<std::string>;

}  // namespace

TEST_CASE("a pass ends at its next write after its object was paused") {
  ReconciledDesk world;
  world.know(kDesks, desk(R"(["a","b"])"));
  const auto answer = world.client.answer;
  world.client.answer = [&](const kube::ApiRequest& request) {
    world.know(kDesks, desk(R"(["a","b"])", kPaused));
    return answer(request);
  };

  auto first = world.reconcile(kMine);

  REQUIRE(first);
  CHECK(first->after() == async::Duration(0));
  CHECK(world.sent() == Sent{"configmaps a"});
  auto second = world.reconcile(kMine);
  REQUIRE(second);
  CHECK_FALSE(second->after());
  CHECK(world.sent() == Sent{"configmaps a", "desks/status mine"});
  CHECK(world.condition().find("True Paused: The annotation keelson.dev/paused is true.") == 0);
}

TEST_CASE("an object that is paused after its last apply gets no status") {
  ReconciledDesk world;
  world.know(kDesks, desk(R"(["a"])"));
  const auto answer = world.client.answer;
  world.client.answer = [&](const kube::ApiRequest& request) {
    world.know(kDesks, desk(R"(["a"])", kPaused));
    return answer(request);
  };

  auto outcome = world.reconcile(kMine);

  REQUIRE(outcome);
  CHECK(outcome->after() == async::Duration(0));
  CHECK(world.sent() == Sent{"configmaps a"});
}

TEST_CASE("the condition names the paused children in one order, after the status, and only so many of them") {
  ReconciledDesk world;
  world.know(kDesks, desk(R"(["g","f","e","d","c","b","a"])"));
  for (const auto* name : {"a", "b", "c", "d", "e", "f"}) world.know(kPapers, paused_paper(name));

  REQUIRE(world.reconcile(kMine));

  CHECK(world.sent() == Sent{"configmaps g", "desks/status mine", "desks/status mine"});
  const auto message = world.condition();
  CHECK(message.find("True ChildPaused: ConfigMap default/a is not changed. The annotation") == 0);
  CHECK(message.find("ConfigMap default/e is not changed.") != std::string::npos);
  CHECK(message.find("default/f") == std::string::npos);
  CHECK(message.find("Further paused children: 1.") != std::string::npos);
}

TEST_CASE("a failed pass reports the paused children that it has found, and does not report their end") {
  ReconciledDesk world;
  world.know(kDesks, desk(R"(["a","torn"])"));
  world.know(kPapers, paused_paper("a"));

  CHECK_FALSE(world.reconcile(kMine));
  CHECK(world.sent() == Sent{"desks/status mine"});

  const auto reported = R"({"status":{"conditions":[{"type":"Paused","status":"True","reason":"ChildPaused",)"
                        R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
  world.know(kDesks, desk(R"(["torn","a"])", reported));
  CHECK_FALSE(world.reconcile(kMine));
  CHECK(world.sent() == Sent{"desks/status mine"});
}

TEST_CASE("an error of the condition's write is an error of the pass, but the end of the object is not") {
  for (const int code : {404, 409, 500}) {
    INFO(code);
    ReconciledDesk world;
    world.know(kDesks, desk("[]", kPaused));
    world.client.answer = [code](const kube::ApiRequest&) -> Result<kube::ApiReply> {
      return status_error(code, code == 404 ? "NotFound" : "Conflict");
    };

    CHECK(world.reconcile(kMine).has_value() == (code == 404));
  }
}

TEST_CASE("a child that is not owned is left to the usual report, although it is paused") {
  ReconciledDesk world;
  world.know(kDesks, desk(R"(["a"])"));
  world.know(kPapers, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default","uid":"x",)"
                      R"("resourceVersion":"9","annotations":{"keelson.dev/paused":"true"}}})");

  const auto outcome = world.reconcile(kMine);

  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == Error::Kind::kNotOwned);
}

TEST_CASE("a shared status that is computed from scratch retains the condition Paused") {
  ReconcilerWorld world(controller_for<Board>(post).owns<ConfigMap>());
  const auto conditions =
      std::string(R"([{"type":"Paused","status":"True","observedGeneration":1,"reason":"ChildPaused",)"
                  R"("message":"ConfigMap default/a is not changed. The annotation keelson.dev/paused is true. Remove )"
                  R"(it to resume.","lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"Ready","status":"True",)"
                  R"("observedGeneration":1,"reason":"Posted","message":"All papers are there.",)"
                  R"("lastTransitionTime":"2026-01-01T00:00:00Z"}])");
  world.know(kube::resource_of<Board>(),
             desk(R"(["a"])", R"({"kind":"Board","status":{"conditions":)" + conditions + "}}"));
  world.know(kPapers, *json::merge_patch(paused_paper("a"), R"({"metadata":{"ownerReferences":[{"apiVersion":)"
                                                            R"("office.example.com/v1","kind":"Board","name":"mine",)"
                                                            R"("uid":"u","controller":true}]}})"));

  REQUIRE(world.reconcile(kMine));

  CHECK(world.bodies(kube::Verb::kPatch, kube::resource_of<Board>()).empty());
}

TEST_CASE("an object that is paused is not removed, whichever informer of its kind has it") {
  const auto no_keys = [](const kube::Object&, cache::Cache&) { return std::vector<kube::Key>(); };
  for (const std::size_t informers : {1U, 2U}) {
    INFO(informers);
    auto definition = controller_for<Desk>(shred);
    definition.watches<ConfigMap>(no_keys, {.labels = "size=a4"_selector});
    if (informers == 2) definition.watches<ConfigMap>(no_keys, {.labels = "size=a5"_selector});
    ReconcilerWorld world(std::move(definition));
    world.context.definition = &world.definition;
    world.know(kDesks, desk(R"(["a","b"])"));
    const auto paused = object(paused_paper("a"));
    world.cache.informers.back().objects.insert_or_assign(paused.key(), paused);

    REQUIRE(world.reconcile(kMine));

    std::vector<std::string> removed;
    for (const auto& request : world.client.requests) {
      if (request.verb == kube::Verb::kDelete) removed.push_back(request.key.name);
    }
    CHECK(removed == std::vector<std::string>{"b"});
  }
}
