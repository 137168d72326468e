// PodDisruptionBudgets in the server in this process, and the evictions that they allow. The messages are those of
// kube-apiserver 1.36 (pkg/registry/core/pod/storage/eviction.go).
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::seconds;

struct Web : Fleet {
  explicit Web(const std::string& budget, int replicas = 3) {
    create(kube::deployments(),
           R"({"metadata":{"name":"web"},"spec":{"replicas":)" + std::to_string(replicas) +
               R"(,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)"
               R"("spec":{"containers":[{"name":"c","image":"i:1"}]}}}})");
    if (!budget.empty()) {
      create(kube::disruption_budgets(),
             R"({"metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"app":"web"}},)" + budget + "}}");
    }
    pass(seconds(2));
  }
  std::string status(std::string_view field) { return value(kube::disruption_budgets(), "b", {"status", field}); }
  std::string first_pod() {
    auto pods = names(kube::pods());
    return pods.substr(0, pods.find(' '));
  }
  Result<kube::ApiReply> evict(const std::string& pod, const std::string& more = "") {
    kube::ApiRequest request;
    request.verb = kube::Verb::kCreate;
    request.resource = kube::pods();
    request.key = {"default", pod};
    request.subresource = "eviction";
    request.body = R"({"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":")" + pod + "\"}" + more + "}";
    return ask(client().send(request));
  }
};

TEST_CASE("a budget counts healthy, desired and expected pods") {
  Web web(R"("minAvailable":2)");

  CHECK(web.status("currentHealthy") == "3");
  CHECK(web.status("desiredHealthy") == "2");
  CHECK(web.status("expectedPods") == "3");
  CHECK(web.status("disruptionsAllowed") == "1");
  CHECK(web.status("observedGeneration") == "1");
  auto condition = web.status("conditions");
  CHECK(condition.find(R"("type":"DisruptionAllowed","status":"True")") != std::string::npos);
  CHECK(condition.find("SufficientPods") != std::string::npos);
}

TEST_CASE("maxUnavailable and percentages refer to the scale of the pods' controllers") {
  Web some(R"("maxUnavailable":"30%")", 5);
  CHECK(some.status("expectedPods") == "5");
  CHECK(some.status("desiredHealthy") == "3");
  CHECK(some.status("disruptionsAllowed") == "2");

  Web all(R"("minAvailable":"100%")");
  CHECK(all.status("disruptionsAllowed") == "0");
  CHECK(all.status("conditions").find("InsufficientPods") != std::string::npos);

  Web fewer(R"("maxUnavailable":"100%")");
  CHECK(fewer.status("desiredHealthy") == "0");
  CHECK(fewer.status("disruptionsAllowed") == "3");
}

TEST_CASE("an eviction deletes the pod with 201") {
  Web web("");

  auto reply = web.evict(web.first_pod());
  REQUIRE(reply);
  CHECK(reply->code == 201);
  CHECK(reply->body == R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
  CHECK(web.value(kube::pods(), web.first_pod(), {"metadata", "deletionTimestamp"}) == "null");
  web.pass(seconds(2));
  CHECK(web.count(kube::pods()) == 3);
}

TEST_CASE("an exhausted budget rejects the eviction with 429 until a new pod is ready") {
  Web web(R"("minAvailable":2)");
  REQUIRE(web.evict(web.first_pod()));
  web.pass(std::chrono::milliseconds(100));

  auto rejected = web.evict(web.first_pod());
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 429);
  CHECK(rejected.error().reason == "TooManyRequests");
  CHECK(rejected.error().server_text == "Cannot evict pod as it would violate the pod's disruption budget.");
  CHECK(
      rejected.error().status_body.find(
          R"("causes":[{"reason":"DisruptionBudget","message":"The disruption budget b needs 2 healthy pods and has 2 currently"}])") !=
      std::string::npos);
  web.pass(seconds(2));
  CHECK(web.evict(web.first_pod()));
}

TEST_CASE("a budget that was not observed yet rejects with 429 and a time to retry") {
  Web web("");
  web.create(kube::disruption_budgets(),
             R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}})");

  auto rejected = web.evict(web.first_pod());

  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 429);
  CHECK(rejected.error().retry_after == seconds(10));
}

TEST_CASE("a dry-run eviction deletes nothing and does not use up the budget") {
  Web web(R"("minAvailable":2)");

  CHECK(web.evict(web.first_pod(), R"(,"deleteOptions":{"dryRun":["All"]})"));

  CHECK(web.status("disruptionsAllowed") == "1");
  web.pass(seconds(1));
  CHECK(web.status("disruptedPods") == "null");
}

TEST_CASE("an eviction needs the name of an existing pod") {
  Web web("");
  auto missing = web.evict("nothing");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == 404);

  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = kube::pods();
  request.key = {"default", web.first_pod()};
  request.subresource = "eviction";
  request.body = R"({"metadata":{"name":"other"}})";
  auto other = web.ask(web.client().send(request));
  REQUIRE_FALSE(other);
  CHECK(other.error().server_text == "name in URL does not match name in Eviction object");
}

TEST_CASE("an eviction whose preconditions do not hold does not use up the budget") {
  Web web(R"("minAvailable":2)");
  auto pod = web.first_pod();

  auto rejected = web.evict(pod, R"(,"deleteOptions":{"preconditions":{"uid":"another"}})");

  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 409);
  CHECK(web.status("disruptionsAllowed") == "1");
  auto version = web.value(kube::pods(), pod, {"metadata", "resourceVersion"});
  CHECK(web.evict(pod, R"(,"deleteOptions":{"preconditions":{"resourceVersion":")" + version + "\"}}"));
}

}  // namespace
}  // namespace keelson::sandbox
