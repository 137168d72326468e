#include "src/controllers/memcached/memcached_facts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::controllers {
namespace {

kube::Object deployment(const std::string& conditions) {
  return *kube::Object::from_json(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default","uid":"d-1",)"
      R"("resourceVersion":"9","generation":2},"status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1,"availableReplicas":1,)"
      R"("conditions":[)" +
      conditions + "]}}");
}

TEST_CASE("what a Deployment's conditions call a failure") {
  struct Row {
    std::string what, condition, failure;
  };
  const std::vector<Row> table{
      {"it progresses", R"({"type":"Progressing","status":"True","reason":"ReplicaSetUpdated","message":"m"})", ""},
      {"it is paused", R"({"type":"Progressing","status":"Unknown","reason":"DeploymentPaused","message":"m"})", ""},
      {"it is late", R"({"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"m"})",
       "m"},
      {"no pods can be made", R"({"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"q"})",
       "q"},
      {"they can be again", R"({"type":"ReplicaFailure","status":"False","reason":"FailedCreate","message":"q"})", ""},
      {"it is not available", R"({"type":"Available","status":"False","message":"m"})", ""},
  };

  for (const auto& row : table) {
    MemcachedFacts facts;
    facts.size = 1;

    auto looked = look_at_deployment(deployment(row.condition), facts);

    INFO(row.what);
    REQUIRE(looked);
    CHECK(facts.failure == row.failure);
    CHECK(facts.rolled_out);
  }
}

}  // namespace
}  // namespace keelson::controllers
