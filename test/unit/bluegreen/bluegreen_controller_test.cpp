// The reads of a BlueGreen's reconciler from the API server before it switches traffic and before it deletes pods.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/bluegreen/bluegreen_children.hpp"
#include "test/support/text_parts.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace keelson::testing {
namespace {

using kinds::BlueGreen;

const kube::Key kDemo("default", "demo");

constexpr const char* kBoth =
    R"("blueSpec":{"containers":[]},"greenSpec":{"containers":[]},"switchPolicy":"WhenReady")";
constexpr const char* kOnlyBlue = R"("blueSpec":{"containers":[]},"switchPolicy":"WhenReady")";

std::string demo(const std::string& route_to, const std::string& spec, int generation = 1) {
  return R"({"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen","metadata":{"name":"demo","namespace":"default",)"
         R"("uid":"u-1","resourceVersion":"7","generation":)" +
         std::to_string(generation) + R"(},"spec":{"routeTo":")" + route_to + "\"," + spec + "}}";
}

// The applied object, as the server has it afterwards.
std::string stored(const std::string& applied, const std::string& uid, const std::string& status) {
  auto text = replaced(applied, R"("resourceVersion":"1")", R"("resourceVersion":"9","uid":")" + uid + "\"");
  text.pop_back();
  return text + R"(,"status":)" + status + "}";
}

std::string going_away(const std::string& deployment) {
  return replaced(deployment, R"("uid":"uid-green")",
                  R"("deletionTimestamp":"2026-01-01T00:00:00Z","uid":"uid-green")");
}

constexpr const char* kServes =
    R"({"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,"observedGeneration":1})";
constexpr const char* kServesNot = R"({"replicas":1,"updatedReplicas":1,"observedGeneration":1})";

// demo with both Deployments and a Service that selects Blue, all of them in their desired state.
struct ReconciledBlueGreen : ReconcilerWorld {
  ReconciledBlueGreen() : ReconcilerWorld(kinds::bluegreen()) {
    know(kube::resource_of<BlueGreen>(), demo("Blue", kBoth));
    REQUIRE(reconcile(kDemo));
    auto deployments = bodies(kube::Verb::kPatch, kube::deployments());
    REQUIRE(deployments.size() == 2);
    blue = stored(deployments[0], "uid-blue", kServes);
    green = stored(deployments[1], "uid-green", kServes);
    service = stored(bodies(kube::Verb::kPatch, kube::services()).at(0), "uid-service", "{}");
    know(kube::deployments(), blue);
    know(kube::deployments(), green);
    know(kube::services(), service);
    client.requests.clear();
  }
  // The color that the last write of the Service selects; empty: none was sent.
  std::string switched_to() const {
    auto writes = bodies(kube::Verb::kPatch, kube::services());
    if (writes.empty()) return "";
    auto document = json::Document::parse(writes.back());
    return std::string(
        document->root().at({"spec", "selector", "app.kubernetes.io/phase"}).string().value_or("nothing"));
  }
  std::vector<std::string> deletions() const { return bodies(kube::Verb::kDelete, kube::deployments()); }

  std::string blue;
  std::string green;
  std::string service;
};

TEST_CASE(
    "WhenReady: traffic switches when the API server, and not only the cache, shows that the other color can serve") {
  struct Row {
    const char* what;
    std::function<void(ReconciledBlueGreen&)> change;
    bool switches;
    bool fails;
  };
  const kube::Key key("default", "demogreen-deployment");
  const std::vector<Row> rows{
      {"it serves", [](ReconciledBlueGreen&) {}, true, false},
      {"it is gone", [&](ReconciledBlueGreen& world) { world.server["deployments"].erase(key); }, false, false},
      {"its pods are gone",
       [](ReconciledBlueGreen& world) {
         world.change_behind_the_cache(kube::deployments(), replaced(world.green, kServes, kServesNot));
       },
       false, false},
      {"another controller owns it",
       [](ReconciledBlueGreen& world) {
         world.change_behind_the_cache(kube::deployments(), replaced(world.green, R"("uid":"u-1")", R"("uid":"u-9")"));
       },
       false, false},
      {"it is being deleted",
       [](ReconciledBlueGreen& world) { world.change_behind_the_cache(kube::deployments(), going_away(world.green)); },
       false, false},
      {"the server returns an error",
       [](ReconciledBlueGreen& world) { world.failing.emplace("deployments", status_error(500, "InternalError")); },
       false, true},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    ReconciledBlueGreen world;
    world.know(kube::resource_of<BlueGreen>(), demo("Green", kBoth, 2));
    row.change(world);

    auto ended = world.reconcile(kDemo);

    CHECK(ended.has_value() == !row.fails);
    CHECK(world.switched_to() == (row.switches ? "Green" : ""));
  }
}

TEST_CASE("a stale cache does not undo the switch of a former leader") {
  ReconciledBlueGreen world;
  world.know(kube::resource_of<BlueGreen>(), demo("Green", kBoth, 2));
  REQUIRE(world.reconcile(kDemo));
  const auto switched = stored(replaced(world.bodies(kube::Verb::kPatch, kube::services()).back(), R"("metadata":{)",
                                        R"("metadata":{"resourceVersion":"1",)"),
                               "uid-service", "{}");
  world.client.requests.clear();
  // Green has lost its pods, and the watch reports the switched Service while the Deployment is read.
  world.change_behind_the_cache(kube::deployments(), replaced(world.green, kServes, kServesNot));
  const auto answer = world.client.answer;
  world.client.answer = [&](const kube::ApiRequest& request) {
    if (request.resource == kube::deployments()) world.know(kube::services(), switched);
    return answer(request);
  };

  REQUIRE(world.reconcile(kDemo));

  CHECK(world.switched_to() != "Blue");
}

TEST_CASE("the Deployment of a removed color is deleted by uid, unless the API server shows that traffic needs it") {
  struct Row {
    const char* what;
    std::function<void(ReconciledBlueGreen&)> change;
    bool deletes;
  };
  const std::vector<Row> rows{
      {"nothing else has changed", [](ReconciledBlueGreen&) {}, true},
      {"the spec has it again",
       [](ReconciledBlueGreen& world) {
         world.change_behind_the_cache(kube::resource_of<BlueGreen>(), demo("Blue", kBoth, 3));
       },
       false},
      {"the BlueGreen is gone", [](ReconciledBlueGreen& world) { world.server["bluegreens"].clear(); }, false},
      {"traffic goes to it",
       [](ReconciledBlueGreen& world) {
         world.change_behind_the_cache(kube::services(), replaced(world.service, R"("Blue")", R"("Green")"));
       },
       false},
      {"the server returns an error",
       [](ReconciledBlueGreen& world) { world.failing.emplace("bluegreens", status_error(500, "InternalError")); },
       false},
      {"it is being deleted already",
       [](ReconciledBlueGreen& world) { world.know(kube::deployments(), going_away(world.green)); }, false},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    ReconciledBlueGreen world;
    world.know(kube::resource_of<BlueGreen>(), demo("Blue", kOnlyBlue, 2));
    row.change(world);

    (void)world.reconcile(kDemo).has_value();

    REQUIRE(world.deletions().size() == (row.deletes ? 1 : 0));
    if (!row.deletes) continue;
    auto options = json::Document::parse(world.deletions()[0]);
    CHECK(options->root().at({"preconditions", "uid"}).string() == "uid-green");
    CHECK(options->root().find("propagationPolicy").string() == "Background");
  }
}

}  // namespace
}  // namespace keelson::testing
